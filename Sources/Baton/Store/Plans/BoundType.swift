/// The type of a field with its names interned.
struct BoundType: Sendable {
    enum Leaf: Sendable {
        case int
        case float
        case text
        case boolean
        case id
        case unmapped
        /// The position of the conversion in the artifact.
        case mapped(Int)
        case object(Composite)
    }

    /// The type of a field's objects.
    final class Composite: Sendable {
        let type: TypeID
        let name: String
        let isAbstract: Bool
        /// True if the object type, or every object type of the abstract type, implements `Node`.
        let implementsNode: Bool
        /// The object types of an abstract type that implement `Node`; empty unless only some of them do.
        let nodes: [TypeID]

        init(type: TypeID, name: String, isAbstract: Bool, implementsNode: Bool, nodes: [TypeID]) {
            self.type = type
            self.name = name
            self.isAbstract = isAbstract
            self.implementsNode = implementsNode
            self.nodes = nodes
        }
    }

    let leaf: Leaf
    /// The number of lists around the leaf or object.
    let listDepth: Int
    /// Bit n is set if the n-th list is non-null. The bit at `listDepth` stands for the leaf or object.
    let nonNull: UInt64
    /// The type in GraphQL syntax, for messages.
    let text: String

    @inline(__always)
    func isNonNull(_ level: Int) -> Bool { nonNull & (1 << UInt64(level)) != 0 }
}
