/// The operations that a store holds: those in use, and those whose data it keeps.
struct OperationTable {
    struct Entry {
        /// Nobody but its users holds the operation: it holds the store.
        weak var operation: BoundOperation?
        /// Set while the operation is retained.
        var kept: BoundPlans?
        var retainCount = 0
        var fetch: FetchRecord?
    }

    private(set) var entries: [OperationKey: Entry] = [:]
    private var purgeAt = 64
    private static let idleLimit = 1000

    func operation(_ key: OperationKey) -> BoundOperation? { entries[key]?.operation }
    func plans(_ key: OperationKey) -> BoundPlans? { entries[key]?.kept }

    /// Adds an operation, or gives the one that another thread added first.
    mutating func add(_ operation: BoundOperation) -> BoundOperation {
        if let known = entries[operation.key]?.operation { return known }
        if entries.count >= purgeAt { purge() }
        entries[operation.key, default: Entry()].operation = operation
        return operation
    }

    /// Forgets the operations that nobody uses, but for the times of the newest fetches.
    private mutating func purge() {
        let idle = entries.filter { $1.operation == nil && $1.retainCount == 0 }
        let newest = idle.compactMap { key, entry in entry.fetch.map { (key, $0.time) } }
            .sorted { $0.1 > $1.1 }.prefix(Self.idleLimit)
        let kept = Set(newest.map(\.0))
        for key in idle.keys where !kept.contains(key) { entries[key] = nil }
        purgeAt = max(64, entries.count * 2)
    }

    mutating func retain(_ operation: BoundOperation) {
        entries[operation.key, default: Entry(operation: operation)].retainCount += 1
        entries[operation.key]?.kept = operation.plans
    }

    mutating func release(_ operation: BoundOperation) {
        guard var entry = entries[operation.key], entry.retainCount > 0 else { return }
        entry.retainCount -= 1
        if entry.retainCount == 0 { entry.kept = nil }
        entries[operation.key] = entry
    }

    func retainCount(_ operation: BoundOperation) -> Int { entries[operation.key]?.retainCount ?? 0 }

    mutating func note(_ fetch: FetchRecord, of operation: BoundOperation) {
        entries[operation.key, default: Entry(operation: operation)].fetch = fetch
    }

    mutating func forgetFetches() {
        for key in entries.keys { entries[key]?.fetch = nil }
    }

    func fetch(of operation: BoundOperation) -> FetchRecord? { entries[operation.key]?.fetch }
}
