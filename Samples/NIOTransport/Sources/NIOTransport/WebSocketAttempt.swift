import Baton
import BatonHTTP
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// One attempt to open a WebSocket connection. It ends once: open, refused, failed, too late or cancelled.
final class WebSocketAttempt: Sendable {
    private enum Answer: Sendable {
        case open(NIOWebSocketConnection)
        /// The server answered with another status than 101. The future has the beginning of the body.
        case refused(EventLoopFuture<RelayError>)
    }

    private let target: WebSocketTarget
    private let head: HTTPRequestHead
    private let subprotocols: [String]
    private let maximumMessageSize: Int
    private let outcome: EventLoopPromise<NIOWebSocketConnection>
    /// The channel, which is nil before it is made, and whether the attempt is over.
    private let state = NIOLockedValueBox<(channel: (any Channel)?, isOver: Bool)>((nil, false))

    init(
        target: WebSocketTarget, head: HTTPRequestHead, subprotocols: [String], maximumMessageSize: Int,
        loop: any EventLoop
    ) {
        self.target = target
        self.head = head
        self.subprotocols = subprotocols
        self.maximumMessageSize = maximumMessageSize
        outcome = loop.makePromise()
    }

    /// Connects and waits for the end of the attempt.
    func run(tls: NIOSSLContext?, timeout: TimeAmount) async throws -> NIOWebSocketConnection {
        let loop = outcome.futureResult.eventLoop
        let timer = loop.scheduleTask(in: timeout) { [weak self] in
            self?.end(.failure(ChannelError.connectTimeout(timeout)))
        }
        defer { timer.cancel() }
        ClientBootstrap(group: loop)
            .connectTimeout(timeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                guard self.keep(channel) else { return channel.eventLoop.makeFailedFuture(CancellationError()) }
                return channel.eventLoop.makeCompletedFuture { try self.prepare(channel, tls: tls) }
            }
            .connect(host: target.host, port: target.port)
            .whenFailure { self.end(.failure($0)) }
        return try await outcome.futureResult.get()
    }

    /// Ends the attempt. Only the first call counts; a connection that comes too late is closed.
    func end(_ result: Result<NIOWebSocketConnection, any Error>) {
        let (isFirst, channel) = state.withLockedValue { state in
            defer { state.isOver = true }
            return (!state.isOver, state.channel)
        }
        guard isFirst else { return }
        if case .failure = result { channel?.close(promise: nil) }
        outcome.completeWith(result)
    }

    /// Keeps the channel, so that a failure can close it; returns false if the attempt is over.
    private func keep(_ channel: any Channel) -> Bool {
        state.withLockedValue { state in
            state.channel = channel
            return !state.isOver
        }
    }

    private func prepare(_ channel: any Channel, tls: NIOSSLContext?) throws {
        let pipeline = channel.pipeline.syncOperations
        if let tls {
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: target.serverName))
        }
        let upgrader = NIOTypedWebSocketClientUpgrader<Answer>(
            // The frame decoder's limit. The decoder reports a larger frame, so that none is collected.
            maxFrameSize: min(max(maximumMessageSize, 125), Int(UInt32.max)),
            enableAutomaticErrorHandling: false
        ) { [maximumMessageSize, subprotocols] channel, head in
            channel.eventLoop.makeCompletedFuture {
                let subprotocol = try WebSocketHandshake.subprotocol(in: head, offered: subprotocols)
                let inbox = WebSocketInbox(loop: channel.eventLoop)
                let handler = WebSocketHandler(inbox: inbox, maximumMessageSize: maximumMessageSize)
                try channel.pipeline.syncOperations.addHandler(handler)
                return .open(NIOWebSocketConnection(channel: channel, inbox: inbox, subprotocol: subprotocol))
            }
        }
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration<Answer>(
                upgradeRequestHead: head,
                upgraders: [upgrader]
            ) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let reader = RefusalReader(channel.eventLoop.makePromise())
                    try channel.pipeline.syncOperations.addHandler(reader)
                    return .refused(reader.promise.futureResult)
                }
            }
        )
        // The server's first messages may come with the response to the handshake.
        configuration.leftOverBytesStrategy = .forwardBytes
        try pipeline.configureUpgradableHTTPClientPipeline(configuration: configuration).whenComplete { result in
            switch result {
            // A server may close together with its response. Then its frames and the end came before the handler was
            // there.
            case .success(.open(let connection)):
                self.end(channel.isActive ? .success(connection) : .failure(ChannelError.eof))
            case .success(.refused(let error)): error.whenComplete { self.end($0.flatMap { .failure($0) }) }
            case .failure(let error): self.end(.failure(error))
            }
        }
    }
}

/// Reads the response of a server that refuses the handshake.
private final class RefusalReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// The number of bytes of the body that the error quotes.
    private static let quotedBytes = 500

    let promise: EventLoopPromise<RelayError>
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    init(_ promise: EventLoopPromise<RelayError>) {
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let buffer):
            body += buffer.readableBytesView.prefix(Self.quotedBytes - body.count)
            if body.count == Self.quotedBytes { finish() }
        case .end: finish()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(error)
    }

    private func finish(_ error: (any Error)? = nil) {
        if let head {
            let fields = head.headers["retry-after"].map { BatonHTTP.HTTPHeaders.Field("Retry-After", $0) }
            promise.succeed(
                .httpStatus(
                    Int(head.status.code), body: String(decoding: body, as: UTF8.self),
                    retryAfter: BatonHTTP.HTTPHeaders(fields).retryAfter))
        } else {
            promise.fail(error ?? ChannelError.eof)
        }
    }
}
