public import Foundation

/// Makes WebSocket connections with the system's libcurl, also over TLS and through proxies.
///
/// The library, which is opened at run time, makes the connection; handshake and frames are this module's own, so that
/// it need not know WebSockets. No extension is offered, and no redirect followed. Each connection has a thread as long
/// as it is open. When nobody receives, the connection is not read any more.
public final class CurlWebSocketTransport: WebSocketTransport {
    private let options: CurlOptions

    /// Makes a transport.
    ///
    /// - Throws: ``HTTPError/unavailable(reason:)`` if the library is missing or cannot be used.
    public init(_ options: CurlOptions = CurlOptions()) throws(HTTPError) {
        try CurlLibrary.load()
        self.options = options
    }

    public func connect(
        to url: URL, headers: HTTPHeaders, subprotocols: [String], maximumMessageSize: Int
    ) async throws -> any WebSocketConnection {
        try Task.checkCancellation()
        let target = try CurlSocketTarget(url)
        var random = SystemRandomNumberGenerator()
        let key = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        let handshake = try WebSocketHandshake(
            host: target.authority, resource: target.resource, headers: headers, subprotocols: subprotocols, key: key)
        let link = CurlSocketLink(maximumMessageSize: maximumMessageSize)
        CurlSocketWorker.start(target, handshake, options, link)
        return CurlWebSocketConnection(link, subprotocol: try await link.opening())
    }
}

/// One connection. Its end closes the connection.
private final class CurlWebSocketConnection: WebSocketConnection {
    let subprotocol: String?
    private let link: CurlSocketLink

    init(_ link: CurlSocketLink, subprotocol: String?) {
        self.link = link
        self.subprotocol = subprotocol
    }

    deinit { link.letGo() }

    func send(_ text: [UInt8]) async throws { try await link.send(text) }

    func receive() async throws -> WebSocketMessage { try await link.receive() }

    func close(code: Int, reason: String) async { await link.close(code, reason) }
}
