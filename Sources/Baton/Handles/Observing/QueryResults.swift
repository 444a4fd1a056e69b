/// The states of a handle, from the current one on, until the handle is deinitialized.
///
/// Every iterator returns the newest state when it asks for one, so a slow reader skips states and always ends with the
/// last. A state equal to the one before is skipped, even if the handle's status has changed. The sequence does not
/// keep the handle alive.
public struct QueryResults<Data: Sendable & Equatable>: AsyncSequence, Sendable {
    let core: any HandleCore<Data>

    /// Makes an iterator that begins with the current state. Each iterator waits by itself.
    public func makeAsyncIterator() -> Iterator {
        Iterator(core)
    }

    /// An iterator that waits for the next state.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscription: Subscription
        private var lastRevision = 0
        private var last: QueryResult<Data>?

        fileprivate init(_ core: any HandleCore<Data>) {
            subscription = Subscription(core)
        }

        /// Returns the newest state once it differs from the last one. Returns nil if the handle was deinitialized or
        /// the task was cancelled.
        public mutating func next() async -> QueryResult<Data>? {
            while await subscription.signal.wait() {
                let reading = subscription.core.reading()
                guard reading.revision != lastRevision else { continue }
                lastRevision = reading.revision
                // The result may be equal because only the status has changed, or because it changed and changed back.
                let result = subscription.core.result(of: reading)
                guard result != last else { continue }
                last = result
                return result
            }
            return nil
        }
    }

    /// Removes the listener when the iterator is deinitialized.
    private final class Subscription: Sendable {
        let core: any HandleCore<Data>
        let signal: Signal
        private let number: Int

        init(_ core: any HandleCore<Data>) {
            self.core = core
            signal = Signal(core.environment.deliveries)
            number = core.observers.add(signal)
        }

        deinit { core.observers.remove(number) }
    }
}

/// Remembers news until somebody has waited for it.
///
/// State: guarded by a lock of its own, a leaf.
final class Signal: HandleObserver {
    private enum State {
        case quiet
        case raised
        case awaited(CheckedContinuation<Bool, Never>)
        /// The signal has ended. If raised, there is news that nobody has waited for.
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
    /// cancelled.
    func wait() async -> Bool {
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

    /// Changes the state; returns the continuation that waited before, if nothing waits in the new state.
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
