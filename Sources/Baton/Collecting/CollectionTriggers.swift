import Synchronization

/// What makes a collection worth its while, and who is asked for one then.
final class CollectionTriggers: Sendable {
    /// A store with fewer records is collected only when something was released.
    static let smallestGrowth = 4096
    /// The roots of so many mutations and events may wait for the next collection.
    static let endedCallsLimit = 64

    /// The number of records from which on a collection is worth its while although nothing was released.
    private let growthLimit = Atomic(CollectionTriggers.smallestGrowth)
    /// The number of records is above the limit.
    private let hasGrown = Atomic(false)
    /// The number of records from which on it is to be checked whether they are too large; none without a budget.
    private let budgetLimit = Atomic(Int.max)
    private let mustCheckBudget = Atomic(false)
    /// Mutations and subscriptions that were released since the last collection.
    private let endedCalls = Atomic(0)
    private let whenWanted = Guarded<Hook<CollectionEvent.Cause>?>(nil)

    /// Sets who is asked for a collection, outside every lock.
    func setHook(_ hook: Hook<CollectionEvent.Cause>) { whenWanted.withLock { $0 = hook } }

    /// Asks for a collection. To be called outside every lock.
    func want(_ cause: CollectionEvent.Cause) {
        whenWanted.withLock { $0 }?.body(cause)
    }

    // MARK: - Growth and budget

    /// Takes note of how many records there are after a publish.
    @inline(__always)
    func setCount(_ records: Int) {
        if records > growthLimit.load(ordering: .relaxed) { hasGrown.store(true, ordering: .relaxed) }
        if records > budgetLimit.load(ordering: .relaxed) { mustCheckBudget.store(true, ordering: .relaxed) }
    }

    /// Has a collection made when there are half as many records again.
    func setGrowthLimit(after records: Int) {
        growthLimit.store(max(Self.smallestGrowth, records + records / 2), ordering: .relaxed)
    }

    /// Has the memory measured with the next publish.
    func checkBudgetSoon() { budgetLimit.store(0, ordering: .relaxed) }

    /// Has the memory measured again when there are more records by a sixteenth: it takes a while.
    func nextBudgetCheck(after records: Int) {
        budgetLimit.store(records + records / 16 + 16, ordering: .relaxed)
    }

    /// Asks for a collection if the store has grown much since the last. To be called outside every lock.
    @inline(__always)
    func wantIfGrown() {
        if hasGrown.load(ordering: .relaxed), hasGrown.exchange(false, ordering: .relaxed) { want(.growth) }
        if mustCheckBudget.load(ordering: .relaxed), mustCheckBudget.exchange(false, ordering: .relaxed) {
            want(.memoryBudget)
        }
    }

    // MARK: - Released operations

    /// Asks for a collection after the last `release` of an operation; mutations and subscriptions have one record
    /// each, which can wait until there are some.
    func operationEnded(_ kind: OperationKind) {
        if kind == .query || endedCalls.add(1, ordering: .relaxed).newValue >= Self.endedCallsLimit { want(.release) }
    }

    /// A collection begins, which takes what has ended.
    func collectionBegins() { endedCalls.store(0, ordering: .relaxed) }
}
