/// A JSON document as a value: variables, error extensions, custom scalars on their way in and out.
///
/// Responses are not turned into it; they go straight into the store. Objects keep the order of their members; two
/// objects are equal if they have the same members in any order.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that was written without fraction and exponent and fits 64 bits.
    case int(Int)
    /// Any other number; infinite if it is beyond the range of a double.
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

    /// The value of a member of an object; nil for other kinds and absent members. Names are compared byte by byte.
    /// Takes time linear in the members.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
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
    /// Compares without regard to the order of members, and text byte by byte: a server tells canonically equivalent
    /// texts apart. A double that is no number equals another, as both are sent as null.
    ///
    /// What is nested waits in an array: what somebody has built by hand may be deeper than the stack allows.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        var waiting: [(JSONValue, JSONValue)] = []
        guard areAlike(left, right, &waiting) else { return false }
        while let (left, right) = waiting.popLast() {
            guard areAlike(left, right, &waiting) else { return false }
        }
        return true
    }

    /// Compares scalars; of containers the count and the names, and has their values compared later. Each pair of
    /// values is compared once, or equality would take time exponential in the depth.
    private static func areAlike(
        _ left: JSONValue, _ right: JSONValue, _ waiting: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.int(let left), .int(let right)): return left == right
        case (.double(let left), .double(let right)): return left == right || left.isNaN && right.isNaN
        case (.string(let left), .string(let right)): return left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            return zip(left, right).allSatisfy { wait($0, $1, &waiting) }
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            if areNamedAlike(left, right) {
                return zip(left, right).allSatisfy { wait($0.value, $1.value, &waiting) }
            }
            let (left, right) = (sorted(left), sorted(right))
            return areNamedAlike(left, right) && zip(left, right).allSatisfy { wait($0.value, $1.value, &waiting) }
        default: return false
        }
    }

    private static func areNamedAlike(_ left: [Member], _ right: [Member]) -> Bool {
        zip(left, right).allSatisfy { $0.name.hasSameBytes(as: $1.name) }
    }

    /// Compares scalars at once.
    private static func wait(
        _ left: JSONValue, _ right: JSONValue, _ waiting: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        guard left.isContainer else { return areAlike(left, right, &waiting) }
        waiting.append((left, right))
        return true
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// In the order of the bytes of their names; `<` takes canonically equivalent names for equal.
    static func sorted(_ members: [Member]) -> [Member] {
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Hashes members without regard to their order.
    public func hash(into hasher: inout Hasher) {
        var waiting: [JSONValue] = []
        hash(into: &hasher, &waiting)
        while let value = waiting.popLast() { value.hash(into: &hasher, &waiting) }
    }

    /// Takes a scalar whole; of a container the count and the names, and has its values taken later.
    private func hash(into hasher: inout Hasher, _ waiting: inout [JSONValue]) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? .nan : value)
        case .string(let value): hasher.combine(value)
        case .array(let values):
            hasher.combine(values.count)
            for value in values { value.hash(later: &waiting, into: &hasher) }
        case .object(let members):
            for member in Self.sorted(members) {
                hasher.combine(member.name)
                member.value.hash(later: &waiting, into: &hasher)
            }
        }
    }

    /// Takes a scalar at once.
    private func hash(later waiting: inout [JSONValue], into hasher: inout Hasher) {
        if isContainer { waiting.append(self) } else { hash(into: &hasher, &waiting) }
    }
}

extension JSONValue {
    /// How many arrays and objects may lie in each other in what is read and in what is sent.
    public static let maximumDepth = 256

    /// Says whether more arrays and objects lie in each other than so many.
    package func isDeeper(than levels: Int) -> Bool {
        guard isContainer else { return false }
        // One level after the other.
        var level = [self]
        var depth = 0
        while !level.isEmpty {
            depth += 1
            if depth > levels { return true }
            var next: [JSONValue] = []
            for value in level {
                switch value {
                case .array(let values): next.append(contentsOf: values.lazy.filter(\.isContainer))
                case .object(let members): next.append(contentsOf: members.lazy.map(\.value).filter(\.isContainer))
                default: break
                }
            }
            level = next
        }
        return false
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
