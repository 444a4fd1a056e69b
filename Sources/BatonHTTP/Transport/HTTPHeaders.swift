/// The fields of an HTTP request or response, in order. Names are compared without regard to case (RFC 9110, 5.1).
public struct HTTPHeaders: Sendable, Hashable {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name, as it was written.
        public let name: String
        /// The value, without white space around it.
        public let value: String

        /// Makes a field from a name and a value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields, in the order in which they came or were added.
    public private(set) var fields: [Field]

    /// Makes a list of fields in this order.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The values of all fields of a name, joined with a comma; nil if there is no such field. Setting a value replaces
    /// all fields of the name.
    public subscript(_ name: String) -> String? {
        get {
            // Most names have one field or none, so that nothing needs to be joined.
            var joined = ""
            var isFound = false
            for field in fields where Self.isEqual(field.name, name) {
                if isFound { joined += ", " }
                joined += field.value
                isFound = true
            }
            return isFound ? joined : nil
        }
        set {
            fields.removeAll { Self.isEqual($0.name, name) }
            if let newValue { fields.append(Field(name, newValue)) }
        }
    }

    /// Adds a field after all others, and keeps fields of the same name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// Adds to the value of the last field, if there is one, after a space.
    mutating func extendLast(with text: String) {
        guard let last = fields.popLast() else { return }
        fields.append(Field(last.name, "\(last.value) \(text)"))
    }

    /// The values by their names as they were written first. Those of one name are joined with a comma.
    var joined: [String: String] {
        var names: [String: String] = [:]
        var values: [String: String] = [:]
        for field in fields {
            let name = names[field.name.lowercased(), default: field.name]
            names[field.name.lowercased()] = name
            values[name] = values[name].map { "\($0), \(field.value)" } ?? field.value
        }
        return values
    }

    private static func isEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        if left == right { return true }
        var (lefts, rights) = (left.utf8.makeIterator(), right.utf8.makeIterator())
        while let left = lefts.next(), let right = rights.next() {
            guard left == right || lowercase(left) == lowercase(right) else { return false }
        }
        return true
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Makes a list of fields in the order written.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0, $1) }
    }
}
