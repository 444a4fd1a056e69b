/// A JSON document as a value: variables, error extensions, custom scalars on their way in and out.
///
/// Responses are not turned into it; they go straight into the store. Objects keep the order of their members; two objects are equal if they have the same
/// members in any order.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that was written without fraction and exponent and fits 64 bits.
    case int(Int)
    /// Any other number.
    case double(Double)
    /// Text.
    case string(String)
    /// `[...]`.
    case array([JSONValue])
    /// `{...}`, in order.
    case object([Member])

    /// A name and a value of an object.
    public struct Member: Sendable {
        /// The key.
        public var name: String
        /// What it stands for.
        public var value: JSONValue

        /// Pairs a key with its value.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a member of an object; nil for other kinds and absent members. Takes time linear in the members.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}

extension JSONValue.Member: Hashable {
    /// True for the same name, byte by byte, and equal values.
    public static func == (left: JSONValue.Member, right: JSONValue.Member) -> Bool {
        left.name.hasSameBytes(as: right.name) && left.value == right.value
    }

    /// Takes the name and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
    }
}

extension JSONValue: Hashable {
    /// Compares without regard to the order of members, and text byte by byte: a server tells canonically equivalent texts apart. A double that is no number
    /// equals another, as both are sent as null.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): areEqual(left, right)
        default: false
        }
    }

    /// Compares each pair of values once, or equality would take time exponential in the depth.
    private static func areEqual(_ left: [Member], _ right: [Member]) -> Bool {
        guard left.count == right.count else { return false }
        if zip(left, right).allSatisfy({ $0.name.hasSameBytes(as: $1.name) }) {
            return zip(left, right).allSatisfy { $0.value == $1.value }
        }
        return zip(left.sorted { $0.name < $1.name }, right.sorted { $0.name < $1.name })
            .allSatisfy { $0 == $1 }
    }

    /// Hashes members without regard to their order.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? .nan : value)
        case .string(let value): hasher.combine(value)
        case .array(let values): hasher.combine(values)
        case .object(let members): for member in members.sorted(by: { $0.name < $1.name }) { hasher.combine(member) }
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Null.
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An integral number.
    public init(integerLiteral value: Int) { self = .int(value) }
    /// A number; one that is no number is printed as null.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A list, in the order of the literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object, its members in the order of the literal; names that come twice are kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}
