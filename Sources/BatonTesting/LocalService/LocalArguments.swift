public import Baton

/// The coerced arguments of a field, or fields of an input object, with defaults filled in.
///
/// An argument without a value and a default has no entry. An enum value is a string with the value's name.
public struct LocalArguments: Sendable, Hashable {
    private let values: [String: JSONValue]

    init(_ values: [String: JSONValue]) {
        self.values = values
    }

    /// The value of an argument as JSON; nil if the argument was left out, `.null` for an explicit null.
    public subscript(name: String) -> JSONValue? { values[name] }

    /// The names of the arguments that have a value or an explicit null, in no order.
    public var names: Set<String> { Set(values.keys) }

    /// The text of a `String`, `ID` or enum argument; nil if the argument is null, left out or of another type.
    public func string(_ name: String) -> String? {
        if case .string(let value) = values[name] { value } else { nil }
    }

    /// The number of an `Int` argument; nil if the argument is null, left out or of another type.
    public func int(_ name: String) -> Int? {
        if case .int(let value) = values[name] { value } else { nil }
    }

    /// The number of a `Float` argument; nil if the argument is null, left out or of another type.
    public func double(_ name: String) -> Double? {
        switch values[name] {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }

    /// The value of a `Boolean` argument; nil if the argument is null, left out or of another type.
    public func bool(_ name: String) -> Bool? {
        if case .bool(let value) = values[name] { value } else { nil }
    }

    /// The case of a Swift enum whose raw values are the enum values of the schema; nil if there is no such case.
    public func enumeration<Value: RawRepresentable<String>>(_ name: String, _ type: Value.Type = Value.self) -> Value?
    {
        string(name).flatMap(Value.init(rawValue:))
    }

    /// The items of a list argument; nil if the argument is null, left out or of another type.
    public func list(_ name: String) -> [JSONValue]? {
        if case .array(let values) = values[name] { values } else { nil }
    }

    /// The fields of an input object; nil if the argument is null, left out or of another type.
    public func object(_ name: String) -> LocalArguments? {
        guard case .object(let members) = values[name] else { return nil }
        return LocalArguments(Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last }))
    }
}

/// The field that a resolver resolves, with its arguments.
public struct LocalFieldContext: Sendable {
    /// The coerced arguments.
    public let arguments: LocalArguments
    /// The name of the object type to which the field belongs.
    public let typeName: String
    /// The name of the field in the schema.
    public let fieldName: String
    /// The name of the operation; nil for an anonymous operation.
    public let operationName: String?
}
