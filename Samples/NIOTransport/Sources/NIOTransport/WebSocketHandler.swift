import BatonHTTP
import NIOCore
import NIOWebSocket

/// Speaks the protocol of frames (RFC 6455, 5) on the event loop: joins fragments, answers pings, closes.
final class WebSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// An event that closes the connection.
    struct Closing: Sendable {
        let code: Int
        let reason: String
    }

    /// The longest time until the other side answers a close frame.
    private static let closeTimeout = TimeAmount.seconds(2)
    /// The largest number of bytes of a reason in a control frame.
    private static let reasonBytes = 123

    private let inbox: WebSocketInbox
    private let maximumMessageSize: Int
    /// The fragments of a message that is not complete.
    private var fragments: ByteBuffer?
    private var hasSentClose = false
    /// The newest ping that could not be answered so far. Older pings need no response (RFC 6455, 5.5.3).
    private var openPing: ByteBuffer?

    init(inbox: WebSocketInbox, maximumMessageSize: Int) {
        self.inbox = inbox
        self.maximumMessageSize = maximumMessageSize
    }

    // MARK: - From the server

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard !hasSentClose || frame.opcode == .connectionClose else { return }
        guard frame.reservedBits.isEmpty, frame.maskKey == nil else {
            return breach("a frame of the server breaks the protocol", context)
        }
        switch frame.opcode {
        case .text, .binary: receive(frame, isFirst: true, context)
        case .continuation: receive(frame, isFirst: false, context)
        case .ping: answer(frame.data, context)
        case .pong: break
        case .connectionClose: receiveClose(frame.data, context)
        default: breach("a frame of the server has an unknown kind", context)
        }
    }

    private func receive(_ frame: WebSocketFrame, isFirst: Bool, _ context: ChannelHandlerContext) {
        guard isFirst == (fragments == nil) else {
            return breach("the server mixes the fragments of messages", context)
        }
        guard (fragments?.readableBytes ?? 0) + frame.data.readableBytes <= maximumMessageSize else {
            return tooLarge(context)
        }
        guard !isFirst || !frame.fin else { return inbox.put(Array(frame.data.readableBytesView)) }
        var data = frame.data
        var message = fragments.take() ?? context.channel.allocator.buffer(capacity: data.readableBytes)
        message.writeBuffer(&data)
        if frame.fin { inbox.put(Array(message.readableBytesView)) } else { fragments = message }
    }

    private func answer(_ ping: ByteBuffer, _ context: ChannelHandlerContext) {
        guard context.channel.isWritable else {
            openPing = ping
            return
        }
        write(.pong, ping, context, nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, !hasSentClose, let ping = openPing.take() { answer(ping, context) }
        context.fireChannelWritabilityChanged()
    }

    private func receiveClose(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        var data = data
        let code = data.readInteger(as: UInt16.self).map(Int.init) ?? 1005
        inbox.finish(.success(.closed(code: code, reason: String(buffer: data))))
        let promise = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
        close(code, "", context, promise)
    }

    // MARK: - To the server

    /// Reads on only if there is room for the messages that were read.
    func read(context: ChannelHandlerContext) {
        let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
        if inbox.hasRoom(orCall: { loopBound.value.read() }) { context.read() }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let closing = event as? Closing else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        close(closing.code, closing.reason, context, promise)
    }

    /// Sends a close frame, once. The connection ends some time later, even if the server does not read it.
    private func close(
        _ code: Int, _ reason: String, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        guard !hasSentClose, context.channel.isActive else {
            promise?.succeed()
            return
        }
        hasSentClose = true
        fragments = nil
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
        var data = context.channel.allocator.buffer(capacity: 125)
        if Self.maySend(code) {
            data.writeInteger(UInt16(code))
            var reason = Substring(reason)
            while reason.utf8.count > Self.reasonBytes { reason = reason.dropLast() }
            data.writeSubstring(reason)
        }
        write(.connectionClose, data, context, promise)
    }

    /// True for codes that a close frame may carry (RFC 6455, 7.4). Other codes are left out.
    private static func maySend(_ code: Int) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    private func write(
        _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }

    // MARK: - Failures

    private func tooLarge(_ context: ChannelHandlerContext) {
        fail(.bodyTooLarge(limit: maximumMessageSize), code: 1009, context)
    }

    private func breach(_ what: String, _ context: ChannelHandlerContext) {
        fail(.failed(reason: what), code: 1002, context)
    }

    private func fail(_ error: HTTPError, code: Int, _ context: ChannelHandlerContext) {
        inbox.finish(.failure(error))
        let promise = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
        close(code, "", context, promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        inbox.finish(.failure(HTTPError.make(of: ChannelError.eof)))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: tooLarge(context)
        case is NIOWebSocketError: breach("a frame of the server breaks the protocol", context)
        default:
            inbox.finish(.failure(HTTPError.make(of: error)))
            context.close(promise: nil)
        }
    }
}
