import Synchronization

/// Finds the records that nothing needs any more and takes them away, a bounded piece at a time.
///
/// State: the collection that is under way, guarded by a lock of its own, which is held during a slice, outside of
/// every other lock of the store.
final class Collector: Sendable {
    struct State: Sendable {
        var collection: GarbageCollection?
        var lastNumber: UInt32 = 0
    }

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

    /// How often a collection tries to give numbers back while somebody holds them.
    static let refusalLimit = 100

    private let state = Guarded(State(), .collection)
    /// Nothing may be left of any name that is not in use: the store was emptied.
    let mustFreeNames = Atomic(false)
    private let inbox: CollectionInbox
    private let triggers: CollectionTriggers
    let names: NameTable
    let queue: PublishQueue
    let operations: Operations
    private let journal: StoreJournal
    var subscriptions: Subscriptions { queue.subscriptions }
    /// The newest version.
    var records: Records { queue.records }

    init(
        _ names: NameTable, queue: PublishQueue, operations: Operations, journal: StoreJournal, inbox: CollectionInbox,
        triggers: CollectionTriggers
    ) {
        self.names = names
        self.queue = queue
        self.operations = operations
        self.journal = journal
        self.inbox = inbox
        self.triggers = triggers
    }

    /// Begins a collection; without `anew` only if none is under way. Gives its number.
    @discardableResult
    func begin(_ cause: CollectionEvent.Cause, anew: Bool = false) -> UInt32 {
        state.withLock { state in
            if let current = state.collection, !anew { return current.number }
            return begin(&state, cause)
        }
    }

    /// Takes back what a collection has only begun.
    private func end(_ state: inout State) {
        if case .packing? = state.collection?.phase {
            queue.inTurn { turn in turn.change { $0.endPacking() } }
        }
        state.collection = nil
    }

    private func begin(_ state: inout Collector.State, _ cause: CollectionEvent.Cause) -> UInt32 {
        end(&state)
        state.lastNumber &+= 1
        // Who publishes from here on tells the inbox; who has published is seen by the first slice.
        queue.inTurn { _ in inbox.open() }
        var collection = GarbageCollection(cause: cause, number: state.lastNumber)
        for (plan, root) in operations.roots { collection.marker.add(plan, at: root) }
        // As they were without layers, and will be again.
        for record in recordsOfLayers { collection.marker.add(record) }
        collection.marker.addAlone(.root)
        state.collection = collection
        triggers.collectionBegins()
        return state.lastNumber
    }

    /// Gives up the collection that is under way, and says why it was made; nothing is lost but work.
    @discardableResult
    func abandon() -> CollectionEvent.Cause? {
        state.withLock { state in
            let cause = state.collection?.cause
            end(&state)
            inbox.close()
            return cause
        }
    }

    /// Does a bounded piece of the collection that is under way, if there is one.
    ///
    /// While it marks, nobody waits; while it sweeps, reads and publishes wait for less than a millisecond.
    func collectSlice() -> CollectionProgress { collectSlice(.init()) }

    /// Does a piece of a chosen size.
    func collectSlice(_ work: Work) -> CollectionProgress {
        // Let go when no lock is held.
        var version: Records?
        var garbage = Garbage()
        garbage.keepsOrigins = journal.isKept
        defer { journal.noteGarbage(garbage) }
        defer { withExtendedLifetime((version, garbage)) {} }
        let clock = ContinuousClock()
        return state.withLock { state -> CollectionProgress in
            if let cause = state.collection?.cause, inbox.isTooLong {
                _ = begin(&state, cause)
                return .more
            }
            guard var collection = state.collection.take() else { return .idle }
            let start = clock.now
            var isDone = false
            switch collection.phase {
            case .widening:
                // The inbox waits: what it marks must be noted of the records that are found here.
                let records = records
                findWide(&collection, records, work)
                version = records
            case .marking:
                takeInbox(&collection)
                let records = records
                collection.marker.run(over: records, work: work.marking)
                version = records
                if collection.marker.isDone { collection.phase = .narrowing(collection.marker.watched) }
            case .narrowing: narrow(&collection, &garbage, work)
            case .sweeping: sweep(&collection, &garbage, work)
            case .packing: pack(&collection, work)
            case .naming:
                takeInbox(&collection)
                let records = records
                findKnownNumbers(&collection, records, work)
                version = records
            case .freeing: freeNumbers(&collection, &garbage, work)
            case .freeingKeys: freeKeys(&collection, &garbage, work)
            case .vacating: isDone = vacate(&collection, work)
            }
            let time = clock.now - start
            collection.slices += 1
            collection.duration += time
            collection.longestSlice = max(collection.longestSlice, time)
            guard isDone else {
                state.collection = collection
                return .more
            }
            return .finished(collection.number, finish(collection))
        }
    }

    private func finish(_ collection: GarbageCollection) -> CollectionEvent {
        inbox.close()
        let kept = records.rowCount
        triggers.setGrowthLimit(after: kept)
        return CollectionEvent(
            cause: collection.cause, recordsKept: kept, recordsCollected: collection.recordsCollected,
            fieldsDropped: collection.fieldsDropped, slices: collection.slices, longestSlice: collection.longestSlice,
            duration: collection.duration)
    }

