/// The operations of a store: those in use, those that are retained, and when each was fetched.
///
/// State: the table, guarded by a lock of its own. Fetch keys are let go of outside of it, since they are the
/// application's.
final class Operations: Sendable {
    private let table = Guarded(OperationTable(), .operations)

    func operation(_ key: OperationKey) -> BoundOperation? { table.withLock { $0.operation(key) } }
    func plans(_ key: OperationKey) -> BoundPlans? { table.withLock { $0.plans(key) } }

    /// Adds an operation, or gives the one that another thread added first.
    func add(_ operation: BoundOperation) -> BoundOperation { table.withLock { $0.add(operation) } }

    // MARK: - Retaining

    func retain(_ operation: BoundOperation) { table.withLock { $0.retain(operation) } }

    /// Takes back one `retain`; true if it was the last.
    func release(_ operation: BoundOperation) -> Bool { table.withLock { $0.release(operation) } }

    func retainCount(_ operation: BoundOperation) -> Int { table.withLock { $0.retainCount(operation) } }
    func isRetained(_ key: OperationKey) -> Bool { table.withLock { $0.isRetained(key) } }

    /// Keeps the root fields of an event, in the place of those of the event before, as long as the operation is
    /// retained.
    func setRoot(_ root: RecordID, of operation: BoundOperation) {
        table.withLock { $0.setRoot(root, of: operation) }
    }

    /// What is retained: the plans by which answers are written, and where they begin.
    var roots: [(plan: BoundPlan, root: RecordID)] { table.withLock { $0.roots } }
    /// The records of root fields that an operation in use has for itself.
    var ownRoots: Set<RecordID> { table.withLock { $0.ownRoots } }

    // MARK: - Fetches

    /// Notes a fetch, unless it began before the store was emptied, or before one that is noted already.
    func noteFetch(_ fetch: FetchRecord, of operation: BoundOperation, generation: Int) {
        _ = table.withLock { table in
            table.noteFetch(fetch, of: operation, generation: generation)
            return table.takeRetired()
        }
    }

    func fetch(of operation: BoundOperation) -> FetchRecord? { table.withLock { $0.fetch(of: operation) } }

    /// Everything that was fetched.
    var fetched: [OperationTable.Fetched] { table.withLock { $0.fetched } }

    /// Forgets every fetch of the generations before one.
    func forgetFetches(before generation: Int) {
        _ = table.withLock { table in
            table.forgetFetches(before: generation)
            return table.takeRetired()
        }
    }

    /// Takes over what a snapshot says, and forgets what was fetched before. Gives what is to be let go of outside
    /// every lock.
    func restore(_ fetches: [OperationTable.Restored]) -> [FetchRecord] {
        table.withLock { table in
            table.restore(fetches)
            return table.takeRetired()
        }
    }

    /// Forgets the operations that nobody uses and that were not fetched since the store was emptied.
    func forgetIdle() { table.withLock { $0.forgetIdle() } }

    /// Looks at the table. Others wait meanwhile.
    func look<Result>(_ body: (OperationTable) -> sending Result) -> sending Result {
        table.withLock { body($0) }
    }
}
