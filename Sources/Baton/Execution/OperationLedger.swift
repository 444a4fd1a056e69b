/// An observer of the requests of an operation.
protocol RequestWatcher: AnyObject, Sendable {
    /// Called when a request begins or ends, on any thread while no lock is held; must be quick.
    func requestDidMove()
}

/// The operations that handles and callers hold, with the number of holders and the outcome of the last request.
///
/// An operation without holders stays retained in the release buffer. It stays there until enough others were released
/// after it, its time is over, or the memory is needed. State: guarded by a lock of its own, which is taken before
/// those of the store.
final class OperationLedger: Sendable {
    private struct Entry {
        let operation: BoundOperation
        var count = 0
        var errors: [GraphQLError] = []
        var failure: Failure?
        /// The newest noted request; the outcomes of older ones are ignored.
        var request = 0
        var watchers: [ObjectIdentifier: any RequestWatcher] = [:]

        /// Adds a holder; returns false and does nothing if there is none yet.
        mutating func addHolder() -> Bool {
            if count == 0 { return false }
            count += 1
            return true
        }
    }

    /// The failure of a request; the number distinguishes failures.
    struct Failure: Sendable {
        let number: Int
        let error: RelayError
    }

    private struct State {
        var lastFailure = 0
        /// The store's generation of these entries.
        var generation = 0
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The entries without holders, the longest unused first.
        var buffer: [Released] = []

        /// Adds a holder. Returns true for the first one, unless the operation is in the buffer.
        mutating func add(_ operation: BoundOperation) -> Bool {
            let key = ObjectIdentifier(operation)
            let isNew = entries[key] == nil
            entries[key, default: Entry(operation: operation)].count += 1
            if entries[key]?.count == 1 { buffer.removeAll { $0.key == key } }
            return isNew
        }

        /// Removes entries from the beginning of the buffer; returns their operations and the times of their release.
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
        /// The time at which the last holder released the operation.
        let time: Duration
    }

    /// Releases operations in the store, and notes the reason.
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

    /// Called while no lock is held when an operation has entered the buffer, with the time at which it expires if
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

    /// Sets the function that is called for released operations.
    func setHook(_ hook: Hook<Duration?>) { whenReleased.withLock { $0 = hook } }

    /// Retains the data of an operation until `release`.
    func retain(_ operation: BoundOperation) {
        if retainKnown(ObjectIdentifier(operation)) { return }
        let isNew = state.withLock { $0.add(operation) }
        if isNew { store.retain(operation) }
    }

    /// Retains the operation of a fragment reference.
    func retain(_ use: OperationUse) {
        if !retainKnown(use.key) { retain(use.operation) }
    }

    /// Adds a holder to an operation that has one; returns false if it has none.
    private func retainKnown(_ key: ObjectIdentifier) -> Bool {
        state.withLock { state in
            guard let index = state.entries.index(forKey: key) else { return false }
            return state.entries.values[index].addHolder()
        }
    }

    /// Takes one `retain` back. The last one moves the operation into the release buffer.
    func release(_ operation: BoundOperation) {
        let key = ObjectIdentifier(operation)
        let now = now()
        var isBuffered = false
        var reason = bufferSize > 0 ? ReleaseReason.bufferWasFull : .released
        let dropped = state.withLock { state -> [Dropped] in
            guard let count = state.entries[key]?.count, count > 0 else { return [] }
            state.entries[key]?.count = count - 1
            guard count == 1 else { return [] }
            // The root fields of a mutation cannot be asked for again.
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

    /// Returns true if the newest answer is older than the time for which released operations stay.
    private func isOld(_ operation: BoundOperation, _ now: Duration) -> Bool {
        guard let expiration, let fetch = store.lastFetch(of: operation) else { return false }
        return now - fetch.time >= expiration
    }

    /// Drops the expired operations from the buffer.
    func releaseExpired() {
        guard let expiration else { return }
        let now = now()
        let (dropped, next) = state.withLock { state in
            (state.drop { now - $0.time >= expiration }, state.buffer.first.map { $0.time + expiration })
        }
        letGo(dropped, .expired)
        if let next { whenReleased.withLock { $0 }?.body(next) }
    }

    /// Drops the operation that has been in the buffer longest; returns false if the buffer is empty.
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

    /// Forgets the outcomes of requests that began before a generation of the store, and empties the release buffer.
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

    /// Returns true if the operation is retained, by a holder or in the buffer.
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

    /// Notes the failure of a request.
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

    /// Returns the errors of the last answer; none if nobody holds the operation.
    func errors(of operation: BoundOperation) -> [GraphQLError] {
        state.withLock { $0.entries[ObjectIdentifier(operation)]?.errors ?? [] }
    }

    /// Returns the failure of the last request; nil if it did not fail.
    func failure(of operation: BoundOperation) -> Failure? {
        state.withLock { $0.entries[ObjectIdentifier(operation)]?.failure }
    }

    /// Registers a watcher for the operation's requests, until `unwatch` or until the operation has no holder.
    func watch(_ operation: BoundOperation, _ watcher: any RequestWatcher) {
        state.withLock { $0.entries[ObjectIdentifier(operation)]?.watchers[ObjectIdentifier(watcher)] = watcher }
    }

    /// Removes a watcher.
    func unwatch(_ operation: BoundOperation, _ watcher: any RequestWatcher) {
        _ = state.withLock {
            $0.entries[ObjectIdentifier(operation)]?.watchers.removeValue(forKey: ObjectIdentifier(watcher))
        }
    }

    /// Returns the watchers, in no order.
    func watchers(of operation: BoundOperation) -> [any RequestWatcher] {
        state.withLock { state in
            (state.entries[ObjectIdentifier(operation)]?.watchers.values).map(Array.init) ?? []
        }
    }
}
