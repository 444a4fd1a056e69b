/// Cancels a commit from outside of the task that waits for it.
///
/// State: guarded by a lock of its own, a leaf.
final class CommitStop: Sendable {
    private enum State {
        case idle
        case waiting(@Sendable () -> Void)
        case stopped
    }

    private let state = Guarded(State.idle)

    /// Sets the action that ends the current wait. The action is called at once if the commit was stopped before.
    func set(_ action: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state -> Bool in
            if case .stopped = state { return true }
            state = .waiting(action)
            return false
        }
        if isStopped { action() }
    }

    /// True once the commit was stopped.
    var isStopped: Bool { state.withLock { if case .stopped = $0 { true } else { false } } }

    /// Ends the current wait and each later one.
    func stop() {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            defer { state = .stopped }
            if case .waiting(let action) = state { return action }
            return nil
        }
        action?()
    }
}
