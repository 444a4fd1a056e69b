import BatonHTTP
import NIOTransport

/// The transports that sockets are tried over.
enum SocketKind: String, CaseIterable {
    case curl, nio

    static let allCases: [SocketKind] = [.curl, .nio].filter { [nil, $0.rawValue].contains(TransportKind.chosen) }

    func make() throws -> any WebSocketTransport {
        switch self {
        case .curl: try CurlWebSocketTransport()
        case .nio: NIOWebSocketTransport()
        }
    }
}
