/// The timer of one request.
///
/// State: guarded by a lock of its own, a leaf.
final class RequestTimer: Sendable {
    private enum State {
        case idle
        case running(Task<Void, Never>)
        case stopped
    }

    private let state = Guarded(State.idle)

    /// Runs the body, which sleeps first and is cancelled by `stop`. Does nothing after `stop`.
    func start(_ body: @escaping @Sendable () async throws -> Void) {
        let task = Task<Void, Never> { _ = try? await body() }
        let isStopped = state.withLock { state -> Bool in
            if case .stopped = state { return true }
            state = .running(task)
            return false
        }
        if isStopped { task.cancel() }
    }

    /// Ends the timer.
    func stop() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state = .stopped }
            if case .running(let task) = state { return task }
            return nil
        }
        task?.cancel()
    }
}
