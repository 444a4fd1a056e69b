import BatonHTTP
import NIOTransport

/// The transports that sockets are tried over.
enum SocketKind: CaseIterable {
    case curl, nio

    func make() throws -> any WebSocketTransport {
        switch self {
        case .curl: try CurlWebSocketTransport()
        case .nio: NIOWebSocketTransport()
        }
    }
}
