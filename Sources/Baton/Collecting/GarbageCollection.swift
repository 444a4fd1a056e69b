import Synchronization

/// A collection that is under way.
struct GarbageCollection: Sendable {
    enum Phase: Sendable {
        /// Finding records with very many fields, from this page on.
        case widening(page: Int)
        /// Finding what can be reached.
        case marking
        /// Dropping fields that nothing reaches, of these records.
        case narrowing([RecordID])
        /// Taking the others away, from this number on.
        case sweeping(next: Int)
        /// Moving records together that are alone in their blocks, from this page on.
        case packing(page: Int)
        /// Finding the numbers that something knows, from this one on.
        case naming(next: Int)
        /// Giving the other numbers back, from this one on.
        case freeing(next: Int)
        /// Giving the numbers of storage keys back that nothing uses, from this one on.
        case freeingKeys(next: Int)
        /// Giving pages without records back, from this one on.
        case vacating(page: Int)

        var isAboutNumbers: Bool {
            switch self {
            case .naming, .freeing, .freeingKeys: true
            default: false
            }
        }
    }

    let cause: CollectionEvent.Cause
    /// The number of the collection in its store.
    let generation: UInt32
    var phase = Phase.widening(page: 0)
    var marker = Marker()
    var wide = WideRecords()
    /// The numbers that something knows.
    var known = RecordSet()
    /// How often numbers could not be given back because somebody held them.
    var refusals = 0
    /// Some numbers were not given back because of that.
    var hasGivenUp = false
    var numbersFreed = 0
    var recordsCollected = 0
    var fieldsDropped = 0
    var slices = 0
    var longestSlice = Duration.zero
    var duration = Duration.zero
}

/// What came of a slice.
package enum CollectionProgress: Sendable {
    /// There is nothing to do.
    case idle
    /// There is more to do.
    case more
    /// This slice was the last; with the number of the collection.
    case finished(UInt32, CollectionEvent)
}

/// The state of collection in a store.
final class Collector: Sendable {
    /// What has happened since the collection looked last.
    struct Inbox: Sendable {
        var operations: [(plan: BoundPlan, root: RecordID)] = []
        var fields: [(record: RecordID, key: StorageKeyID)] = []
        var records: [RecordID] = []
        /// Records that somebody reads from now on.
        var read: [RecordID] = []

        var isEmpty: Bool { operations.isEmpty && fields.isEmpty && records.isEmpty && read.isEmpty }
        /// So much has happened that it is cheaper to begin again.
        var isTooLong: Bool { fields.count + records.count + read.count > 1 << 20 }
    }

    struct State: Sendable {
        var collection: GarbageCollection?
        var lastGeneration: UInt32 = 0
    }

    /// Held during a slice; outside of every other lock of the store.
    let state = Guarded(State())
    /// Innermost but for the name table.
    let inbox = Guarded(Inbox())
    /// Set while there is a collection: who publishes and who retains then tells the inbox.
    let isCollecting = Atomic(false)
    /// The number of records from which on a collection is worth its while although nothing was released.
    let growthLimit = Atomic(Collector.smallestGrowth)
    /// The number of records is above the limit.
    let hasGrown = Atomic(false)
    /// The number of records from which on it is to be checked whether they are too large; none without a budget.
    let budgetLimit = Atomic(Int.max)
    let mustCheckBudget = Atomic(false)
    /// Nothing may be left of any name that is not in use: the store was emptied.
    let mustFreeNames = Atomic(false)
    /// Mutations and subscriptions that were released since the last collection.
    let endedCalls = Atomic(0)
    /// Called outside every lock when it is time for a collection.
    let whenWanted = Guarded<Hook<CollectionEvent.Cause>?>(nil)

