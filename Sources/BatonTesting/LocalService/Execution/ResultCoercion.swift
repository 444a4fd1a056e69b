import Baton
import BatonSchema

/// Converts the values that resolvers return for leaf fields to the JSON of their types.
///
/// No conversion loses information or hides a mistake: a number is not accepted as a string, except for an `ID`.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Scalars
enum ResultCoercion {
    static func coerce(_ value: Any, to type: SchemaType) throws(LocalError) -> JSONValue {
        guard let json = json(value) else {
            throw LocalError("\(type.name) cannot represent a value of type \(Swift.type(of: value))")
        }
        if type.kind == .enum {
            guard case .string(let name) = json, type.enumValue(named: name) != nil else {
                throw LocalError("Enum \"\(type.name)\" cannot represent value: \(describe(json))")
            }
            return json
        }
        switch (type.name, json) {
        case ("Int", .int(let number)):
            guard Int32(exactly: number) != nil else {
                throw LocalError("Int cannot represent non 32-bit signed integer value: \(number)")
            }
        case ("Int", .double(let number)):
            guard let integer = Int32(exactly: number) else {
                throw LocalError("Int cannot represent non-integer value: \(number)")
            }
            return .int(Int(integer))
        case ("Float", .int(let number)): return .double(Double(number))
        case ("ID", .int(let number)): return .string(String(number))
        case ("Float", .double), ("String", .string), ("Boolean", .bool), ("ID", .string): break
        case ("Int", _): throw LocalError("Int cannot represent non-integer value: \(describe(json))")
        case ("Float", _): throw LocalError("Float cannot represent non numeric value: \(describe(json))")
        case ("String", _): throw LocalError("String cannot represent value: \(describe(json))")
        case ("Boolean", _): throw LocalError("Boolean cannot represent a non boolean value: \(describe(json))")
        case ("ID", _): throw LocalError("ID cannot represent value: \(describe(json))")
        default: break
        }
        return json
    }

    /// The JSON of a Swift value of a simple type; nil for other types, and for numbers that JSON does not have.
    private static func json(_ value: Any) -> JSONValue? {
        switch value {
        case let value as JSONValue: return isFinite(value) ? value : nil
        case let value as String: return .string(value)
        case let value as Substring: return .string(String(value))
        case let value as Bool: return .bool(value)
        case let value as any BinaryInteger: return Int(exactly: value).map { .int($0) }
        case let value as Double: return value.isFinite ? .double(value) : nil
        case let value as Float: return value.isFinite ? .double(Double(value)) : nil
        case let value as any RawRepresentable: return simple(value.rawValue)
        case let value as any GeneratedCode.Input: return value.jsonValue
        default: return nil
        }
    }

    /// The JSON of a raw value of a simple type; nil for other types. Optionals inside the value are not unwrapped.
    private static func simple(_ value: Any) -> JSONValue? {
        switch value {
        case let value as String: .string(value)
        case let value as any BinaryInteger: Int(exactly: value).map { .int($0) }
        case let value as Double: value.isFinite ? .double(value) : nil
        default: nil
        }
    }

    private static func isFinite(_ value: JSONValue) -> Bool {
        if case .double(let number) = value { number.isFinite } else { true }
    }

    private static func describe(_ value: JSONValue) -> String {
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
