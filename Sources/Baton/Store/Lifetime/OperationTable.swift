/// The operations of a store: the operations in use, and the operations whose data is retained.
struct OperationTable {
    struct Entry {
        /// The reference is weak, because the operation holds the store.
        weak var operation: BoundOperation?
        /// The operation's plans while it is retained.
        var kept: BoundPlans?
        var fetch: FetchRecord?
        /// True if the store was emptied while the operation was in use, and no later fetch is noted.
        var isEmptied = false
        /// The artifact of a fetched operation, for snapshots.
        var artifact: GeneratedCode.OperationArtifact?

        /// Adds an operation, or returns the equal operation that was added first. Returns nil if the operation is
        /// retained with other plans.
        mutating func add(_ new: BoundOperation) -> BoundOperation? {
            if let operation { return operation }
            if let kept, kept !== new.plans { return nil }
            operation = new
            return new
        }

        /// Notes a fetch, unless a newer one is noted. Returns the older of the two fetches.
        mutating func note(_ new: FetchRecord, of artifact: GeneratedCode.OperationArtifact) -> FetchRecord? {
            if let fetch, fetch.request > new.request { return new }
            defer { fetch = new }
            isEmptied = false
            self.artifact = artifact
            return fetch
        }
    }

    private(set) var entries: [OperationKey: Entry] = [:]
    private(set) var retained: RetainedOperations
    private let expiration: Duration?
    /// The plan and the root record of each running read, by the number of the read.
    private var reads: [Int: (plan: BoundPlan, root: RecordID)] = [:]
    private var lastRead = 0
    /// The fetches from a snapshot or from the store below. The own fetch of an operation takes precedence.
    private var restored: [RestoredKey: FetchRecord] = [:]
    /// Replaced fetches, whose keys are to be freed.
    private var retired: [FetchRecord] = []
    /// The store's generation of these entries.
    private var generation = 0
    private var purgeAt = 64
    private static let idleLimit = 1000

    init(_ limits: RetainedOperations.Limits, over base: Base? = nil) {
        retained = RetainedOperations(limits)
        expiration = limits.expiration
        if let base { (restored, generation) = (base.fetches, base.generation) }
    }

    /// The fetches of another table at one moment.
    struct Base: Sendable {
        fileprivate let fetches: [RestoredKey: FetchRecord]
        fileprivate let generation: Int
    }

    /// The current fetches, for tables over them. Takes time linear in their number.
    var base: Base {
        Base(
            fetches: Dictionary(fetched.map { ($0.operation, $0.fetch) }) { first, _ in first }, generation: generation)
    }

    /// Returns the operation of a key if it is in use, and its plans if it is retained.
    func known(_ key: OperationKey) -> (operation: BoundOperation?, plans: BoundPlans?) {
        guard let entry = entries[key] else { return (nil, nil) }
        return (entry.operation, entry.kept)
    }

    /// Adds an operation, or returns the equal operation that was added first. Returns nil if an equal operation is
    /// retained with other plans.
    mutating func add(_ operation: BoundOperation) -> BoundOperation? {
        if entries.count >= purgeAt { purge() }
        return entries[operation.key, default: Entry()].add(operation)
    }

    /// Removes unused operations, except those with the newest fetches.
    private mutating func purge() {
        let idle = entries.filter { $1.operation == nil && $1.kept == nil }
        let newest = idle.compactMap { key, entry in entry.fetch.map { (key, $0.time) } }
            .sorted { $0.1 > $1.1 }.prefix(Self.idleLimit)
        let kept = Set(newest.map(\.0))
        for key in idle.keys where !kept.contains(key) {
            retire(entries[key]?.fetch)
            entries[key] = nil
        }
        purgeAt = max(64, entries.count * 2)
    }

    /// Removes unused operations that were not fetched since the store was emptied. Their variables may be a user's
    /// input.
    mutating func forgetIdle() {
        entries = entries.filter { $1.operation != nil || $1.kept != nil || $1.fetch != nil }
    }

    private mutating func retire(_ fetch: FetchRecord?) {
        if let fetch, fetch.key != nil { retired.append(fetch) }
    }

    /// Returns the replaced fetches, to be freed outside the lock. Fetch keys belong to the application, and their
    /// deinitializers may run its code.
    mutating func takeRetired() -> [FetchRecord] {
        defer { retired = [] }
        return retired
    }

    // MARK: - Retaining

    mutating func addHolder(of identity: ObjectIdentifier) -> Bool { retained.addHolder(of: identity) }
    mutating func removeHolder(of identity: ObjectIdentifier) -> Bool { retained.removeHolder(of: identity) }

    /// Adds a holder; returns true if the operation was not retained before.
    mutating func retain(_ operation: BoundOperation) -> Bool {
        guard retained.retain(operation) else { return false }
        var entry = entries[operation.key] ?? Entry(operation: operation)
        entry.kept = operation.plans
        entry.artifact = operation.artifact
        entries[operation.key] = entry
        return true
    }

    /// Removes a holder. After the last holder a query goes into the release buffer; other operations are dropped.
    mutating func release(_ operation: BoundOperation, at now: Duration, intoBuffer: Bool) -> RetainedOperations.Release
    {
        // No later operation can read the root fields of a mutation.
        let isOver = !intoBuffer || operation.artifact.kind != .query
        let reason: ReleaseReason? = isOver ? .released : isOld(operation, at: now) ? .expired : nil
        let release = retained.release(operation.identity, at: now, because: reason)
        forget(release.dropped)
        return release
    }

