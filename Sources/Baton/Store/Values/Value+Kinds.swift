extension Value {
    /// A set of kinds of values.
    struct Kinds: OptionSet, Sendable {
        let rawValue: UInt16

        static let null = Kinds(rawValue: 1)
        static let bool = Kinds(rawValue: 2)
        static let int = Kinds(rawValue: 4)
        static let double = Kinds(rawValue: 8)
        static let string = Kinds(rawValue: 16)
        static let link = Kinds(rawValue: 32)
        static let links = Kinds(rawValue: 64)
        static let list = Kinds(rawValue: 128)
        static let scalar = Kinds(rawValue: 256)
    }

    /// The kind of the value.
    @inline(__always)
    var kind: Kinds {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .double: .double
        case .string: .string
        case .link: .link
        case .links: .links
        case .list: .list
        case .scalar: .scalar
        }
    }
}
