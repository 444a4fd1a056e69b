/// Remembers a notification until it has been waited for.
///
/// State: guarded by a lock of its own, a leaf.
final class Signal: HandleObserver {
    private enum State {
        case quiet
        case raised
        case awaited(CheckedContinuation<Bool, Never>)
        /// The signal has ended. If `isRaised` is true, the last notification has not been waited for.
        case ended(isRaised: Bool)
    }

    private let state = Guarded(State.raised)
    private let deliveries: Deliveries

    /// Makes a signal that waits for the end of batches.
    init(_ deliveries: Deliveries) {
        self.deliveries = deliveries
    }

    func notify() -> Bool {
        deliveries.afterBatch(for: self) { self.raise() }
        return true
    }

    private func raise() {
        move { state in
            switch state {
            case .quiet, .raised: state = .raised
            case .awaited: state = .quiet
            case .ended: break
            }
        }?.resume(returning: true)
    }

    func end() {
        move { state in
            if case .ended = state { return }
            if case .raised = state { state = .ended(isRaised: true) } else { state = .ended(isRaised: false) }
        }?.resume(returning: false)
    }

    /// Waits until the signal is raised, lowers it and returns true. Returns false after the end or if the task is
    /// cancelled. The caller's actor is left only to wait.
    func wait(isolation actor: isolated (any Actor)? = #isolation) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (answer, other) = state.withLock { state -> (Bool?, CheckedContinuation<Bool, Never>?) in
                    if Task.isCancelled { return (false, nil) }
                    switch state {
                    case .raised:
                        state = .quiet
                        return (true, nil)
                    case .ended(let isRaised):
                        state = .ended(isRaised: false)
                        return (isRaised, nil)
                    case .quiet:
                        state = .awaited(continuation)
                        return (nil, nil)
                    case .awaited(let other):
                        state = .awaited(continuation)
                        return (nil, other)
                    }
                }
                if let answer { continuation.resume(returning: answer) }
                other?.resume(returning: false)
            }
        } onCancel: {
            move { if case .awaited = $0 { $0 = .raised } }?.resume(returning: false)
        }
    }

    /// Changes the state. Returns the continuation that waited before, if none waits in the new state.
    private func move(_ change: (inout State) -> Void) -> CheckedContinuation<Bool, Never>? {
        state.withLock { state in
            let before = state
            change(&state)
            guard case .awaited(let continuation) = before else { return nil }
            if case .awaited = state { return nil }
            return continuation
        }
    }
}
