import Synchronization

/// Decides when a collection is worth its cost, and asks for one.
final class CollectionTriggers: GrowthWatch {
    /// The least number of records at which growth causes a collection. A smaller store is collected only after a
    /// release.
    static let smallestGrowth = 4096
    /// The number of ended mutations and subscriptions that cause a collection.
    static let endedCallsLimit = 64
    /// The number of blocks with room that an empty store may have, not counting one block for each type and shape.
    static let smallestSpread = 64

    /// The work that a store asks for.
    enum Wish: Sendable {
        case collection(LogEvent.Collection.Cause)
        /// The records must be packed into fewer blocks; nothing is collected.
        case packing
    }

    /// The number of records above which a collection is worth its cost even without a release.
    private let growthLimit = Atomic(CollectionTriggers.smallestGrowth)
    /// True if the number of records has exceeded the limit.
    private let hasGrown = Atomic(false)
    /// The number of records above which the memory must be measured; no limit without a budget.
    private let budgetLimit = Atomic(Int.max)
    private let mustCheckBudget = Atomic(false)
    /// The number of blocks with room that the last packing left.
    private let spreadLeft = Atomic(0)
    /// True if the records lie in many more blocks than they need.
    private let isSpread = Atomic(false)
    /// The number of mutations and subscriptions that were released since the last collection began.
    private let endedCalls = Atomic(0)
    private let whenWanted = Guarded<Hook<Wish>?>(nil)

    /// Sets the function that is called to ask for work. It is called while no lock is held.
    func setHook(_ hook: Hook<Wish>) { whenWanted.withLock { $0 = hook } }

    /// Asks for a collection. Must be called while no lock is held.
    func want(_ cause: LogEvent.Collection.Cause) {
        whenWanted.withLock { $0 }?.body(.collection(cause))
    }

    // MARK: - Growth and budget

    /// Notes the numbers of records and blocks after a publish.
    @inline(__always)
    func setCount(of version: borrowing Records) {
        let records = version.rowCount
        if records > growthLimit.load(ordering: .relaxed) { hasGrown.store(true, ordering: .relaxed) }
        if records > budgetLimit.load(ordering: .relaxed) { mustCheckBudget.store(true, ordering: .relaxed) }
        let spread = version.directory.spread
        if spread > Self.smallestSpread, spread > Self.greatestSpread(records) + spreadLeft.load(ordering: .relaxed) {
            isSpread.store(true, ordering: .relaxed)
        }
    }

    /// Returns the number of blocks with room, not counting one for each type and shape, at which packing is worth its
    /// cost. On average so many blocks are less than half full.
    static func greatestSpread(_ records: Int) -> Int { smallestSpread + 2 * records / RecordBlock.rows }

    /// Notes the number of blocks with room that packing has left. The next packing needs many more such blocks.
    func setSpreadLimit(after spread: Int) { spreadLeft.store(spread, ordering: .relaxed) }

    /// Sets the number of records that causes the next collection: one and a half times as many as now.
    func setGrowthLimit(after records: Int) {
        growthLimit.store(max(Self.smallestGrowth, records + records / 2), ordering: .relaxed)
    }

    /// Makes the next publish measure the memory.
    func checkBudgetSoon() { budgetLimit.store(0, ordering: .relaxed) }

    /// Sets the next measurement of the memory at a sixteenth more records than now, because a measurement takes a
    /// while.
    func nextBudgetCheck(after records: Int) {
        budgetLimit.store(records + records / 16 + 16, ordering: .relaxed)
    }

    /// Asks for a collection if the store has grown much since the last collection, and for packing if the records lie
    /// in too many blocks. Must be called while no lock is held.
    @inline(__always)
    func wantIfGrown() {
        if hasGrown.load(ordering: .relaxed), hasGrown.exchange(false, ordering: .relaxed) { want(.growth) }
        if mustCheckBudget.load(ordering: .relaxed), mustCheckBudget.exchange(false, ordering: .relaxed) {
            want(.memoryBudget)
        }
        if isSpread.load(ordering: .relaxed), isSpread.exchange(false, ordering: .relaxed) {
            whenWanted.withLock { $0 }?.body(.packing)
        }
    }

    // MARK: - Released operations

    /// Asks for a collection after the last `release` of a query. An ended mutation or subscription has only one root
    /// record, so a collection waits for several of them.
    func operationEnded(_ kind: OperationKind) {
        if kind == .query || endedCalls.add(1, ordering: .relaxed).newValue >= Self.endedCallsLimit { want(.release) }
    }

    /// Notes that a collection has begun, which removes the ended operations.
    func collectionBegins() { endedCalls.store(0, ordering: .relaxed) }
}
