/// The state of the connection that carries a subscription, as its transport reports it.
public enum TransportState: Sendable, Hashable {
    /// The connection is being made.
    case connecting
    /// Events can arrive.
    case connected
    /// The connection was lost, and the transport makes it again; this is its attempt of that number.
    case reconnecting(attempt: Int)
    /// The application has paused the connection.
    case paused
}
