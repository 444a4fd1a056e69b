/// The three kinds of operation (specification, section 2.3).
public enum OperationKind: String, Sendable, Hashable {
    /// Reads data.
    case query
    /// Changes data, then reads data.
    case mutation
    /// Reads data at each event of a stream.
    case subscription
}
