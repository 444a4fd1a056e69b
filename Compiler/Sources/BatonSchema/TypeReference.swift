/// The index of a named type in its `Schema`.
package struct TypeID: Hashable, Sendable, Comparable {
    package let index: Int32

    package init(_ index: Int) {
        self.index = Int32(truncatingIfNeeded: index)
    }

    package static func < (left: TypeID, right: TypeID) -> Bool {
        left.index < right.index
    }
}

/// The type of a field or an input value: a named type inside lists and non-null marks.
///
/// A reference takes sixteen bytes and is compared without the schema. Use `shape` for pattern matching, and
/// `Schema.describe(_:)` for the text. A reference has at most `maximumDepth` lists and marks.
package struct TypeReference: Hashable, Sendable {
    /// The type inside all lists and marks.
    package let named: TypeID
    /// Two bits for each wrapper, the outermost in the lowest bits: 1 is a list, 2 is non-null, and 0 is the end.
    private let wrappers: UInt64

    package static let maximumDepth = 32

    private init(named: TypeID, wrappers: UInt64) {
        self.named = named
        self.wrappers = wrappers
    }

    /// The nullable named type.
    package init(_ named: TypeID) {
        self.init(named: named, wrappers: 0)
    }

    /// The outermost layer of a type, and the type inside it.
    package enum Shape: Hashable, Sendable {
        case named(TypeID)
        case list(TypeReference)
        case nonNull(TypeReference)
    }

    /// The outermost layer.
    package var shape: Shape {
        switch wrappers & 3 {
        case 0: .named(named)
        case 1: .list(unwrapped)
        default: .nonNull(unwrapped)
        }
    }

    package var isNonNull: Bool { wrappers & 3 == 2 }

    /// Whether this is a list, nullable or not.
    package var isList: Bool { nullable.wrappers & 3 == 1 }

    /// Whether both references have the same lists and non-null marks around their named types.
    package func isWrapped(like other: TypeReference) -> Bool { wrappers == other.wrappers }

    /// This type without an outermost non-null mark.
    package var nullable: TypeReference { isNonNull ? unwrapped : self }

    /// The type of the items of a list, nullable or not; nil if this is not a list.
    package var item: TypeReference? { isList ? nullable.unwrapped : nil }

    /// The number of lists around the named type.
    package var listDepth: Int {
        var rest = wrappers
        var depth = 0
        while rest != 0 {
            if rest & 3 == 1 { depth += 1 }
            rest >>= 2
        }
        return depth
    }

    /// `[Self]`, or nil beyond `maximumDepth`.
    package var listed: TypeReference? { wrapped(in: 1) }

    /// `Self!`, or nil beyond `maximumDepth`; a non-null type is returned unchanged.
    package var required: TypeReference? { isNonNull ? self : wrapped(in: 2) }

    private var unwrapped: TypeReference { TypeReference(named: named, wrappers: wrappers >> 2) }

    private func wrapped(in code: UInt64) -> TypeReference? {
        guard wrappers >> 62 == 0 else { return nil }
        return TypeReference(named: named, wrappers: wrappers << 2 | code)
    }

    /// The text of the type with the given name inside, such as `[Name!]!`.
    package func description(naming name: String) -> String {
        var prefix = ""
        var suffix = ""
        var rest = wrappers
        while rest != 0 {
            if rest & 3 == 1 {
                prefix += "["
                suffix = "]" + suffix
            } else {
                suffix = "!" + suffix
            }
            rest >>= 2
        }
        return prefix + name + suffix
    }
}
