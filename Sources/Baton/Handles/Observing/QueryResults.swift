/// The states of a handle, from the current one on, until the handle is deinitialized.
///
/// Every iterator returns the newest state when it asks for a state. So a slow reader skips states, but always gets the
/// last one. A state equal to the previous one is skipped, even if the handle's status has changed. The sequence does
/// not keep the handle alive.
public struct QueryResults<Data: Sendable & Equatable>: AsyncSequence, Sendable {
    public typealias Failure = Never

    let core: any HandleCore<Data>

    /// Makes an iterator that begins with the current state. Iterators do not affect each other.
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
        ///
        /// The caller's actor is left only to wait for a state.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> QueryResult<Data>? {
            while await subscription.signal.wait(isolation: actor) {
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
            number = core.observers.add(signal, as: .caller)
            // Nothing follows: the handle has ended before somebody could wait for what it had asked for.
            if core.observers.isCut, !Task.isCancelled {
                core.environment.log.report(.handleLetGo, at: core.component)
            }
        }

        deinit { core.observers.remove(number) }
    }
}
