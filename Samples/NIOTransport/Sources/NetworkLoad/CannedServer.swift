import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A server that computes nothing, and is therefore fast: one response to every POST, and some events to every
/// subscription, over a WebSocket or as an event stream.
enum CannedServer {
    /// The response to every POST.
    static let answer = #"{"data":{"ship":{"id":"ship:1","name":"Aurora","__typename":"Ship"}}}"#
    /// The number of events at the beginning of a subscription, which never ends by itself.
    static let events = 10

    /// Serves until standard input ends; writes the port to standard output.
    static func run() async throws {
        // The parent process holds the other end of standard input, which closes when the parent ends.
        Thread.detachNewThread {
            while readLine() != nil {}
            exit(0)
        }
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 2048)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try prepare(channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        print(server.localAddress?.port ?? 0)
        fflush(nil)
        try await server.closeFuture.get()
    }

    private static func prepare(_ channel: any Channel) throws {
        let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
            shouldUpgrade: { channel, _ in
                channel.eventLoop.makeSucceededFuture(["Sec-WebSocket-Protocol": "graphql-transport-ws"])
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Socket()) }
            }
        )
        let configuration = NIOUpgradableHTTPServerPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration<Void>(upgraders: [upgrader]) { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Endpoint()) }
            }
        )
        _ = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(configuration: configuration)
    }
}

/// Answers requests.
private final class Endpoint: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let head = HTTPResponseHead(
        version: .http1_1, status: .ok,
        headers: ["Content-Type": "application/json", "Content-Length": "\(CannedServer.answer.utf8.count)"])
    private let body = ByteBuffer(string: CannedServer.answer)
    private let eventHead = HTTPResponseHead(
        version: .http1_1, status: .ok, headers: ["Content-Type": "text/event-stream"])
    private var asksForEvents = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): asksForEvents = head.headers["Accept"].contains { $0.contains("subscriptionSpec") }
        case .body: break
        case .end: asksForEvents ? sendEvents(context) : answer(context)
        }
    }

    private func sendEvents(_ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(eventHead)), promise: nil)
        for number in 1...CannedServer.events {
            let event = ByteBuffer(string: "event: next\ndata: {\"data\":{\"ticks\":\(number)}}\n\n")
            context.write(wrapOutboundOut(.body(.byteBuffer(event))), promise: nil)
        }
        context.flush()
    }

    private func answer(_ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

/// Speaks the parts of graphql-transport-ws that the load uses.
private final class Socket: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private struct Message: Decodable {
        let type: String
        let id: String?
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard frame.opcode == .text,
            let message = try? JSONDecoder().decode(Message.self, from: Data(frame.unmaskedData.readableBytesView))
        else {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        switch message.type {
        case "connection_init": send(#"{"type":"connection_ack"}"#, context)
        case "ping": send(#"{"type":"pong"}"#, context)
        case "subscribe":
            for number in 1...CannedServer.events {
                send(#"{"id":"\#(message.id ?? "")","type":"next","payload":{"data":{"ticks":\#(number)}}}"#, context)
            }
        default: break
        }
        context.flush()
    }

    private func send(_ text: String, _ context: ChannelHandlerContext) {
        context.write(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))), promise: nil)
    }
}
