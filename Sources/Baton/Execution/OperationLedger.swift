/// Somebody who wants to know when a request of an operation begins or ends.
protocol RequestWatcher: AnyObject, Sendable {
    /// Called outside every lock, on any thread; must be quick.
    func requestDidMove()
}

/// The operations that somebody holds, how often, and how their last request went.
///
/// An operation that nobody holds any more stays retained in the store until a number of others were let go after it: the release buffer.
/// State: guarded by its own lock, outside those of the store.
final class OperationLedger: Sendable {
    private struct Entry {
        let operation: BoundOperation
        var count = 0
        var errors: [GraphQLError] = []
        var failure: Failure?
        var watchers: [ObjectIdentifier: any RequestWatcher] = [:]
    }

    /// Why a request brought nothing; the number tells one failure from another.
    struct Failure: Sendable {
        let number: Int
        let error: RelayError
    }

    private struct State {
        var lastFailure = 0
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Entries whose count is zero, the longest unused first.
        var buffer: [ObjectIdentifier] = []
    }

    private let store: Store
    private let bufferSize: Int
    private let state = Guarded(State())

    init(store: Store, bufferSize: Int) {
        self.store = store
        self.bufferSize = max(0, bufferSize)
    }

    /// Keeps what the operation selects, until `release`.
    func retain(_ operation: BoundOperation) {
        let key = ObjectIdentifier(operation)
        let isNew = state.withLock { state in
            if state.entries[key, default: Entry(operation: operation)].count == 0,
                let position = state.buffer.firstIndex(of: key)
            {
                state.buffer.remove(at: position)
                state.entries[key]?.count = 1
                return false
            }
            state.entries[key, default: Entry(operation: operation)].count += 1
            return state.entries[key]?.count == 1
        }
        if isNew { store.retain(operation) }
    }

    /// Takes back one `retain`; the last one moves the operation into the release buffer.
    func release(_ operation: BoundOperation) {
        let key = ObjectIdentifier(operation)
        let dropped = state.withLock { state -> BoundOperation? in
            guard let count = state.entries[key]?.count, count > 0 else { return nil }
            state.entries[key]?.count = count - 1
            guard count == 1 else { return nil }
            // Nobody can ask for the root fields of a mutation again.
            if operation.artifact.kind != .query { return state.entries.removeValue(forKey: key)?.operation }
            state.buffer.append(key)
            guard state.buffer.count > bufferSize else { return nil }
            return state.entries.removeValue(forKey: state.buffer.removeFirst())?.operation
        }
        if let dropped { store.release(dropped) }
    }

    /// Forgets how requests went, and empties the release buffer.
    func reset() {
        let dropped = state.withLock { state in
            for key in state.entries.keys {
                state.entries[key]?.errors = []
                state.entries[key]?.failure = nil
            }
            let dropped = state.buffer.compactMap { state.entries.removeValue(forKey: $0)?.operation }
            state.buffer = []
            return dropped
        }
        for operation in dropped { store.release(operation) }
    }

    /// True if it is retained, by a holder or in the buffer.
    func isHeld(_ operation: BoundOperation) -> Bool {
        state.withLock { $0.entries[ObjectIdentifier(operation)] != nil }
    }

    /// Notes the errors of an answer that has landed.
    func noteAnswer(_ errors: [GraphQLError], for operation: BoundOperation) {
        state.withLock { state in
            state.entries[ObjectIdentifier(operation)]?.errors = errors
            state.entries[ObjectIdentifier(operation)]?.failure = nil
        }
    }

    /// Notes that a request brought nothing.
    func noteFailure(_ failure: RelayError, for operation: BoundOperation) {
        state.withLock { state in
            state.lastFailure += 1
            state.entries[ObjectIdentifier(operation)]?.failure = Failure(number: state.lastFailure, error: failure)
        }
    }

    /// The errors of the last answer; none if nobody holds the operation.
    func errors(of operation: BoundOperation) -> [GraphQLError] {
        state.withLock { $0.entries[ObjectIdentifier(operation)]?.errors ?? [] }
    }

    /// Why the last request brought nothing; nil if it did not fail.
    func failure(of operation: BoundOperation) -> Failure? {
        state.withLock { $0.entries[ObjectIdentifier(operation)]?.failure }
    }

    /// Tells the watcher of requests from now on, until `unwatch` or until nobody holds the operation.
    func watch(_ operation: BoundOperation, _ watcher: any RequestWatcher) {
        state.withLock { $0.entries[ObjectIdentifier(operation)]?.watchers[ObjectIdentifier(watcher)] = watcher }
    }

    /// Ends what `watch` began.
    func unwatch(_ operation: BoundOperation, _ watcher: any RequestWatcher) {
        _ = state.withLock {
            $0.entries[ObjectIdentifier(operation)]?.watchers.removeValue(forKey: ObjectIdentifier(watcher))
        }
    }

    /// Those who watch, in no order.
    func watchers(of operation: BoundOperation) -> [any RequestWatcher] {
        state.withLock { state in
            (state.entries[ObjectIdentifier(operation)]?.watchers.values).map(Array.init) ?? []
        }
    }
}

/// Keeps in the store what an operation selects, for as long as this object lives.
public final class Retention: Sendable {
    private let ledger: OperationLedger
    private let operation: BoundOperation
    private let isReleased = Guarded(false)

    init(_ operation: BoundOperation, in ledger: OperationLedger) {
        self.ledger = ledger
        self.operation = operation
        ledger.retain(operation)
    }

    deinit { release() }

    /// Lets go before the object dies; what was retained goes into the release buffer.
    public func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { ledger.release(operation) }
    }
}
