import NIOCore

/// Closes a connection whose other end reads nothing of what was sent to it for a time.
///
/// What a response writes waits in the process until the system has taken it, and nobody else ends such a response. A
/// browser that reads slowly is not concerned: the time begins anew whenever the system takes something. That it does
/// so often, it keeps little for one connection.
final class UnreadResponses: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = Never

    /// The bytes that the system keeps for a connection, more or less. It takes more once a third of them is gone.
    private static let systemBuffer = SocketOptionValue(64 << 10)

    private let time: TimeAmount
    /// The writes that are not done, and the number of those that are.
    private var (pending, done) = (0, 0)
    private var watch: Scheduled<Void>?

    init(after time: TimeAmount) { self.time = time }

    func handlerAdded(context: ChannelHandlerContext) {
        context.channel.setOption(.socketOption(.so_sndbuf), value: Self.systemBuffer).whenFailure { _ in }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        pending += 1
        let promise = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        promise.futureResult.whenComplete { _ in
            let (handler, _) = bound.value
            (handler.pending, handler.done) = (handler.pending - 1, handler.done + 1)
        }
        context.write(data, promise: promise)
        if watch == nil { look(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { watch?.cancel() }

    /// Looks after the time whether anything was taken.
    private func look(_ context: ChannelHandlerContext) {
        let before = (done, buffered(context))
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        watch = context.eventLoop.scheduleTask(in: time) {
            let (handler, context) = bound.value
            handler.watch = nil
            guard handler.pending > 0, context.channel.isActive else { return }
            let isRead = handler.done != before.0 || handler.buffered(context) < before.1
            if isRead { handler.look(context) } else { context.close(promise: nil) }
        }
    }

    /// The bytes that wait for the browser.
    private func buffered(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
