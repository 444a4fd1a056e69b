/// The operations of a store that are in use or retained, and their last fetches.
///
/// State: the table, guarded by a lock of its own; holders are counted in it. Fetch keys and the clock belong to the
/// application. So keys are freed, and the clock is read, while the lock is not held.
package final class Operations: Sendable {
    private let table: Guarded<OperationTable>
    private let journal: Journal
    private let inbox: ChangeInbox
    private let triggers: CollectionTriggers
    private let now: @Sendable () -> Duration
    /// The hook for operations that enter the release buffer, with the time at which they expire. It is called outside
    /// every lock.
    private let whenBuffered = Guarded<Hook<Duration?>?>(nil)
    /// The hook for dropped operations, called outside every lock. Meanwhile another thread may have retained the
    /// operation again.
    private let whenDropped = Guarded<Hook<ObjectIdentifier>?>(nil)

    init(
        _ limits: RetainedOperations.Limits, journal: Journal, inbox: ChangeInbox,
        triggers: CollectionTriggers, over base: OperationTable.Base? = nil, now: @escaping @Sendable () -> Duration
    ) {
        table = Guarded(OperationTable(limits, over: base), .operations)
        self.journal = journal
        self.inbox = inbox
        self.triggers = triggers
        self.now = now
    }

    /// Sets the hook for operations that enter the release buffer.
    func setBufferHook(_ hook: Hook<Duration?>) { whenBuffered.withLock { $0 = hook } }
    /// Sets the hook for dropped operations, which gets their identities.
    func setDropHook(_ hook: Hook<ObjectIdentifier>) { whenDropped.withLock { $0 = hook } }

    /// Returns the operation of a key if it is in use, and its plans if it is retained.
    ///
    /// If `retaining` is true, the returned operation is retained in the same step.
    func known(_ key: OperationKey, retaining: Bool = false) -> (operation: BoundOperation?, plans: BoundPlans?) {
        let (known, isNew) = table.withLock { table in
            let known = table.known(key)
            return (known, retaining && known.operation.map { table.retain($0) } == true)
        }
        if isNew { noteRetained(known.operation) }
        return known
    }

    /// Adds an operation, or returns the equal operation that another thread added first. Returns nil if an equal
    /// operation is retained with other plans; the caller then binds again with these plans.
    ///
    /// If `retaining` is true, the returned operation is retained in the same step.
    func add(_ operation: BoundOperation, retaining: Bool = false) -> BoundOperation? {
        let (added, isNew) = table.withLock { table in
            let added = table.add(operation)
            return (added, retaining && added.map { table.retain($0) } == true)
        }
        if isNew { noteRetained(added) }
        return added
    }

    /// The names and variables of the operations that have holders, for expectations of tests.
    package var held: [(name: String, variables: JSONValue)] {
        table.withLock { table in
            table.retained.entries.values.filter { $0.holders > 0 }.map { ($0.artifact.name, $0.key.variables) }
        }
    }

    // MARK: - Retaining

    /// Retains the data of an operation until `release`.
    package func retain(_ operation: BoundOperation) {
        let isNew = table.withLock { $0.retain(operation) }
        if isNew { noteRetained(operation) }
    }

    /// Tells a running collection of an operation that was not retained before.
    private func noteRetained(_ operation: BoundOperation?) {
        if let operation { inbox.addOperation(operation.plans.write, at: operation.root) }
    }

    /// Retains the operation of a reference. Most such operations have a holder already, which makes the call cheap.
    func retain(_ use: OperationUse) {
        let isHeld = table.withLock { $0.addHolder(of: use.identity) }
        if !isHeld { retain(use.operation) }
    }

    /// Undoes one `retain`. After the last holder the operation enters the release buffer, in the same step.
    func release(_ operation: BoundOperation) { release(operation, intoBuffer: true) }

    /// Releases the operation of a reference. Most such operations have other holders, which makes the call cheap.
    func release(_ use: OperationUse) {
        let isHeld = table.withLock { $0.removeHolder(of: use.identity) }
        if !isHeld { release(use.operation) }
    }

    /// Undoes one `retain`. After the last holder the operation is dropped without the release buffer.
    package func releaseWithoutBuffer(_ operation: BoundOperation) { release(operation, intoBuffer: false) }

    private func release(_ operation: BoundOperation, intoBuffer: Bool) {
        if table.withLock({ $0.removeHolder(of: operation.identity) }) { return }
        let now = now()
        let (release, expiration) = table.withLock { table in
            (table.release(operation, at: now, intoBuffer: intoBuffer), table.retained.expiration(from: now))
        }
        letGo(release.dropped)
        if release.isBuffered { whenBuffered.withLock { $0 }?.body(expiration) }
    }

    /// Drops the expired operations from the buffer.
    func releaseExpired() {
        let now = now()
        let (dropped, next) = table.withLock { table in
            (table.drop { $0.dropExpired(at: now) }, table.retained.nextExpiration)
        }
        letGo(dropped)
        if let next { whenBuffered.withLock { $0 }?.body(next) }
    }

    /// Drops the operation that has been in the buffer longest; returns false if the buffer is empty.
    func releaseOldest() -> Bool {
        let dropped = table.withLock { $0.drop { $0.dropOldest() } }
        letGo(dropped)
        return !dropped.isEmpty
    }

    /// Empties the release buffer, because the store was emptied.
    func emptyBuffer() {
        let dropped = table.withLock { $0.drop { $0.dropAll() } }
        letGo(dropped, isNoted: false)
    }

    private func letGo(_ dropped: [RetainedOperations.Dropped], isNoted: Bool = true) {
        for item in dropped {
            if isNoted { journal.noteRelease(of: item.artifact, item.key, item.reason, since: item.time) }
            // The dropped plans are still alive here, so no other operation can have their identity.
            whenDropped.withLock { $0 }?.body(ObjectIdentifier(item.plans))
            triggers.operationEnded(item.artifact.kind)
        }
    }

    /// Protects the data of an operation from collection while the body reads it. A reader is no holder, so the release
    /// buffer does not change.
    func whileReading<Result>(_ operation: BoundOperation, _ body: () throws -> Result) rethrows -> Result {
        let number = table.withLock { $0.beginRead(of: operation) }
        inbox.addOperation(operation.plans.write, at: operation.root)
        defer { table.withLock { $0.endRead(number) } }
        return try body()
    }

    /// Returns the number of the operation's holders.
    package func holderCount(of operation: BoundOperation) -> Int { table.withLock { $0.holderCount(of: operation) } }
    /// Returns true if the operation has a holder or is in the release buffer.
    func isRetained(_ operation: BoundOperation) -> Bool { isRetained(operation.identity) }
    func isRetained(_ identity: ObjectIdentifier) -> Bool { table.withLock { $0.isRetained(identity) } }
    func isRetained(_ key: OperationKey) -> Bool { table.withLock { $0.isRetained(key) } }

    /// The roots of a collection: the write plan and the root record of each retained operation and running read.
    var roots: [(plan: BoundPlan, root: RecordID)] { table.withLock { $0.roots } }
    /// The records of root fields that belong to a single operation in use.
    var ownRoots: Set<RecordID> { table.withLock { $0.ownRoots } }

    // MARK: - Fetches

    /// Notes a fetch, unless it began before the store was emptied or a newer fetch is noted already.
    package func noteFetch(_ fetch: FetchRecord, of operation: BoundOperation, generation: Int) {
        _ = table.withLock { table in
            table.noteFetch(fetch, of: operation, generation: generation)
            return table.takeRetired()
        }
    }

    /// Returns the last fetch of the operation; nil if it was never fetched.
    package func fetch(of operation: BoundOperation) -> FetchRecord? {
        table.withLock { $0.fetch(of: operation) }
    }

    /// The current fetches, for tables over them.
    var base: OperationTable.Base { table.withLock { $0.base } }

    /// All fetches.
    var fetched: [OperationTable.Fetched] { table.withLock { $0.fetched } }

    /// Returns true if a reset of the store removed the data of the operation, and no later fetch is noted.
    func isEmptied(_ operation: BoundOperation) -> Bool { table.withLock { $0.isEmptied(operation) } }

    /// Removes every fetch of earlier generations.
    func forgetFetches(before generation: Int) {
        _ = table.withLock { table in
            table.forgetFetches(before: generation)
            return table.takeRetired()
        }
    }

    /// Replaces all fetches by those of a snapshot. Returns the replaced fetches, which must be freed while no lock is
    /// held.
    func restore(_ fetches: [OperationTable.Restored]) -> [FetchRecord] {
        table.withLock { table in
            table.restore(fetches)
            return table.takeRetired()
        }
    }

    /// Removes unused operations that were not fetched since the store was emptied.
    func forgetIdle() { table.withLock { $0.forgetIdle() } }

    /// Calls `body` with the table while the lock is held.
    func look<Result>(_ body: (OperationTable) -> sending Result) -> sending Result {
        table.withLock { body($0) }
    }
}
