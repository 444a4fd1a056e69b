import Baton

/// The state of the one connection of a `WebSocketNetwork`.
public enum WebSocketState: Sendable, Hashable {
    /// There is no connection, because no operation needs one.
    case disconnected
    /// The connection is being made.
    case connecting
    /// The server has acknowledged the connection.
    case connected
    /// The connection was lost or could not be made, and is made again. The number is that of the attempt, which may
    /// still be waiting to begin.
    case reconnecting(attempt: Int)
    /// The application has paused the connection.
    case paused
}

extension WebSocketState {
    /// The corresponding state of a subscription's handle, which needs a connection during its whole life.
    var report: TransportState? {
        switch self {
        case .disconnected: nil
        case .connecting: .connecting
        case .connected: .connected
        case .reconnecting(let attempt): .reconnecting(attempt: attempt)
        case .paused: .paused
        }
    }
}
