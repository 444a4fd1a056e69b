import BatonHTTP
import NIOConcurrencyHelpers
import NIOCore

/// The messages of one connection between its channel and the task that receives them.
///
/// The channel adds messages and asks whether there is room. One task takes the messages.
final class WebSocketInbox: Sendable {
    private struct State {
        var messages = CircularBuffer<[UInt8]>()
        var bytes = 0
        var end: Result<WebSocketMessage, any Error>?
        var waiter: CheckedContinuation<WebSocketMessage, any Error>?
        /// Called when there is room again.
        var resume: (@Sendable () -> Void)?
    }

    private let state = NIOLockedValueBox(State())
    private let loop: any EventLoop

    init(loop: any EventLoop) {
        self.loop = loop
    }

    /// Adds a message, or hands it to the task that waits.
    func put(_ message: [UInt8]) {
        let waiter = state.withLockedValue { state -> CheckedContinuation<WebSocketMessage, any Error>? in
            guard state.end == nil else { return nil }
            if let waiter = state.waiter.take() { return waiter }
            state.messages.append(message)
            state.bytes += message.count
            return nil
        }
        waiter?.resume(returning: .text(message))
    }

    /// Sets the end after the last message. Only the first call counts.
    func finish(_ end: Result<WebSocketMessage, any Error>) {
        let waiter = state.withLockedValue { state -> CheckedContinuation<WebSocketMessage, any Error>? in
            guard state.end == nil else { return nil }
            state.end = end
            return state.waiter.take()
        }
        waiter?.resume(with: end)
    }

    /// Returns true if there is room. Otherwise `resume` is called once on the event loop, as soon as there is room.
    func hasRoom(orCall resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLockedValue { state in
            if Self.hasRoom(state) { return true }
            state.resume = resume
            return false
        }
    }

    /// Waits for the next message, or for the end.
    func receive() async throws -> WebSocketMessage {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, displaced, resume) = state.withLockedValue { next(&$0, for: continuation) }
                displaced?.resume(throwing: CancellationError())
                if let result { continuation.resume(with: result) }
                if let resume { loop.execute(resume) }
            }
        } onCancel: {
            state.withLockedValue { $0.waiter.take() }?.resume(throwing: CancellationError())
        }
    }

    private typealias Next = (
        result: Result<WebSocketMessage, any Error>?, displaced: CheckedContinuation<WebSocketMessage, any Error>?,
        resume: (@Sendable () -> Void)?
    )

    private func next(_ state: inout State, for continuation: CheckedContinuation<WebSocketMessage, any Error>) -> Next
    {
        if let message = state.messages.popFirst() {
            state.bytes -= message.count
            return (.success(.text(message)), nil, Self.hasRoom(state) ? state.resume.take() : nil)
        }
        if let end = state.end { return (end, nil, nil) }
        // The cancellation handler may have run before this line, and found no waiter.
        if Task.isCancelled { return (.failure(CancellationError()), nil, nil) }
        let displaced = state.waiter.take()
        state.waiter = continuation
        return (nil, displaced, nil)
    }

    private static func hasRoom(_ state: State) -> Bool {
        state.messages.isEmpty || (state.bytes < NIOWebSocketTransport.receiveBuffer && state.messages.count < 256)
    }
}
