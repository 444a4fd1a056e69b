extension JSONValue {
    /// One step of the path to a value in a response: a response key or a list index (specification, section 7.1.2).
    public enum PathComponent: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        /// A response key.
        case key(String)
        /// A position in a list, from 0.
        case index(Int)

        /// A response key, so that a path can be written as a literal.
        public init(stringLiteral value: String) { self = .key(value) }
        /// A position in a list, from 0.
        public init(integerLiteral value: Int) { self = .index(value) }
    }
}

extension JSONValue.PathComponent: CustomStringConvertible {
    /// The key, or the position in decimal.
    public var description: String {
        switch self {
        case .key(let key): key
        case .index(let index): String(index)
        }
    }
}

extension [JSONValue.PathComponent] {
    /// The path in one line, such as `hero.friends[0].name`.
    var text: String {
        reduce(into: "") { text, component in
            switch component {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
