/// Somebody who wants to know when a request of an operation begins or ends.
protocol RequestWatcher: AnyObject, Sendable {
    /// Called outside every lock, on any thread; must be quick.
    func requestDidMove()
}

/// The operations that somebody holds, how often, and how their last request went.
///
/// An operation that nobody holds any more stays retained in the store until a number of others were let go after it,
/// until its time is over, or until the memory is needed: the release buffer. State: guarded by its own lock, outside
/// those of the store.
final class OperationLedger: Sendable {
    private struct Entry {
        let operation: BoundOperation
        var count = 0
        var errors: [GraphQLError] = []
        var failure: Failure?
        /// The newest request of which something is noted here; what an older one brings does not count any more.
        var request = 0
        var watchers: [ObjectIdentifier: any RequestWatcher] = [:]

        /// False, and nothing is done, if nobody holds it.
        mutating func addHolder() -> Bool {
            if count == 0 { return false }
            count += 1
            return true
        }
    }

    /// Why a request brought nothing; the number tells one failure from another.
    struct Failure: Sendable {
        let number: Int
        let error: RelayError
    }

    private struct State {
        var lastFailure = 0
        /// How often the store was emptied before what is noted here.
        var generation = 0
        var entries: [ObjectIdentifier: Entry] = [:]
        /// Entries whose count is zero, the longest unused first.
        var buffer: [Released] = []

        /// Adds a holder; true for the first one if the operation is not in the buffer.
        mutating func add(_ operation: BoundOperation) -> Bool {
            let key = ObjectIdentifier(operation)
            let isNew = entries[key] == nil
            entries[key, default: Entry(operation: operation)].count += 1
            if entries[key]?.count == 1 { buffer.removeAll { $0.key == key } }
            return isNew
        }

        /// Takes entries out of the buffer that come first; their operations, and when they were released.
        mutating func drop(while isOver: (Released) -> Bool) -> [Dropped] {
            let count = buffer.firstIndex { !isOver($0) } ?? buffer.count
            defer { buffer.removeFirst(count) }
            return buffer[..<count].compactMap { released in
                entries.removeValue(forKey: released.key).map { Dropped(operation: $0.operation, time: released.time) }
            }
        }
    }

    private struct Dropped {
        let operation: BoundOperation
        /// When the last holder let go.
        let time: Duration
    }

    /// Lets the store forget operations, and says why.
    private func letGo(_ dropped: [Dropped], _ reason: ReleaseReason) {
        for item in dropped {
            store.journal.noteRelease(of: item.operation, reason, since: item.time)
            store.release(item.operation)
        }
    }

    private struct Released {
        let key: ObjectIdentifier
        let time: Duration
    }

    /// Called outside every lock when an operation has come into the buffer, with the time at which its time is over if
    /// there is a limit.
    private let whenReleased = Guarded<Hook<Duration?>?>(nil)
    private let store: Store
    private let bufferSize: Int
    private let expiration: Duration?
    private let now: @Sendable () -> Duration
    private let state = Guarded(State(), .ledger)

    init(store: Store, options: StoreOptions, now: @escaping @Sendable () -> Duration = { .zero }) {
        self.store = store
        self.now = now
        bufferSize = max(0, options.releaseBufferSize)
        expiration = options.expiration
    }

    /// Sets who is told of released operations.
    func setHook(_ hook: Hook<Duration?>) { whenReleased.withLock { $0 = hook } }

    /// Keeps what the operation selects, until `release`.
    func retain(_ operation: BoundOperation) {
        if retainKnown(ObjectIdentifier(operation)) { return }
        let isNew = state.withLock { $0.add(operation) }
        if isNew { store.retain(operation) }
    }

    /// The same for what comes with a reference.
    func retain(_ use: OperationUse) {
        if !retainKnown(use.key) { retain(use.operation) }
    }

    /// Retains what somebody holds already; false if nobody does.
    private func retainKnown(_ key: ObjectIdentifier) -> Bool {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key) else { return false }
            return state.entries.values[index].addHolder()
        }
    }

    /// Takes back one `retain`; the last one moves the operation into the release buffer.
    func release(_ operation: BoundOperation) {
        let key = ObjectIdentifier(operation)
        let now = now()
        var isBuffered = false
        var reason = bufferSize > 0 ? ReleaseReason.bufferWasFull : .released
        let dropped = state.withLock { state -> [Dropped] in
            guard let count = state.entries[key]?.count, count > 0 else { return [] }
            state.entries[key]?.count = count - 1
            guard count == 1 else { return [] }
            // Nobody can ask for the root fields of a mutation again.
            if operation.artifact.kind != .query || isOld(operation, now) {
                reason = operation.artifact.kind != .query ? .released : .expired
                state.entries[key] = nil
                return [Dropped(operation: operation, time: now)]
            }
            isBuffered = bufferSize > 0
            state.buffer.append(Released(key: key, time: now))
            let excess = max(0, state.buffer.count - bufferSize)
            var taken = 0
            return state.drop { _ in
                taken += 1
                return taken <= excess
            }
        }
        letGo(dropped, reason)
        if isBuffered { whenReleased.withLock { $0 }?.body(expiration.map { now + $0 }) }
    }

    /// Says whether the newest answer is older than what nobody holds may be.
    private func isOld(_ operation: BoundOperation, _ now: Duration) -> Bool {
        guard let expiration, let fetch = store.lastFetch(of: operation) else { return false }
        return now - fetch.time >= expiration
    }

    /// Lets go of the operations in the buffer whose time is over.
    func releaseExpired() {
        guard let expiration else { return }
        let now = now()
        let (dropped, next) = state.withLock { state in
            (state.drop { now - $0.time >= expiration }, state.buffer.first.map { $0.time + expiration })
        }
        letGo(dropped, .expired)
        if let next { whenReleased.withLock { $0 }?.body(next) }
    }

    /// Lets go of the operation that has been in the buffer longest; false if it is empty.
    func releaseOldest() -> Bool {
        let dropped = state.withLock { state in
            var isFirst = true
            return state.drop { _ in
                defer { isFirst = false }
                return isFirst
            }
        }
        letGo(dropped, .memoryBudget)
        return !dropped.isEmpty
    }

    /// Forgets how requests went that began before a generation of the store, and empties the release buffer.
    func reset(to generation: Int) {
        let dropped = state.withLock { state in
            state.generation = max(state.generation, generation)
            for key in state.entries.keys {
                state.entries[key]?.errors = []
                state.entries[key]?.failure = nil
            }
            let dropped = state.buffer.compactMap { state.entries.removeValue(forKey: $0.key)?.operation }
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
    func noteAnswer(_ errors: [GraphQLError], for request: Request) {
        note(request) { _, entry in
            entry.errors = errors
            entry.failure = nil
        }
    }

    /// Notes that a request brought nothing.
    func noteFailure(_ failure: RelayError, for request: Request) {
        note(request) { lastFailure, entry in
            lastFailure += 1
            entry.failure = Failure(number: lastFailure, error: failure)
        }
    }

    private func note(_ request: Request, _ change: (_ lastFailure: inout Int, inout Entry) -> Void) {
        let key = ObjectIdentifier(request.operation)
        state.withLock { state in
            guard request.generation >= state.generation, var entry = state.entries[key],
                entry.request <= request.network.id
            else { return }
            entry.request = request.network.id
            change(&state.lastFailure, &entry)
            state.entries[key] = entry
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
