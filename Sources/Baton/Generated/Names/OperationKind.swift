/// The three kinds of operation (specification, section 2.3).
public enum OperationKind: String, Sendable, Hashable {
    /// Reads.
    case query
    /// Writes, then reads.
    case mutation
    /// Reads at each event of a stream.
    case subscription
}
