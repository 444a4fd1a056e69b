/// The values of an operation's variables: a generated struct with one property each.
public protocol GraphQLVariables: Sendable, Hashable {
    /// Writes every variable that was not left out, in declaration order.
    func encode(into encoder: inout GeneratedCode.VariableEncoder)
}

/// A generated struct for an input object of the schema.
public protocol GraphQLInputObject: GraphQLInputValue, Hashable {
    /// Writes every field that was not left out, in the order of the schema.
    func encode(into encoder: inout GeneratedCode.VariableEncoder)
}

/// What can stand for a variable or a field of an input object.
public protocol GraphQLInputValue: Sendable {
    /// The JSON that is sent.
    var jsonValue: JSONValue { get }
}

/// A generated enum; a value that the schema did not have at compile time is kept as its raw text.
public protocol GraphQLEnum: GraphQLInputValue, RawRepresentable, Hashable where RawValue == String {
    /// Never fails: text that is no known value becomes the `unknown` case.
    init(rawValue: String)
}

/// A variable or input field that may be left out, null, or have a value (specification, section 2.9.5).
public enum GraphQLNullable<Wrapped> {
    /// Left out: the default of the schema or the operation applies.
    case absent
    /// An explicit null.
    case null
    /// A value.
    case value(Wrapped)

    /// `nil` means left out.
    public init(_ wrapped: Wrapped?) {
        self = wrapped.map(GraphQLNullable.value) ?? .absent
    }

    /// Converts the value, and keeps the two other states.
    public func map<Result>(_ transform: (Wrapped) throws -> Result) rethrows -> GraphQLNullable<Result> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): .value(try transform(value))
        }
    }
}

extension GraphQLNullable: Sendable where Wrapped: Sendable {}
extension GraphQLNullable: Equatable where Wrapped: Equatable {}
extension GraphQLNullable: Hashable where Wrapped: Hashable {}

extension GraphQLNullable: ExpressibleByNilLiteral {
    /// Left out, not null.
    public init(nilLiteral: ()) { self = .absent }
}

extension GeneratedCode {
    /// Collects variables, or the fields of an input object, in order.
    public struct VariableEncoder: Sendable {
        /// What was added, in order.
        package var members: [JSONValue.Member] = []

        /// Begins without a member.
        package init() {}

        /// Adds a value.
        public mutating func encode(_ name: String, _ value: some GraphQLInputValue) {
            members.append(.init(name, value.jsonValue))
        }

        /// Adds a value or a null; what is absent is left out.
        public mutating func encode(_ name: String, _ value: GraphQLNullable<some GraphQLInputValue>) {
            switch value {
            case .absent: break
            case .null: members.append(.init(name, .null))
            case .value(let value): members.append(.init(name, value.jsonValue))
            }
        }
    }
}

extension GraphQLInputObject {
    /// An object of the fields that were not left out.
    public var jsonValue: JSONValue {
        var encoder = GeneratedCode.VariableEncoder()
        encode(into: &encoder)
        return .object(encoder.members)
    }
}

extension GraphQLEnum {
    /// The raw text.
    public var jsonValue: JSONValue { .string(rawValue) }
}

extension JSONValue: GraphQLInputValue {
    /// Itself.
    public var jsonValue: JSONValue { self }
}

extension Int: GraphQLInputValue {
    /// A JSON number.
    public var jsonValue: JSONValue { .int(self) }
}

extension Double: GraphQLInputValue {
    /// A JSON number.
    public var jsonValue: JSONValue { .double(self) }
}

extension Bool: GraphQLInputValue {
    /// `true` or `false`.
    public var jsonValue: JSONValue { .bool(self) }
}

extension String: GraphQLInputValue {
    /// A JSON string.
    public var jsonValue: JSONValue { .string(self) }
}

extension Array: GraphQLInputValue where Element: GraphQLInputValue {
    /// A JSON array in the same order.
    public var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}

extension Optional: GraphQLInputValue where Wrapped: GraphQLInputValue {
    /// The value, or null.
    public var jsonValue: JSONValue { self?.jsonValue ?? .null }
}
