/// One or more selection sets that apply to the same object.
final class WriteNode: Sendable {
    /// The node's position among the nodes of its plan, an index for side tables.
    let ordinal: Int
    let sources: [UInt32]

    init(ordinal: Int, sources: [UInt32]) {
        self.ordinal = ordinal
        self.sources = sources
    }
}
