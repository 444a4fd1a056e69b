import Baton

/// What the tasks that use a WebSocket connection and its thread say to each other: a shell around ``CurlSocketState``.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed outside of it. The thread is woken inside of
/// it, so that it cannot end meanwhile.
final class CurlSocketLink: Sendable {
    private struct Shared {
        var state = CurlSocketState()
        var opener: CheckedContinuation<String?, any Error>?
        var senders: [Int: CheckedContinuation<Void, any Error>] = [:]
        var receivers: [Int: CheckedContinuation<WebSocketMessage, any Error>] = [:]
        /// Nil before the thread waits for the first time, and after its end.
        var waker: CurlLibrary.Waker?
    }

    let maximumMessageSize: Int
    private let shared = Guarded(Shared())

    init(maximumMessageSize: Int) { self.maximumMessageSize = maximumMessageSize }

    /// Makes a step, and resumes those whose waits it ends.
    private func step(_ step: (inout Shared) -> CurlSocketState.Outcome) {
        let (outcome, opener, receiver, displaced, senders) = shared.withLock { shared in
            let outcome = step(&shared)
            if outcome.wakes { shared.waker?.wake() }
            return (
                outcome, outcome.opener == nil ? nil : shared.opener.take(),
                outcome.receiver.flatMap { shared.receivers.removeValue(forKey: $0.waiter) },
                outcome.displaced.flatMap { shared.receivers.removeValue(forKey: $0) },
                outcome.senders.map { shared.senders.removeValue(forKey: $0.waiter) }
            )
        }
        if let result = outcome.opener?.result { opener?.resume(with: result) }
        if let result = outcome.receiver?.result { receiver?.resume(with: result) }
        displaced?.resume(throwing: CancellationError())
        for (sender, wait) in zip(senders, outcome.senders) { sender?.resume(with: wait.result) }
    }

    private func newWaiter() -> Int { shared.withLock { $0.state.newWaiter() } }

    // MARK: - The tasks

    /// Waits until the connection is open. Only one task may call this, once. Cancelling the task gives it up.
    func opening() async throws -> String? {
        let waiter = newWaiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = Task.isCancelled
                step { shared in
                    shared.opener = continuation
                    return shared.state.open(waiter, isCancelled: isCancelled)
                }
            }
        } onCancel: {
            step { $0.state.cancelOpening(waiter) }
        }
    }

    /// Waits until the system has taken a message. Cancelling the task closes the connection, and ends the wait.
    func send(_ text: [UInt8]) async throws {
        let waiter = newWaiter()
        do {
            try await withTaskCancellationHandler {
                try await post(.text(text), waiter)
            } onCancel: {
                step { $0.state.cancelSending(waiter) }
            }
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    /// Waits until the system has taken a close frame, or the connection is gone.
    func close(_ code: Int, _ reason: String) async {
        try? await post(.close(code: code, reason: reason), newWaiter(), mayBeCancelled: false)
    }

    private func post(
        _ content: CurlSocketState.Letter.Content, _ waiter: Int, mayBeCancelled: Bool = true
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let isCancelled = mayBeCancelled && Task.isCancelled
            step { shared in
                shared.senders[waiter] = continuation
                return shared.state.post(content, waiter, isCancelled: isCancelled)
            }
        }
    }

    /// Waits for the next message, or for the end.
    func receive() async throws -> WebSocketMessage {
        let waiter = newWaiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = Task.isCancelled
                step { shared in
                    shared.receivers[waiter] = continuation
                    return shared.state.receive(waiter, isCancelled: isCancelled)
                }
            }
        } onCancel: {
            step { $0.state.cancelReceiving(waiter) }
        }
    }

    /// Has the connection closed at once, unless it is being closed, which has an end of its own.
    func letGo() { step { $0.state.letGo() } }

    // MARK: - The thread

    func waits(with waker: CurlLibrary.Waker) { shared.withLock { $0.waker = waker } }

    var isDropped: Bool { shared.withLock { $0.state.isDropped } }

    func work() -> CurlSocketState.Work { shared.withLock { $0.state.work() } }

    func opened(_ subprotocol: String?) { step { $0.state.opened(subprotocol) } }

    /// Notes that the system has a letter, or why it will never have it.
    func settle(_ waiter: Int, _ result: Result<Void, any Error> = .success(())) {
        step { $0.state.settle(waiter, result) }
    }

    /// Adds a message, or hands it to the task that waits. Returns true if another one finds room.
    func put(_ message: [UInt8]) -> Bool {
        var hasRoom = true
        step { shared in
            defer { hasRoom = shared.state.hasRoom }
            return shared.state.put(message)
        }
        return hasRoom
    }

    /// Says what follows the last message. Only the first end counts.
    func end(_ end: Result<WebSocketMessage, any Error>) { step { $0.state.end(end) } }

    /// Notes that the thread ends. Every wait is over then.
    func stop() {
        step { shared in
            shared.waker = nil
            return shared.state.stop()
        }
    }
}
