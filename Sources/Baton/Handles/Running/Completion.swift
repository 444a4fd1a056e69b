/// The end of something that a handle loads, with those who wait for it.
///
/// State: guarded by a lock of its own, a leaf.
final class Completion: Sendable {
    private enum State {
        case going([Int: CheckedContinuation<RelayError?, Never>])
        case over(RelayError?)
    }

    private let state = Guarded((State.going([:]), last: 0))

    var isOver: Bool {
        state.withLock { if case .over = $0.0 { true } else { false } }
    }

    /// Ends the wait of everyone.
    func finish(_ error: RelayError?) {
        let waiting = state.withLock { state -> [CheckedContinuation<RelayError?, Never>] in
            guard case .going(let waiting) = state.0 else { return [] }
            state.0 = .over(error)
            return waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        for continuation in waiting { continuation.resume(returning: error) }
    }

    /// Returns the error when the load is over. If the task is cancelled, the wait ends and the load goes on.
    func wait() async -> RelayError? {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = state.withLock { state -> RelayError?? in
                    guard case .going(var waiting) = state.0 else {
                        if case .over(let error) = state.0 { return .some(error) }
                        return .some(nil)
                    }
                    if Task.isCancelled { return .some(.cancelled) }
                    waiting[number] = continuation
                    state.0 = .going(waiting)
                    return nil
                }
                if case .some(let error) = now { continuation.resume(returning: error) }
            }
        } onCancel: {
            state.withLock { state -> CheckedContinuation<RelayError?, Never>? in
                guard case .going(var waiting) = state.0 else { return nil }
                let found = waiting.removeValue(forKey: number)
                state.0 = .going(waiting)
                return found
            }?.resume(returning: .cancelled)
        }
    }
}
