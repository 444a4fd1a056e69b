import Synchronization

/// A request that was sent, and who waits for its end. The end is told once.
///
/// State: guarded by a lock of its own, a leaf.
final class Sending: Sendable {
    private struct State {
        var hasAnswer = false
        var isCancelled = false
        var waiting: CheckedContinuation<Void, any Error>?
        var result: Result<Void, any Error>?

        /// The first end is the end. Returns who waits for it.
        mutating func end(_ result: Result<Void, any Error>) -> CheckedContinuation<Void, any Error>? {
            if self.result == nil { self.result = result }
            defer { waiting = nil }
            return waiting
        }
    }

    private let state = Mutex(State())

    /// Takes who waits for the end.
    func wait(_ waiting: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.waiting = waiting }
            return state.result
        }
        if let result { waiting.resume(with: result) }
    }

    /// Notes that the server answers. Returns false if nobody waits any more.
    func answer() -> Bool {
        state.withLock { state in
            if !state.isCancelled { state.hasAnswer = true }
            return !state.isCancelled
        }
    }

    /// Ends the waiting before the first answer. Returns false if there is one, which is being delivered perhaps.
    func cancel() -> Bool {
        let (isEnd, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Void, any Error>?) in
            guard !state.hasAnswer else { return (false, nil) }
            state.isCancelled = true
            return (true, state.end(.failure(CancellationError())))
        }
        waiting?.resume(throwing: CancellationError())
        return isEnd
    }

    func end(_ result: Result<Void, any Error>) {
        let waiting = state.withLock { state in state.end(result) }
        waiting?.resume(with: result)
    }
}
