import NIOCore
import NIOHTTP1

/// Closes a connection over HTTP/1.1 on which something comes in that belongs to no request.
///
/// The decoder alone sees that only once it is a whole head. Until then, the next request would go over the connection,
/// and get what is begun there as its response.
enum IdleGuard {
    /// The error of a request that was to go over such a connection. Nothing of it was sent.
    struct NothingWasSent: Error {}

    /// Adds the two handlers that watch, before and after the decoder.
    static func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            let parts = PartHandler()
            try pipeline.addHandler(ByteHandler(parts), position: .before(decoder))
            try pipeline.addHandler(parts, position: .after(decoder))
        }
    }

    /// Stands between the socket and the decoder.
    private final class ByteHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        private static let emptyLine = ByteBuffer(string: "\r\n\r\n")
        private let parts: PartHandler

        init(_ parts: PartHandler) { self.parts = parts }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !parts.isIdle else { return parts.spend() }
            context.fireChannelRead(data)
            // Between two responses, an empty line means nothing. It ends a head that has begun, and this is an error.
            if parts.isIdle { context.fireChannelRead(wrapInboundOut(Self.emptyLine)) }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            parts.readComplete()
            context.fireChannelReadComplete()
        }
    }

    /// Sees where requests begin and responses end. Between a response and the end of the read in which it came, the
    /// next request waits.
    private final class PartHandler: ChannelDuplexHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        /// True from a response to the next request. A server that speaks before the first request has an error of its
        /// own.
        private(set) var isIdle = false
        /// True from a response to the end of the read in which it came.
        private var isInRead = false
        private var isSpent = false
        /// True if the next request waits.
        private var isHeld = false
        private var waiting: [(part: NIOAny, promise: EventLoopPromise<Void>?)] = []
        private var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
            let parts = waiting
            waiting = []
            for part in parts { part.promise?.fail(ChannelError.ioOnClosedChannel) }
        }

        /// Notes that something came in that belongs to no request.
        func spend() {
            isSpent = true
            if !isInRead { context?.close(promise: nil) }
        }

        func readComplete() {
            guard isInRead, let context else { return }
            isInRead = false
            if isSpent {
                if isHeld { context.fireErrorCaught(NothingWasSent()) }
                context.close(promise: nil)
            } else if isHeld {
                let parts = waiting
                waiting = []
                for part in parts { write(context: context, data: part.part, promise: part.promise) }
                context.flush()
            }
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            // The rest of an upload that was answered early is part of no new request.
            if case .head = unwrapOutboundIn(data) { (isIdle, isHeld) = (isInRead, isInRead) }
            if isHeld { waiting.append((data, promise)) } else { context.write(data, promise: promise) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .end = unwrapInboundIn(data) { (isIdle, isInRead) = (true, true) }
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // The response is whole.
            if isInRead { spend() } else { context.fireErrorCaught(error) }
        }
    }
}