    /// Runs a collection from its beginning to its end, on the calling thread. Others may help if they make slices too.
    func collectGarbage(_ cause: CollectionEvent.Cause = .request) -> CollectionEvent? {
        let number = begin(cause, anew: true)
        while true {
            switch collectSlice() {
            case .idle: return nil
            case .more:
                // Somebody else has finished it, or began another.
                if state.withLock({ $0.lastNumber != number }) { return nil }
            case .finished(let finished, let event):
                return finished == number ? event : nil
            }
        }
    }

    /// What has happened since comes first: the version in which it is looked at must be newer.
    func takeInbox(_ collection: inout GarbageCollection) {
        let inbox = inbox.take()
        if collection.phase.isAboutNumbers { return addKnown(inbox, &collection, records) }
        for record in inbox.read { collection.marker.addAlone(record) }
        for (plan, root) in inbox.operations { collection.marker.add(plan, at: root) }
        for record in inbox.records { collection.marker.add(record) }
        for (record, key) in inbox.fields { collection.marker.add(key, of: record) }
    }

    // MARK: - Sweeping

    /// Takes away what was not reached. Nobody publishes meanwhile; what was published since the last slice is marked
    /// first.
    private func sweep(_ collection: inout GarbageCollection, _ garbage: inout Garbage, _ work: Work) {
        queue.inTurn { turn in
            takeInbox(&collection)
            if !collection.marker.isDone { collection.marker.run(over: records, work: work.marking) }
            guard collection.marker.isDone else { return }
            let layers = turn.layers
            turn.change { sweep(&$0, &collection, &garbage, work, layers) }
        }
    }

    private func sweep(
        _ records: inout Records, _ collection: inout GarbageCollection, _ garbage: inout Garbage,
        _ work: Work, _ layers: LayerStack
    ) {
        guard case .sweeping(let first) = collection.phase else { return }
        let changed = records.epoch + 1
        let end = min(first + work.looking, records.capacity)
        let before = collection.recordsCollected
        var number = first
        subscriptions.look { subscriptions in
            while number < end, collection.recordsCollected - before < work.sweeping {
                let record = RecordID(UInt32(truncatingIfNeeded: number))
                number += 1
                if collection.marker.hasReached(record) || records.state(of: record) == .unknown { continue }
                if subscriptions.hasReaders(record) || layers.isUsed(record) { continue }
                records.forget(record, changed: changed, collection: collection.number, &garbage)
                collection.recordsCollected += 1
            }
        }
        // Not a change of which anybody is told, but who reads and subscribes meanwhile finds out.
        if collection.recordsCollected > before {
            records.epoch = changed
            garbage.version = changed
        }
        guard number >= records.capacity else {
            collection.phase = .sweeping(next: number)
            return
        }
        if collection.recordsCollected > 0, records.choosePacking() {
            collection.phase = .packing(page: 0)
        } else {
            endSweep(records, &collection)
        }
    }

    private func endSweep(_ records: borrowing Records, _ collection: inout GarbageCollection) {
        collection.phase = phaseOfNumbers(records, collection.cause)
    }

    /// Moves records together, so that blocks with few of them can go.
    private func pack(_ collection: inout GarbageCollection, _ work: Work) {
        guard case .packing(let first) = collection.phase else { return }
        queue.inTurn { turn in
            turn.change { records in
                let end = first + work.packing
                records.pack(first..<end)
                if end < records.pages.count {
                    collection.phase = .packing(page: end)
                } else {
                    records.endPacking()
                    endSweep(records, &collection)
                }
            }
        }
    }

    /// Gives pages back; true if those were the last.
    private func vacate(_ collection: inout GarbageCollection, _ work: Work) -> Bool {
        guard case .vacating(let first) = collection.phase else { return true }
        if first == 0 { queue.inTurn { _ in names.dropUnusedShapes() } }
        guard collection.recordsCollected > 0 || collection.numbersFreed > 0 else { return true }
        let size = Records.pageSize
        var end = 0
        let isDone = queue.inTurn { turn in
            turn.change { records in
                if first == 0 {
                    records.epoch += 1
                    records.setVacant(changed: records.epoch, collection: collection.number)
                }
                end = min(first + work.vacating, records.capacity / size)
                return subscriptions.look { subscriptions in
                    for page in first..<max(first, end) where !subscriptions.hasReaders(in: page * size, size) {
                        records.vacate(page: page)
                    }
                    guard end * size >= records.capacity else { return false }
                    return records.trim(
                        to: subscriptions.lastRead.map { Int($0.index) + 1 } ?? 0, pages: work.vacating)
                }
            }
        }
        collection.phase = .vacating(page: end)
        return isDone
    }

    /// Every record that a layer read or wrote, and every record to which one of them links without layers: what a
    /// collection has to keep.
    var recordsOfLayers: [RecordID] {
        let (touched, covered) = queue.inTurn { turn in
            (Array(turn.layers.records), turn.records.covered)
        }
        var found = Set(touched)
        for record in covered.values {
            for value in record.values { value.forEachLink { found.insert($0) } }
        }
        return Array(found)
    }
}
