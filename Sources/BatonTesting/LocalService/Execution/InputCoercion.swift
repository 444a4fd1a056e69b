// The depth of JSON has several owners, this one for variables; ReadingTheDesign.md names the others.

import Baton
import BatonSchema
import BatonSyntax

/// The reason why an input value does not fit its type, and the place inside the value.
struct InputProblem: Error {
    var message: String
    /// The names and indices from the outermost value to the value that does not fit.
    var path: String = ""
}

/// Converts the values of variables to the values of their types.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Coercing-Variable-Values
struct InputCoercion {
    let schema: Schema

    /// The deepest nesting of an input value. Without this limit, an input object that refers to itself could be nested
    /// without end.
    static let maximumDepth = 64

    func coerce(_ value: JSONValue, to type: TypeReference, path: String, depth: Int = 0) throws(InputProblem)
        -> JSONValue
    {
        guard depth < Self.maximumDepth else {
            throw InputProblem(message: "The value is nested too deeply.", path: path)
        }
        if case .null = value {
            guard type.isNonNull else { return .null }
            throw InputProblem(
                message: "Expected non-nullable type \"\(schema.describe(type))\" not to be null.",
                path: path
            )
        }
        if let item = type.item {
            guard case .array(let values) = value else {
                return .array([try coerce(value, to: item, path: path, depth: depth + 1)])
            }
            var items: [JSONValue] = []
            for (index, value) in values.enumerated() {
                items.append(try coerce(value, to: item, path: "\(path)[\(index)]", depth: depth + 1))
            }
            return .array(items)
        }
        let named = schema.namedType(of: type)
        switch named.kind {
        case .inputObject: return try object(value, named, path: path, depth: depth)
        case .enum:
            guard case .string(let name) = value else {
                throw InputProblem(
                    message: "Enum \"\(named.name)\" cannot represent non-string value: \(describe(value)).",
                    path: path
                )
            }
            guard named.enumValue(named: name) != nil else {
                throw InputProblem(message: "Value \"\(name)\" does not exist in \"\(named.name)\" enum.", path: path)
            }
            return value
        default:
            guard let coerced = Self.scalar(value, named.name) else {
                throw InputProblem(message: Self.complaint(describe(value), named.name), path: path)
            }
            return coerced
        }
    }

    private func object(_ value: JSONValue, _ type: SchemaType, path: String, depth: Int) throws(InputProblem)
        -> JSONValue
    {
        guard case .object(let members) = value else {
            throw InputProblem(message: "Expected type \"\(type.name)\" to be an object.", path: path)
        }
        let given = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        for member in members where type.inputField(named: member.name) == nil {
            throw InputProblem(message: unknownField(member.name, type), path: path)
        }
        var result: [JSONValue.Member] = []
        for field in type.inputFields {
            if let value = given[field.name] {
                let path = "\(path).\(field.name)"
                result.append(.init(field.name, try coerce(value, to: field.type, path: path, depth: depth + 1)))
            } else if let value = try defaultValue(of: field, depth: depth + 1) {
                result.append(.init(field.name, value))
            } else if field.type.isNonNull {
                throw InputProblem(message: missingField(field), path: path)
            }
        }
        try checkOneOf(result, type, path: path)
        return .object(result)
    }

    /// The coerced default value, or nil if there is none.
    func defaultValue(of input: SchemaInputValue, depth: Int = 0) throws(InputProblem) -> JSONValue? {
        guard let value = input.defaultValue else { return nil }
        let coercion = LiteralCoercion(input: self) { _, _ throws(InputProblem) in .absent }
        return try coercion.coerce(value, to: input.type, path: "", depth: depth)
    }

    func unknownField(_ name: String, _ type: SchemaType) -> String {
        "Field \"\(name)\" is not defined by type \"\(type.name)\"."
    }

    func missingField(_ field: SchemaInputValue) -> String {
        "Field \"\(field.name)\" of required type \"\(schema.describe(field.type))\" was not provided."
    }

    /// Specification: https://spec.graphql.org/September2025/#sec-OneOf-Input-Objects
    func checkOneOf(_ members: [JSONValue.Member], _ type: SchemaType, path: String) throws(InputProblem) {
        guard type.isOneOf else { return }
        guard let only = members.first, members.count == 1 else {
            throw InputProblem(
                message: "Exactly one key must be specified for OneOf type \"\(type.name)\".",
                path: path
            )
        }
        if case .null = only.value {
            throw InputProblem(message: "Field \"\(only.name)\" must be non-null.", path: path)
        }
    }

    /// The input value of a scalar, or nil if it does not fit; a custom scalar accepts any value.
    ///
    /// A number without a fraction is an `Int` even if it is written as `1.0`, because JSON has one kind of number.
    static func scalar(_ value: JSONValue, _ type: String) -> JSONValue? {
        switch (type, value) {
        case ("Int", .int(let number)): Int32(exactly: number).map { .int(Int($0)) }
        case ("Int", .double(let number)): Int32(exactly: number).map { .int(Int($0)) }
        case ("Float", .int(let number)): .double(Double(number))
        case ("Float", .double(let number)): number.isFinite ? value : nil
        case ("String", .string), ("Boolean", .bool), ("ID", .string): value
        case ("ID", .int(let number)): .string(String(number))
        case ("Int", _), ("Float", _), ("String", _), ("Boolean", _), ("ID", _): nil
        default: value
        }
    }

    /// The message of the best-known implementations about a value that does not fit.
    static func complaint(_ value: String, _ type: String) -> String {
        switch type {
        case "Int":
            Int(value) == nil
                ? "Int cannot represent non-integer value: \(value)"
                : "Int cannot represent non 32-bit signed integer value: \(value)"
        case "Float": "Float cannot represent non numeric value: \(value)"
        case "String": "String cannot represent a non string value: \(value)"
        case "Boolean": "Boolean cannot represent a non boolean value: \(value)"
        default: "\(type) cannot represent value: \(value)"
        }
    }

    func describe(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): String(value)
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .string(let value): "\"\(value)\""
        case .array: "[...]"
        case .object: "{ ... }"
        }
    }
}
