import Baton

/// The state of the one connection of a `WebSocketNetwork`.
public enum WebSocketState: Sendable, Hashable {
    /// There is none, because no operation needs one.
    case disconnected
    /// It is being made.
    case connecting
    /// The server has acknowledged it.
    case connected
    /// It was lost or could not be made, and is made again; this is the attempt of that number.
    case reconnecting(attempt: Int)
    /// The application has paused it.
    case paused
}

extension WebSocketState {
    /// The same for the handle of a subscription, which needs a connection as long as it lives.
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
