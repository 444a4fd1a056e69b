import Synchronization

/// The limits for the numbers of records and blocks, and what is due since a publish has exceeded one of them.
final class GrowthCount: Sendable {
    /// The least number of records at which growth causes a collection. A smaller store is collected only after a
    /// release.
    static let smallestGrowth = 4096
    /// The number of blocks with room that an empty store may have, not counting one block for each type and shape.
    static let smallestSpread = 64

    /// The work that growth makes due.
    struct Due: OptionSet, Sendable {
        let rawValue: UInt8

        /// The store has grown much since the last collection.
        static let collection = Due(rawValue: 1)
        /// The memory must be measured, because a budget may be exceeded.
        static let measurement = Due(rawValue: 2)
        /// The records lie in many more blocks than they need.
        static let packing = Due(rawValue: 4)
    }

    /// The number of records above which a collection is worth its cost even without a release.
    private let growthLimit = Atomic(GrowthCount.smallestGrowth)
    /// The number of records above which the memory must be measured; no limit without a budget.
    private let budgetLimit = Atomic(Int.max)
    /// The number of blocks with room that the last packing left.
    private let spreadLeft = Atomic(0)
    private let due = Atomic<UInt8>(0)
    private let whenDue = Guarded<Hook<Due>?>(nil)

    /// Sets the function that hears of due work. It is called while no lock is held.
    func setHook(_ hook: Hook<Due>) { whenDue.withLock { $0 = hook } }

    // MARK: - For publishes

    /// Notes the numbers of a version that a publish makes. May be called under the lock of the newest version.
    @inline(__always)
    func setCount(of version: borrowing Records) {
        let records = version.rowCount
        if records > growthLimit.load(ordering: .relaxed) { note(.collection) }
        if records > budgetLimit.load(ordering: .relaxed) { note(.measurement) }
        let spread = version.directory.spread
        if spread > Self.smallestSpread, spread > Self.greatestSpread(records) + spreadLeft.load(ordering: .relaxed) {
            note(.packing)
        }
    }

    private func note(_ work: Due) { due.bitwiseOr(work.rawValue, ordering: .relaxed) }

    /// Calls the hook if work is due. Must be called while no lock is held.
    @inline(__always)
    func tellIfDue() {
        if due.load(ordering: .relaxed) != 0 { tell() }
    }

    @inline(never)
    private func tell() {
        let work = Due(rawValue: due.exchange(0, ordering: .relaxed))
        if !work.isEmpty { whenDue.withLock { $0 }?.body(work) }
    }

    // MARK: - Limits

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
}
