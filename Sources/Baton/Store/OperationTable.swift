/// The operations that a store holds: those in use, and those whose data it keeps.
struct OperationTable {
    private struct Entry {
        /// Nobody but its users holds the operation: it holds the store.
        weak var operation: BoundOperation?
        /// Set while the operation is retained or was fetched.
        var kept: BoundPlans?
        var retainCount = 0
        var fetch: FetchRecord?
    }

    private var entries: [OperationKey: Entry] = [:]
    private var purgeAt = 64

    func operation(_ key: OperationKey) -> BoundOperation? { entries[key]?.operation }
    func plans(_ key: OperationKey) -> BoundPlans? { entries[key]?.kept }

    /// Adds an operation, or gives the one that another thread added first.
    mutating func add(_ operation: BoundOperation) -> BoundOperation {
        if let known = entries[operation.key]?.operation { return known }
        if entries.count >= purgeAt {
            entries = entries.filter { $1.operation != nil || $1.kept != nil }
            purgeAt = max(64, entries.count * 2)
        }
        entries[operation.key, default: Entry()].operation = operation
        return operation
    }

    mutating func retain(_ operation: BoundOperation) {
        entries[operation.key, default: Entry(operation: operation)].retainCount += 1
        entries[operation.key]?.kept = operation.plans
    }

    mutating func release(_ operation: BoundOperation) {
        guard var entry = entries[operation.key], entry.retainCount > 0 else { return }
        entry.retainCount -= 1
        if entry.retainCount == 0, entry.fetch == nil || operation.artifact.kind != .query { entry.kept = nil }
        entries[operation.key] = entry
    }

    func retainCount(_ operation: BoundOperation) -> Int { entries[operation.key]?.retainCount ?? 0 }

    mutating func note(_ fetch: FetchRecord, of operation: BoundOperation) {
        entries[operation.key, default: Entry(operation: operation)].fetch = fetch
        if operation.artifact.kind == .query { entries[operation.key]?.kept = operation.plans }
    }

    func fetch(of operation: BoundOperation) -> FetchRecord? { entries[operation.key]?.fetch }
}
