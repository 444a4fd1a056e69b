import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Testing

/// A WebSocket server on loopback whose connections are handled by the test itself, frame by frame.
struct SocketServer {
    let url: URL

    /// Accepts handshakes while `test` runs, with the first offered subprotocol or with the given fields.
    static func run(
        answering fields: NIOHTTP1.HTTPHeaders? = nil, receiveBuffer: Int? = nil,
        _ serve: @escaping @Sendable (SocketPeer) async throws -> Void,
        _ test: (SocketServer) async throws -> Void
    ) async throws {
        let (server, port) = try await Loopback.listen(receiveBuffer: receiveBuffer) { channel in
            let upgrade = try upgrade(channel, fields)
            Task {
                try? await upgrade.get()?.executeThenClose { try await serve(SocketPeer($0, $1)) }
            }
        }
        let url = try #require(URL(string: "ws://127.0.0.1:\(port)/graphql?a=b"))
        do {
            try await test(SocketServer(url: url))
        } catch {
            try await server.close()
            throw error
        }
        try await server.close()
    }

    private typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    private static func upgrade(
        _ channel: any Channel, _ fields: NIOHTTP1.HTTPHeaders?
    ) throws -> EventLoopFuture<Frames?> {
        let upgrader = NIOTypedWebSocketServerUpgrader<Frames?>(
            maxFrameSize: 1 << 24,
            enableAutomaticErrorHandling: false,
            shouldUpgrade: { channel, head in
                let offered = head.headers[canonicalForm: "sec-websocket-protocol"].first.map(String.init)
                let answer = NIOHTTP1.HTTPHeaders(offered.map { [("Sec-WebSocket-Protocol", $0)] } ?? [])
                return channel.eventLoop.makeSucceededFuture(fields ?? answer)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture { try Frames(wrappingChannelSynchronously: channel) }
            }
        )
        let configuration = NIOUpgradableHTTPServerPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration<Frames?>(upgraders: [upgrader]) { channel in
                channel.eventLoop.makeSucceededFuture(nil)
            }
        )
        return try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(configuration: configuration)
    }
}

/// The server's side of one connection.
final class SocketPeer {
    private var inbound: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>

    init(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    func send(_ opcode: WebSocketOpcode, _ bytes: [UInt8], fin: Bool = true) async throws {
        try await outbound.write(WebSocketFrame(fin: fin, opcode: opcode, data: ByteBuffer(bytes: bytes)))
    }

    func send(_ text: String) async throws {
        try await send(.text, Array(text.utf8))
    }

    func send(_ frame: WebSocketFrame) async throws {
        try await outbound.write(frame)
    }

    /// The next frame without its mask; nil if the connection ended.
    func next() async throws -> (opcode: WebSocketOpcode, isMasked: Bool, text: String)? {
        guard let frame = try await inbound.next() else { return nil }
        return (frame.opcode, frame.maskKey != nil, String(buffer: frame.unmaskedData))
    }

    /// Reads until the connection ends.
    func readToEnd() async {
        while let frame = try? await next(), frame.opcode != .connectionClose {}
        while (try? await next()) ?? nil != nil {}
    }
}
