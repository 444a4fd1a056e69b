import NIOCore

/// Sends commands without waiting for the answers to earlier ones, and gives each the answers that follow in order.
///
/// If a command has no answer in time, the connection is closed, because the order of answers is all that tells whose
/// they are.
final class RedisConnection: ChannelInboundHandler {
    typealias InboundIn = RedisValue
    typealias OutboundOut = ByteBuffer

    /// Commands that were sent together.
    private struct Pending {
        let count: Int
        let promise: EventLoopPromise<[RedisValue]>
        let deadline: NIODeadline
        var answers: [RedisValue] = []
    }

    private let timeout: TimeAmount
    private let maximumPending: Int
    private var pending = CircularBuffer<Pending>()
    private var watch: Scheduled<Void>?

    init(timeout: TimeAmount, maximumPending: Int) {
        self.timeout = timeout
        self.maximumPending = maximumPending
    }

    /// A time limit that a deadline can be moved by.
    private static func bounded(_ timeout: TimeAmount) -> TimeAmount { min(max(timeout, .zero), .hours(24)) }

    /// Sends commands; called on the event loop of the channel.
    func send(_ commands: [RedisCommand], _ promise: EventLoopPromise<[RedisValue]>, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return promise.fail(RedisError.closed) }
        guard pending.count < maximumPending else { return promise.fail(RedisError.tooManyCommands) }
        pending.append(Pending(count: commands.count, promise: promise, deadline: .now() + Self.bounded(timeout)))
        var buffer = context.channel.allocator.buffer(capacity: 256)
        for command in commands { command.write(to: &buffer) }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        if watch == nil { begin(context) }
    }

    /// Looks whether the first command waits for too long.
    private func begin(_ context: ChannelHandlerContext) {
        guard let first = pending.first else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        watch = context.eventLoop.scheduleTask(deadline: first.deadline) {
            let (handler, context) = bound.value
            handler.watch = nil
            guard let first = handler.pending.first else { return }
            if first.deadline <= .now() { return handler.fail(RedisError.timedOut, context) }
            handler.begin(context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Nothing comes unasked: this client subscribes to nothing.
        guard !pending.isEmpty else { return fail(RedisError.malformed, context) }
        pending[pending.startIndex].answers.append(unwrapInboundIn(data))
        guard pending[pending.startIndex].answers.count == pending[pending.startIndex].count else { return }
        let first = pending.removeFirst()
        first.promise.succeed(first.answers)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(RedisError.closed)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(RedisError.closed) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error is RedisDecoder.Malformed ? RedisError.malformed : error, context)
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        end(error)
        context.close(promise: nil)
    }

    private func end(_ error: any Error) {
        watch?.cancel()
        watch = nil
        let failed = pending
        pending = []
        for each in failed { each.promise.fail(error) }
    }
}

/// A failure of the connection to Redis, or an error that Redis has answered.
public enum RedisError: Error, Sendable, Hashable {
    /// The connection is closed.
    case closed
    /// Redis gave no answer in time.
    case timedOut
    /// The other side does not speak the protocol of Redis.
    case malformed
    /// Too many commands wait for their answers.
    case tooManyCommands
    /// The last connection failed, and the next one is not due yet.
    case waiting
    /// Redis has answered with an error.
    case answer(String)
}