    /// The most that a slice does: less than half a millisecond of each.
    struct Work: Sendable {
        /// Records and items of lists that are looked at while marking.
        var marking = 4096
        /// Numbers that are looked at while sweeping.
        var looking = 8192
        /// Fields of records that lose some.
        var narrowing = 4096
        /// Records that are taken away.
        var sweeping = 512
        /// Records whose values are looked at for numbers.
        var naming = 1024
        /// Numbers that are given back.
        var freeing = 1024
        /// Pages whose records may move.
        var packing = 2
        /// Pages that are looked at to be given back.
        var vacating = 64
    }

    /// A store with fewer records is collected only when something was released.
    static let smallestGrowth = 4096
    /// The roots of so many mutations and events may wait for the next collection.
    static let endedCallsLimit = 64
    /// How often a collection tries to give numbers back while somebody holds them.
    static let refusalLimit = 100

    /// Asks for a collection.
    func want(_ cause: CollectionEvent.Cause) {
        whenWanted.withLock { $0 }?.body(cause)
    }

    // MARK: - What others tell

    /// Notes what a publish has changed, and how many records there are. To be called while no other publish can begin.
    @inline(__always)
    func note(_ changes: borrowing ChangeSet, _ records: Int) {
        if isCollecting.load(ordering: .relaxed) { noteAll(changes) }
        if records > growthLimit.load(ordering: .relaxed) { hasGrown.store(true, ordering: .relaxed) }
        if records > budgetLimit.load(ordering: .relaxed) { mustCheckBudget.store(true, ordering: .relaxed) }
    }

    /// The same for what was restored: it is not much too much before anybody has asked for it.
    func noteRestore(_ changes: borrowing ChangeSet, _ records: Int) {
        setGrowthLimit(after: records)
        note(changes, records)
    }

    /// Has a collection made when there are half as many records again.
    func setGrowthLimit(after records: Int) {
        growthLimit.store(max(Self.smallestGrowth, records + records / 2), ordering: .relaxed)
    }

    /// Asks for a collection if the store has grown much since the last. To be called outside every lock.
    @inline(__always)
    func wantIfGrown() {
        if hasGrown.load(ordering: .relaxed), hasGrown.exchange(false, ordering: .relaxed) { want(.growth) }
        if mustCheckBudget.load(ordering: .relaxed), mustCheckBudget.exchange(false, ordering: .relaxed) {
            want(.memoryBudget)
        }
    }

    /// Has the memory measured again when there are more records by a sixteenth: it takes a while.
    func nextBudgetCheck(after records: Int) {
        budgetLimit.store(records + records / 16 + 16, ordering: .relaxed)
    }

    @inline(never)
    private func noteAll(_ changes: borrowing ChangeSet) {
        let (all, keys) = (changes.changes, changes.keys)
        inbox.withLock { inbox in
            for change in all {
                if change.isWhole {
                    inbox.records.append(change.record)
                } else {
                    for key in keys[change.first..<change.first + change.count] {
                        inbox.fields.append((change.record, key))
                    }
                }
            }
        }
    }

    /// Notes what records link to that layers cover: it can be reached again when the layers go.
    func note(_ targets: [LayerReplay.Target]) {
        guard isCollecting.load(ordering: .relaxed) else { return }
        var links: [RecordID] = []
        for target in targets {
            guard case .covered(let record) = target.base else { continue }
            for value in record.values { value.forEachLink { links.append($0) } }
        }
        inbox.withLock { $0.records.append(contentsOf: links) }
    }

    /// Notes what a subscription has read. To be called when it is in the index.
    @inline(__always)
    func note(reading dependencies: borrowing Dependencies) {
        if isCollecting.load(ordering: .acquiring) { noteAll(reading: dependencies) }
    }

    @inline(never)
    private func noteAll(reading dependencies: borrowing Dependencies) {
        let records = dependencies.pairs.map(\.record)
        inbox.withLock { $0.read.append(contentsOf: records) }
    }

    /// Notes an operation that was retained. To be called when it is among those that are.
    func note(_ plan: BoundPlan, at root: RecordID) {
        guard isCollecting.load(ordering: .acquiring) else { return }
        inbox.withLock { $0.operations.append((plan, root)) }
    }
}
