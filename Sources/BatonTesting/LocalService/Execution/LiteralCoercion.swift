import Baton
import BatonSchema
import BatonSyntax

/// Converts values that are written in a document to the values of their types.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Coercing-Field-Arguments
struct LiteralCoercion {
    /// The value that a variable has during coercion.
    enum Binding {
        /// The caller gave no value, and there is no default.
        case absent
        /// The value, coerced to the variable's type.
        case value(JSONValue)
        /// The value is unknown so far, and its type fits.
        case later
    }

    let input: InputCoercion
    /// Looks a variable up for a position of the given type; the type is nil inside a custom scalar.
    let variable: (Variable, TypeReference?) throws(InputProblem) -> Binding

    func coerce(_ value: Value, to type: TypeReference, path: String = "", depth: Int = 0) throws(InputProblem)
        -> JSONValue
    {
        guard depth < InputCoercion.maximumDepth else {
            throw InputProblem(message: "The value is nested too deeply.", path: path)
        }
        if case .variable(let variable) = value {
            switch try self.variable(variable, type) {
            case .later: return .null
            case .value(.null), .absent: return try null(type, path)
            case .value(let value): return value
            }
        }
        if value.isNull { return try null(type, path) }
        if let item = type.item {
            guard case .list(let list) = value else {
                return .array([try coerce(value, to: item, path: path, depth: depth + 1)])
            }
            var items: [JSONValue] = []
            for (index, value) in list.values.enumerated() {
                items.append(try coerce(value, to: item, path: "\(path)[\(index)]", depth: depth + 1))
            }
            return .array(items)
        }
        let named = input.schema.namedType(of: type)
        switch named.kind {
        case .inputObject: return try object(value, named, path: path, depth: depth)
        case .enum:
            guard case .enum(let name) = value else {
                throw InputProblem(
                    message: "Enum \"\(named.name)\" cannot represent non-enum value: \(Self.describe(value)).",
                    path: path
                )
            }
            guard named.enumValue(named: name.text) != nil else {
                throw InputProblem(
                    message: "Value \"\(name.text)\" does not exist in \"\(named.name)\" enum.",
                    path: path
                )
            }
            return .string(name.text)
        default: return try scalar(value, named, path: path, depth: depth)
        }
    }

    private func null(_ type: TypeReference, _ path: String) throws(InputProblem) -> JSONValue {
        guard type.isNonNull else { return .null }
        throw InputProblem(
            message: "Expected value of type \"\(input.schema.describe(type))\", found null.",
            path: path
        )
    }

    private func object(_ value: Value, _ type: SchemaType, path: String, depth: Int) throws(InputProblem)
        -> JSONValue
    {
        guard case .object(let object) = value else {
            throw InputProblem(
                message: "Expected value of type \"\(type.name)\", found \(Self.describe(value)).",
                path: path
            )
        }
        for field in object.fields where type.inputField(named: field.name.text) == nil {
            throw InputProblem(message: input.unknownField(field.name.text, type), path: path)
        }
        var result: [JSONValue.Member] = []
        var isComplete = true
        for field in type.inputFields {
            var value = object.fields.last { $0.name.text == field.name }?.value
            if case .variable(let variable) = value {
                switch try self.variable(variable, field.defaultValue == nil ? field.type : field.type.nullable) {
                case .absent: value = nil
                case .later:
                    isComplete = false
                    continue
                case .value: break
                }
            }
            if let value {
                let path = "\(path).\(field.name)"
                result.append(.init(field.name, try coerce(value, to: field.type, path: path, depth: depth + 1)))
            } else if let value = try input.defaultValue(of: field, depth: depth + 1) {
                result.append(.init(field.name, value))
            } else if field.type.isNonNull {
                throw InputProblem(message: input.missingField(field), path: path)
            }
        }
        if isComplete { try input.checkOneOf(result, type, path: path) }
        return .object(result)
    }

    private func scalar(_ value: Value, _ type: SchemaType, path: String, depth: Int) throws(InputProblem) -> JSONValue
    {
        let problem = InputProblem(message: InputCoercion.complaint(Self.describe(value), type.name), path: path)
        switch value {
        case .int(let number):
            if let integer = Int(number.text) {
                guard let coerced = InputCoercion.scalar(.int(integer), type.name) else { throw problem }
                return coerced
            }
            // The number does not fit into an integer of Swift. An `ID` keeps its digits, and a number becomes a
            // double.
            if type.name == "ID" { return .string(number.text) }
            guard let double = Double(number.text), let coerced = InputCoercion.scalar(.double(double), type.name)
            else {
                throw problem
            }
            return coerced
        case .float(let number):
            guard type.name != "Int", let double = Double(number.text),
                let coerced = InputCoercion.scalar(.double(double), type.name)
            else { throw problem }
            return coerced
        case .string(let string):
            guard let coerced = InputCoercion.scalar(.string(string.text), type.name) else { throw problem }
            return coerced
        case .boolean(let boolean):
            guard let coerced = InputCoercion.scalar(.bool(boolean.isTrue), type.name) else { throw problem }
            return coerced
        default:
            guard !type.isPredeclared else { throw problem }
            return try untyped(value, type, path: path, depth: depth)
        }
    }

    /// Converts a value of a custom scalar, which may have any form.
    private func untyped(_ value: Value, _ type: SchemaType, path: String, depth: Int) throws(InputProblem) -> JSONValue
    {
        guard depth < InputCoercion.maximumDepth else {
            throw InputProblem(message: "The value is nested too deeply.", path: path)
        }
        switch value {
        case .variable(let variable):
            if case .value(let value) = try self.variable(variable, nil) { return value }
            return .null
        case .null: return .null
        case .enum(let name): return .string(name.text)
        case .list(let list):
            var items: [JSONValue] = []
            for value in list.values { items.append(try untyped(value, type, path: path, depth: depth + 1)) }
            return .array(items)
        case .object(let object):
            var members: [JSONValue.Member] = []
            for field in object.fields {
                members.append(.init(field.name.text, try untyped(field.value, type, path: path, depth: depth + 1)))
            }
            return .object(members)
        case .int, .float, .string, .boolean: return try scalar(value, type, path: path, depth: depth)
        }
    }

    /// The text of the value in messages.
    static func describe(_ value: Value) -> String {
        switch value {
        case .variable(let value): "$\(value.name)"
        case .int(let value): value.text
        case .float(let value): value.text
        case .string(let value): "\"\(value.text)\""
        case .boolean(let value): String(value.isTrue)
        case .null: "null"
        case .enum(let name): name.text
        case .list: "[...]"
        case .object: "{ ... }"
        }
    }
}
