/// Cancels a task, even if the task is set after the call of `cancel`.
///
/// State: guarded by a lock of its own, a leaf.
final class TaskCanceller: Sendable {
    private enum State {
        case idle
        case running(Task<Void, Never>)
        case cancelled
    }

    private let state = Guarded(State.idle)

    /// Sets the task; cancels it if `cancel` was called before.
    func set(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state -> Bool in
            if case .cancelled = state { return true }
            state = .running(task)
            return false
        }
        if isCancelled { task.cancel() }
    }

    /// Cancels the task, now or as soon as it is set.
    func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state = .cancelled }
            if case .running(let task) = state { return task }
            return nil
        }
        task?.cancel()
    }
}
