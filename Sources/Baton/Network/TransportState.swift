/// The state of the connection that carries a subscription, as its transport reports it.
public enum TransportState: Sendable, Hashable {
    /// The connection is being established.
    case connecting
    /// Events can arrive.
    case connected
    /// The connection was lost, and the transport establishes it again, in the attempt of this number.
    case reconnecting(attempt: Int)
    /// The application has paused the connection.
    case paused
}
