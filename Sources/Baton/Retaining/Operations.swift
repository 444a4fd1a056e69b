/// The operations of a store: those in use, those that are retained, and the last fetch of each.
///
/// State: the table, guarded by a lock of its own. Fetch keys are freed outside the lock, because they belong to the
/// application.
final class Operations: Sendable {
    private let table = Guarded(OperationTable(), .operations)

    func operation(_ key: OperationKey) -> BoundOperation? { table.withLock { $0.operation(key) } }
    func plans(_ key: OperationKey) -> BoundPlans? { table.withLock { $0.plans(key) } }

    /// Adds an operation, or returns the one that another thread added first.
    func add(_ operation: BoundOperation) -> BoundOperation { table.withLock { $0.add(operation) } }

    // MARK: - Retaining

    func retain(_ operation: BoundOperation) { table.withLock { $0.retain(operation) } }

    /// Takes one `retain` back; returns true if it was the last.
    func release(_ operation: BoundOperation) -> Bool { table.withLock { $0.release(operation) } }

    func retainCount(_ operation: BoundOperation) -> Int { table.withLock { $0.retainCount(operation) } }
    func isRetained(_ key: OperationKey) -> Bool { table.withLock { $0.isRetained(key) } }

    /// Keeps the root fields of an event instead of those of the event before, as long as the operation is retained.
    func setRoot(_ root: RecordID, of operation: BoundOperation) {
        table.withLock { $0.setRoot(root, of: operation) }
    }

    /// The plans and root records of all retained operations.
    var roots: [(plan: BoundPlan, root: RecordID)] { table.withLock { $0.roots } }
    /// The records of root fields that belong to a single operation in use.
    var ownRoots: Set<RecordID> { table.withLock { $0.ownRoots } }

    // MARK: - Fetches

    /// Notes a fetch, unless it began before the store was emptied or a newer fetch is noted already.
    func noteFetch(_ fetch: FetchRecord, of operation: BoundOperation, generation: Int) {
        _ = table.withLock { table in
            table.noteFetch(fetch, of: operation, generation: generation)
            return table.takeRetired()
        }
    }

    func fetch(of operation: BoundOperation) -> FetchRecord? { table.withLock { $0.fetch(of: operation) } }

    /// All fetches.
    var fetched: [OperationTable.Fetched] { table.withLock { $0.fetched } }

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

    /// Removes the operations that nothing uses and that were not fetched since the store was emptied.
    func forgetIdle() { table.withLock { $0.forgetIdle() } }

    /// Calls `body` with the table while the lock is held.
    func look<Result>(_ body: (OperationTable) -> sending Result) -> sending Result {
        table.withLock { body($0) }
    }
}
