// The depth of JSON has several owners, this one for the runtime; ReadingTheDesign.md names the others.

/// A JSON document as a value: variables, extensions of errors, custom scalars before and after their conversion.
///
/// Responses are not converted to this type; they are written straight into the store. Objects keep the order of their
/// members. Two objects are equal if they have the same members in any order.
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
    /// `{...}`, with the members in order.
    case object([Member])

    /// One name and its value in an object.
    public struct Member: Sendable {
        /// The member's name.
        public var name: String
        /// The member's value.
        public var value: JSONValue

        /// Pairs a name with its value.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the member with this name; nil if this is not an object or has no such member. Names are compared
    /// byte by byte. Takes time linear in the members.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }
}

extension JSONValue.Member: Hashable {
    /// Returns true for the same name, byte by byte, and equal values.
    public static func == (left: JSONValue.Member, right: JSONValue.Member) -> Bool {
        left.name.hasSameBytes(as: right.name) && left.value == right.value
    }

    /// Hashes the name and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
    }
}

extension JSONValue: Hashable {
    /// Compares without regard to the order of members. Text is compared byte by byte, because a server distinguishes
    /// canonically equivalent texts. Two doubles that are not a number are equal, since both are sent as null.
    ///
    /// Nested values wait in an array instead of the call stack, since hand-made values may be nested deeper than the
    /// stack allows.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        var waiting: [(JSONValue, JSONValue)] = []
        guard areAlike(left, right, &waiting) else { return false }
        while let (left, right) = waiting.popLast() {
            guard areAlike(left, right, &waiting) else { return false }
        }
        return true
    }

    /// Compares two scalars, or the counts and names of two containers, and adds the containers' values to `waiting`.
    /// Each pair of values is compared once; otherwise the time would be exponential in the depth.
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
            // A loop over members, because closures would copy each value (benchmark `small.fetch-us`).
            if areNamedAlike(left, right) {
                for index in left.indices {
                    guard wait(left[index].value, right[index].value, &waiting) else { return false }
                }
                return true
            }
            let (left, right) = (sorted(left), sorted(right))
            return areNamedAlike(left, right) && zip(left, right).allSatisfy { wait($0.value, $1.value, &waiting) }
        default: return false
        }
    }

    private static func areNamedAlike(_ left: [Member], _ right: [Member]) -> Bool {
        for index in left.indices where !left[index].name.hasSameBytes(as: right[index].name) { return false }
        return true
    }

    /// Compares two scalars at once, and adds containers to `waiting`.
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

    /// Returns the members in the order of the bytes of their names. In contrast, `<` treats canonically equivalent
    /// names as equal.
    static func sorted(_ members: [Member]) -> [Member] {
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Hashes the value without regard to the order of members.
    public func hash(into hasher: inout Hasher) {
        var waiting: [JSONValue] = []
        hash(into: &hasher, &waiting)
        while let value = waiting.popLast() { value.hash(into: &hasher, &waiting) }
    }

    /// Hashes a scalar, or the count and the names of a container, and adds the container's values to `waiting`.
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

    /// Hashes a scalar at once, and adds a container to `waiting`.
    private func hash(later waiting: inout [JSONValue], into hasher: inout Hasher) {
        if isContainer { waiting.append(self) } else { hash(into: &hasher, &waiting) }
    }
}

extension JSONValue {
    /// The greatest depth of nested arrays and objects in JSON that is read or sent.
    public static let maximumDepth = 256

    /// Returns true if arrays and objects are nested deeper than `levels`.
    package func isDeeper(than levels: Int) -> Bool {
        guard isContainer else { return false }
        // Each turn of the loop looks at one level.
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
    /// A number; a value that is not a number is printed as null.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A list, in the order of the literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object with its members in the order of the literal; repeated names are kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}
