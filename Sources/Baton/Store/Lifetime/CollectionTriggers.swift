import Synchronization

/// Decides when a collection is worth its cost, and asks for one.
final class CollectionTriggers: GrowthWatch {
    /// A store with fewer records is collected only after a release.
    static let smallestGrowth = 4096
    /// The number of ended mutations and subscriptions after which a collection is asked for.
    static let endedCallsLimit = 64
    /// The number of blocks with room that a store of no records may have besides the first of each kind.
    static let smallestSpread = 64

    /// What a store asks for.
    enum Wish: Sendable {
        case collection(LogEvent.Collection.Cause)
        /// Records are to move together. Nothing is collected.
        case packing
    }

    /// The number of records above which a collection is worth its cost without a release.
    private let growthLimit = Atomic(CollectionTriggers.smallestGrowth)
    /// True if the number of records has exceeded the limit.
    private let hasGrown = Atomic(false)
    /// The number of records above which the memory is to be measured; no limit without a budget.
    private let budgetLimit = Atomic(Int.max)
    private let mustCheckBudget = Atomic(false)
    /// The number of blocks with room that the last packing left.
    private let spreadLeft = Atomic(0)
    /// True if the records are spread over many more blocks than they need.
    private let isSpread = Atomic(false)
    /// The number of mutations and subscriptions that were released since the last collection began.
    private let endedCalls = Atomic(0)
    private let whenWanted = Guarded<Hook<Wish>?>(nil)

    /// Sets the function that is asked for a collection; it is called while no lock is held.
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

    /// The number of blocks with room, besides the first of each kind, from which packing is worth its cost. So many
    /// blocks are less than half full on the average.
    static func greatestSpread(_ records: Int) -> Int { smallestSpread + 2 * records / RecordBlock.rows }

    /// Lets packing be asked for only when there are many more blocks with room than those that packing has left.
    func setSpreadLimit(after spread: Int) { spreadLeft.store(spread, ordering: .relaxed) }

    /// Lets a collection be asked for at one and a half times as many records.
    func setGrowthLimit(after records: Int) {
        growthLimit.store(max(Self.smallestGrowth, records + records / 2), ordering: .relaxed)
    }

    /// Lets the memory be measured after the next publish.
    func checkBudgetSoon() { budgetLimit.store(0, ordering: .relaxed) }

    /// Lets the memory be measured at a sixteenth more records, because a measurement takes a while.
    func nextBudgetCheck(after records: Int) {
        budgetLimit.store(records + records / 16 + 16, ordering: .relaxed)
    }

    /// Asks for a collection if the store has grown much since the last one, and for packing if the records are spread
    /// over too many blocks. Must be called while no lock is held.
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

    /// Asks for a collection after the last `release` of an operation. An ended mutation or subscription has only one
    /// root record, so several of them are waited for.
    func operationEnded(_ kind: OperationKind) {
        if kind == .query || endedCalls.add(1, ordering: .relaxed).newValue >= Self.endedCallsLimit { want(.release) }
    }

    /// Notes that a collection has begun, which removes the ended operations.
    func collectionBegins() { endedCalls.store(0, ordering: .relaxed) }
}
