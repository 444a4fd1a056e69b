import Baton
public import BatonHTTP
public import Foundation
public import NIOCore
import NIOHTTP1
import NIOPosix
public import NIOSSL
import NIOWebSocket

/// Makes WebSocket connections with SwiftNIO, over TCP or TLS.
///
///     WebSocketNetwork(url: endpoint, transport: NIOWebSocketTransport())
///
/// No extension is offered. Messages in several frames are joined, and pings are answered. Without a receiving task,
/// about ``receiveBuffer`` bytes are kept; after that, the connection is not read. A transport holds no resources: each
/// connection has its own, and all run on one group of event loops that the process shares.
public struct NIOWebSocketTransport: WebSocketTransport {
    /// The number of bytes of messages that may wait for a receiver. At this number, reading from the connection stops.
    public static let receiveBuffer = 64 << 10

    private let tls: TLSConfiguration
    private let handshakeTimeout: TimeAmount
    private let group: any EventLoopGroup

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - tls: The settings of TLS for `wss`, such as trusted certificates; nil for those of the system.
    ///   - handshakeTimeout: The longest time until a connection is open.
    ///   - group: The event loops.
    public init(
        tls: TLSConfiguration? = nil,
        handshakeTimeout: Duration = .seconds(30),
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        var tls = tls ?? .makeClientConfiguration()
        tls.applicationProtocols = ["http/1.1"]
        self.tls = tls
        self.handshakeTimeout = TimeAmount(bounding: handshakeTimeout)
        self.group = group
    }

    public func connect(
        to url: URL,
        headers: BatonHTTP.HTTPHeaders,
        subprotocols: [String],
        maximumMessageSize: Int
    ) async throws -> any WebSocketConnection {
        guard let target = WebSocketTarget(url) else {
            throw HTTPError.badURL(reason: "it has no host, or no scheme of WebSocket or HTTP")
        }
        let attempt = WebSocketAttempt(
            target: target,
            head: WebSocketHandshake.request(to: target, headers: headers, subprotocols: subprotocols),
            subprotocols: subprotocols,
            maximumMessageSize: maximumMessageSize,
            loop: group.any()
        )
        return try await withTaskCancellationHandler {
            do {
                let context = target.isSecure ? try NIOSSLContext(configuration: tls) : nil
                return try await attempt.run(tls: context, timeout: handshakeTimeout)
            } catch {
                try Task.checkCancellation()
                throw error is RelayError ? error : HTTPError.make(of: error)
            }
        } onCancel: {
            attempt.end(.failure(CancellationError()))
        }
    }
}
