import Baton

/// A future result that several tasks wait for. Each of these tasks may be cancelled alone.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed outside of it.
final class Flight<Value: Sendable>: Sendable {
    private struct State {
        var lastID = 0
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
        var result: Result<Value, any Error>?
    }

    private let state = Guarded(State())

    /// Waits for the result. Throws its error, or `CancellationError` as soon as the calling task is cancelled.
    func value() async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early: Result<Value, any Error>? = state.withLock { state in
                    // The cancellation handler may have run already.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if let result = state.result { return result }
                    state.waiters[id] = continuation
                    return nil
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    /// Gives the result to all tasks that wait now or later. Only the first result counts.
    func end(_ result: Result<Value, any Error>) {
        let waiters = state.withLock { state in
            guard state.result == nil else { return [CheckedContinuation<Value, any Error>]() }
            state.result = result
            let waiters = Array(state.waiters.values)
            state.waiters = [:]
            return waiters
        }
        for waiter in waiters { waiter.resume(with: result) }
    }

    /// The number of tasks that wait.
    var waiters: Int { state.withLock { $0.waiters.count } }
}