    /// Returns true if the newest response is older than the time for which released operations stay.
    private func isOld(_ operation: BoundOperation, at now: Duration) -> Bool {
        guard let expiration, let fetch = fetch(of: operation) else { return false }
        return now - fetch.time >= expiration
    }

    /// Drops operations of the buffer.
    mutating func drop(
        _ choose: (inout RetainedOperations) -> [RetainedOperations.Dropped]
    ) -> [RetainedOperations.Dropped] {
        let dropped = choose(&retained)
        forget(dropped)
        return dropped
    }

    private mutating func forget(_ dropped: [RetainedOperations.Dropped]) {
        for item in dropped {
            entries[item.key]?.kept = nil
            entries[item.key]?.fetch?.isIncomplete = false
        }
    }

    func isRetained(_ key: OperationKey) -> Bool { entries[key]?.kept != nil }
    func isRetained(_ identity: ObjectIdentifier) -> Bool { retained.entries[identity] != nil }

    func holderCount(of operation: BoundOperation) -> Int { retained.entries[operation.identity]?.holders ?? 0 }

    /// Notes a read of an operation's data and returns its number. The caller must call `endRead` with that number.
    mutating func beginRead(of operation: BoundOperation) -> Int {
        lastRead &+= 1
        reads[lastRead] = (operation.plans.write, operation.root)
        return lastRead
    }

    mutating func endRead(_ number: Int) { reads[number] = nil }

    /// The records of root fields that belong to a single operation in use.
    var ownRoots: Set<RecordID> {
        var found: Set<RecordID> = []
        for entry in retained.entries.values { found.insert(entry.root) }
        for entry in entries.values {
            if let operation = entry.operation, operation.root != .root { found.insert(operation.root) }
        }
        return found
    }

    /// The roots of a collection: the write plan and the root record of each retained operation and running read.
    var roots: [(plan: BoundPlan, root: RecordID)] {
        retained.entries.values.map { ($0.plans.write, $0.root) } + reads.values
    }

    // MARK: - Fetches

    /// Notes a fetch, unless it began before the store was emptied or a newer fetch is noted already.
    mutating func noteFetch(_ fetch: FetchRecord, of operation: BoundOperation, generation: Int) {
        guard generation >= self.generation else { return }
        let replaced = entries[operation.key, default: Entry(operation: operation)].note(fetch, of: operation.artifact)
        retire(replaced)
    }

    mutating func forgetFetches(before generation: Int) {
        self.generation = max(self.generation, generation)
        forgetFetches()
        for key in entries.keys { entries[key]?.isEmptied = true }
    }

    /// Returns true if the store was emptied while the operation was in use, and no later fetch is noted.
    func isEmptied(_ operation: BoundOperation) -> Bool {
        entries[operation.key]?.isEmptied == true && fetch(of: operation) == nil
    }

    private mutating func forgetFetches() {
        for key in entries.keys {
            retire(entries[key]?.fetch)
            entries[key]?.fetch = nil
        }
        restored = [:]
    }

    func fetch(of operation: BoundOperation) -> FetchRecord? {
        if let fetch = entries[operation.key]?.fetch { return fetch }
        if restored.isEmpty { return nil }
        return restored[RestoredKey(name: operation.artifact.name, variables: operation.variables.canonicalText)]
    }
}

// MARK: - Snapshots

extension OperationTable {
    /// The identity of an operation in a snapshot. It has no artifact until the operation is used.
    struct RestoredKey: Hashable, Sendable {
        let name: String
        /// The variables as canonical JSON, which are equal if all their bytes are.
        let variables: ExactText

        init(name: String, variables: String) {
            self.name = name
            self.variables = ExactText(variables)
        }
    }

    /// A fetch from a snapshot.
    struct Restored: Sendable {
        let name: String
        let variables: String
        let fetch: FetchRecord
    }

    /// A fetch to be written into a snapshot.
    struct Fetched: Sendable {
        let operation: RestoredKey
        /// The operation's key; nil for a fetch from a snapshot whose operation is not in use.
        let key: OperationKey?
        let fetch: FetchRecord
    }

    /// All fetches.
    var fetched: [Fetched] {
        var fetched: [RestoredKey: Fetched] = [:]
        for (operation, fetch) in restored {
            fetched[operation] = Fetched(operation: operation, key: nil, fetch: fetch)
        }
        for (key, entry) in entries {
            guard let artifact = entry.artifact ?? entry.operation?.artifact, entry.fetch != nil || !restored.isEmpty
            else { continue }
            let operation = RestoredKey(name: artifact.name, variables: key.variables.canonicalText)
            // An operation that was restored may have been invalidated later, under its own key.
            guard let fetch = entry.fetch ?? restored[operation] else { continue }
            fetched[operation] = Fetched(operation: operation, key: key, fetch: fetch)
        }
        return Array(fetched.values)
    }

    /// Replaces all fetches by those of a snapshot.
    mutating func restore(_ fetches: [Restored]) {
        forgetFetches()
        for fetch in fetches { restored[RestoredKey(name: fetch.name, variables: fetch.variables)] = fetch.fetch }
    }
}
