import Synchronization

/// Finds the records that nothing needs any more and removes them, in bounded slices.
///
/// State: the running collection, guarded by a lock of its own. The lock is held during a slice, and is taken before
/// every other lock of the store.
package final class Collector: Sendable {
    struct State: Sendable {
        var collection: GarbageCollection?
        var lastNumber: UInt32 = 0
    }

    /// The greatest number of attempts to free numbers while something holds them.
    static let refusalLimit = 100

    private let state = Guarded(State(), .collection)
    /// True if every unused name must be freed, because the store was emptied.
    let mustFreeNames = Atomic(false)
    private let triggers: CollectionTriggers
    let names: NameTable
    let queue: PublishQueue
    let operations: Operations
    private let journal: Journal
    var subscriptions: Subscriptions { queue.subscriptions }
    var inbox: ChangeInbox { queue.inbox }
    /// The newest version.
    var records: Records { queue.records }

    init(
        _ names: NameTable, queue: PublishQueue, operations: Operations, journal: Journal, triggers: CollectionTriggers
    ) {
        self.names = names
        self.queue = queue
        self.operations = operations
        self.journal = journal
        self.triggers = triggers
    }

    /// Begins a collection and returns its number. If a collection runs and `anew` is false, returns its number
    /// instead.
    @discardableResult
    package func begin(_ cause: LogEvent.Collection.Cause, anew: Bool = false) -> UInt32 {
        state.withLock { state in
            if let current = state.collection, !anew, !current.onlyPacks { return current.number }
            return begin(&state, cause)
        }
    }

    /// Ends a collection that is not complete.
    private func end(_ state: inout State) {
        if case .packing? = state.collection?.phase {
            queue.inTurn { turn in turn.change { $0.endPacking() } }
        }
        state.collection = nil
    }

    private func begin(_ state: inout Collector.State, _ cause: LogEvent.Collection.Cause) -> UInt32 {
        end(&state)
        state.lastNumber &+= 1
        // Publishes from here on are noted in the inbox. The first slice sees the earlier publishes.
        queue.inTurn { _ in inbox.open() }
        var collection = GarbageCollection(cause: cause, number: state.lastNumber)
        addRoots(to: &collection)
        state.collection = collection
        triggers.collectionBegins()
        return state.lastNumber
    }

    /// Begins to pack records into fewer blocks, without collecting. Does nothing if a collection runs, which includes
    /// packing.
    func beginPacking() {
        state.withLock { state in
            guard state.collection == nil else { return }
            var collection = GarbageCollection(cause: .growth, number: state.lastNumber)
            collection.onlyPacks = true
            collection.phase = queue.inTurn { turn in turn.change { Self.phaseOfPacking(&$0) } } ?? .clearing(block: 0)
            state.collection = collection
        }
    }

    /// Chooses the blocks to pack; returns nil if there is nothing to move and nothing to clear.
    private static func phaseOfPacking(_ records: inout Records) -> GarbageCollection.Phase? {
        if records.choosePacking() { return .packing(page: 0) }
        return records.directory.deadRows > 0 ? .clearing(block: 0) : nil
    }

    /// Gives up the running collection and returns its cause; nil if nothing was to be collected. Only the work of the
    /// collection is lost.
    @discardableResult
    func abandon() -> LogEvent.Collection.Cause? {
        state.withLock { state in
            let cause = state.collection.flatMap { $0.onlyPacks ? nil : $0.cause }
            end(&state)
            inbox.close()
            return cause
        }
    }

    /// Runs a bounded slice of the running collection, if there is one.
    ///
    /// While the slice marks, no thread waits. While it sweeps, reads and publishes wait for less than a millisecond.
    package func collectSlice(_ work: CollectionWork = CollectionWork()) -> CollectionProgress {
        // The version and the garbage are freed after all locks are released.
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
                // The inbox is not emptied yet. Marking must first note the fields of the wide records that are found
                // here.
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
            case .packing: pack(&collection, &garbage, work)
            case .clearing: isDone = clear(&collection, &garbage, work)
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
            queue.newest.look { queue.growth.setSpreadLimit(after: $0.directory.spread) }
            return collection.onlyPacks ? .packed : .finished(collection.number, finish(collection))
        }
    }

    private func finish(_ collection: GarbageCollection) -> LogEvent.Collection {
        inbox.close()
        let kept = records.rowCount
        queue.growth.setGrowthLimit(after: kept)
        return LogEvent.Collection(
            cause: collection.cause, recordsKept: kept, recordsCollected: collection.recordsCollected,
            fieldsDropped: collection.fieldsDropped, slices: collection.slices, longestSlice: collection.longestSlice,
            duration: collection.duration)
    }

    /// Runs a whole collection on the calling thread. Other threads may run slices of it at the same time.
    @discardableResult
    package func collectGarbage(_ cause: LogEvent.Collection.Cause = .request) -> LogEvent.Collection? {
        let number = begin(cause, anew: true)
        while true {
            switch collectSlice() {
            case .idle, .packed: return nil
            case .more:
                // Another thread has finished the collection or begun another one.
                if state.withLock({ $0.lastNumber != number }) { return nil }
            case .finished(let finished, let event):
                return finished == number ? event : nil
            }
        }
    }

    // MARK: - Sweeping

    /// Removes the unreached records. No publish can land meanwhile; the changes since the last slice are marked first.
    private func sweep(_ collection: inout GarbageCollection, _ garbage: inout Garbage, _ work: CollectionWork) {
        queue.inTurn { turn in
            takeInbox(&collection)
            if !collection.marker.isDone { collection.marker.run(over: records, work: work.marking) }
            guard collection.marker.isDone else { return }
            let layers = turn.layers
            turn.unwritten?.fold()
            let (unwritten, pins) = (turn.unwritten, turn.pins)
            turn.change { records in
                sweep(&records, &collection, &garbage, work, layers) {
                    pins[$0] != nil || unwritten?.needs($0) == true
                }
            }
        }
    }

    private func sweep(
        _ records: inout Records, _ collection: inout GarbageCollection, _ garbage: inout Garbage,
        _ work: CollectionWork, _ layers: LayerStack, mustStay: (RecordID) -> Bool
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
                // Only the memory has what is not written yet.
                if mustStay(record) { continue }
                records.forget(record, changed: changed, collection: collection.number, &garbage)
                collection.recordsCollected += 1
            }
        }
        // No subscriber is notified. The new version lets concurrent reads and subscriptions detect the change.
        if collection.recordsCollected > before {
            records.epoch = changed
            garbage.version = changed
        }
        guard number >= records.capacity else {
            collection.phase = .sweeping(next: number)
            return
        }
        collection.phase = Self.phaseOfPacking(&records) ?? phaseOfNumbers(records, collection.cause)
    }

    /// Moves records out of nearly empty blocks, which are then freed.
    private func pack(_ collection: inout GarbageCollection, _ garbage: inout Garbage, _ work: CollectionWork) {
        guard case .packing(let first) = collection.phase else { return }
        queue.inTurn { turn in
            turn.change { records in
                let end = first + work.packing
                records.pack(first..<end, &garbage)
                if end < records.pages.count {
                    collection.phase = .packing(page: end)
                } else {
                    records.endPacking()
                    collection.phase = .clearing(block: 0)
                }
            }
        }
    }

    /// Frees the values of rows without records, in the blocks that only the newest version holds. Returns true if it
    /// has reached the last block.
    private func clear(
        _ collection: inout GarbageCollection, _ garbage: inout Garbage, _ work: CollectionWork
    ) -> Bool {
        guard case .clearing(let first) = collection.phase else { return true }
        let (next, numbers) = queue.inTurn { turn in
            turn.change { records in
                let limit = work.packing * RecordPages.pageSize
                let next = records.clearDeadRows(from: first, limit: limit, &garbage.retired)
                return (next, phaseOfNumbers(records, collection.cause))
            }
        }
        collection.phase = next.map { .clearing(block: $0) } ?? numbers
        return next == nil && collection.onlyPacks
    }

    /// Frees pages; returns true if it has reached the last page.
    private func vacate(_ collection: inout GarbageCollection, _ work: CollectionWork) -> Bool {
        guard case .vacating(let first) = collection.phase else { return true }
        if first == 0 { queue.inTurn { _ in names.dropUnusedShapes() } }
        guard collection.recordsCollected > 0 || collection.numbersFreed > 0 else { return true }
        let size = RecordPages.pageSize
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
}

/// The result of a slice.
package enum CollectionProgress: Sendable {
    /// No collection runs.
    case idle
    /// The collection needs another slice.
    case more
    /// The collection has ended. The first value is its number.
    case finished(UInt32, LogEvent.Collection)
    /// Packing has ended; no record was collected.
    case packed
}
