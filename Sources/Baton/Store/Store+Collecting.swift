extension Store {
    /// Begins a collection; without `anew` only if none is under way. Gives its number.
    @discardableResult
    package func beginCollection(_ cause: CollectionEvent.Cause, anew: Bool = false) -> UInt32 {
        collector.state.withLock { state in
            if let current = state.collection, !anew { return current.generation }
            return begin(&state, cause)
        }
    }

    /// Takes back what a collection has only begun.
    private func end(_ collector: inout Collector.State) {
        if case .packing? = collector.collection?.phase {
            writer.withLock { _ in state.withLock { $0.endPacking() } }
        }
        collector.collection = nil
    }

    private func begin(_ state: inout Collector.State, _ cause: CollectionEvent.Cause) -> UInt32 {
        end(&state)
        state.lastGeneration &+= 1
        // Who publishes from here on tells the inbox; who has published is seen by the first slice.
        writer.withLock { _ in
            collector.isCollecting.store(true, ordering: .releasing)
            collector.inbox.withLock { $0 = Collector.Inbox() }
        }
        var collection = GarbageCollection(cause: cause, generation: state.lastGeneration)
        for (plan, root) in operations.withLock({ $0.roots }) { collection.marker.add(plan, at: root) }
        // As they were without layers, and will be again.
        for record in recordsOfLayers { collection.marker.add(record) }
        collection.marker.addAlone(.root)
        state.collection = collection
        collector.endedCalls.store(0, ordering: .relaxed)
        return state.lastGeneration
    }

    /// Gives up the collection that is under way, and says why it was made; nothing is lost but work.
    @discardableResult
    func abandonCollection() -> CollectionEvent.Cause? {
        collector.state.withLock { state in
            let cause = state.collection?.cause
            end(&state)
            collector.isCollecting.store(false, ordering: .releasing)
            collector.inbox.withLock { $0 = Collector.Inbox() }
            return cause
        }
    }

    /// Does a bounded piece of the collection that is under way, if there is one.
    ///
    /// While it marks, nobody waits; while it sweeps, reads and publishes wait for less than a millisecond.
    package func collectSlice() -> CollectionProgress { collectSlice(.init()) }

    /// Does a piece of a chosen size.
    func collectSlice(_ work: Collector.Work) -> CollectionProgress {
        // Let go when no lock is held.
        var version: Records?
        var garbage = Garbage()
        garbage.keepsOrigins = options.history.publishes > 0
        defer { note(garbage) }
        defer { withExtendedLifetime((version, garbage)) {} }
        let clock = ContinuousClock()
        return collector.state.withLock { state -> CollectionProgress in
            if let cause = state.collection?.cause, collector.inbox.withLock({ $0.isTooLong }) {
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
            return .finished(collection.generation, finish(collection))
        }
    }

    private func finish(_ collection: GarbageCollection) -> CollectionEvent {
        collector.isCollecting.store(false, ordering: .releasing)
        collector.inbox.withLock { $0 = Collector.Inbox() }
        let kept = records.rowCount
        collector.setGrowthLimit(after: kept)
        return CollectionEvent(
            cause: collection.cause, recordsKept: kept, recordsCollected: collection.recordsCollected,
            fieldsDropped: collection.fieldsDropped, slices: collection.slices, longestSlice: collection.longestSlice,
            duration: collection.duration)
    }

    /// Runs a collection from its beginning to its end, on the calling thread. Others may help if they make slices too.
    func collectGarbage(_ cause: CollectionEvent.Cause = .request) -> CollectionEvent? {
        let generation = beginCollection(cause, anew: true)
        while true {
            switch collectSlice() {
            case .idle: return nil
            case .more:
                // Somebody else has finished it, or began another.
                if collector.state.withLock({ $0.lastGeneration != generation }) { return nil }
            case .finished(let finished, let event):
                return finished == generation ? event : nil
            }
        }
    }

    /// What has happened since comes first: the version in which it is looked at must be newer.
    func takeInbox(_ collection: inout GarbageCollection) {
        var inbox = Collector.Inbox()
        collector.inbox.withLock { swap(&$0, &inbox) }
        if collection.phase.isAboutNumbers { return note(inbox, &collection, records) }
        for record in inbox.read { collection.marker.addAlone(record) }
        for (plan, root) in inbox.operations { collection.marker.add(plan, at: root) }
        for record in inbox.records { collection.marker.add(record) }
        for (record, key) in inbox.fields { collection.marker.add(key, of: record) }
    }

    // MARK: - Sweeping

    /// Takes away what was not reached. Nobody publishes meanwhile; what was published since the last slice is marked
    /// first.
    private func sweep(_ collection: inout GarbageCollection, _ garbage: inout Garbage, _ work: Collector.Work) {
        writer.withLock { order in
            takeInbox(&collection)
            if !collection.marker.isDone { collection.marker.run(over: records, work: work.marking) }
            guard collection.marker.isDone else { return }
            state.withLock { records in
                sweep(&records, &collection, &garbage, work, order.layers)
            }
        }
    }

    private func sweep(
        _ records: inout Records, _ collection: inout GarbageCollection, _ garbage: inout Garbage,
        _ work: Collector.Work, _ layers: LayerStack
    ) {
        guard case .sweeping(let first) = collection.phase else { return }
        let changed = records.epoch + 1
        let end = min(first + work.looking, records.capacity)
        let before = collection.recordsCollected
        var number = first
        subscriptions.withLock { subscriptions in
            while number < end, collection.recordsCollected - before < work.sweeping {
                let record = RecordID(UInt32(truncatingIfNeeded: number))
                number += 1
                if collection.marker.hasReached(record) || records.state(of: record) == .unknown { continue }
                if subscriptions.hasReaders(record) || layers.isUsed(record) { continue }
                records.forget(record, changed: changed, generation: collection.generation, &garbage)
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
    private func pack(_ collection: inout GarbageCollection, _ work: Collector.Work) {
        guard case .packing(let first) = collection.phase else { return }
        writer.withLock { _ in
            state.withLock { records in
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
    private func vacate(_ collection: inout GarbageCollection, _ work: Collector.Work) -> Bool {
        guard case .vacating(let first) = collection.phase else { return true }
        if first == 0 { writer.withLock { _ in names.dropUnusedShapes() } }
        guard collection.recordsCollected > 0 || collection.numbersFreed > 0 else { return true }
        let size = Records.pageSize
        var end = 0
        let isDone = writer.withLock { _ in
            state.withLock { records in
                if first == 0 {
                    records.epoch += 1
                    records.setVacant(changed: records.epoch, generation: collection.generation)
                }
                end = min(first + work.vacating, records.capacity / size)
                return subscriptions.withLock { subscriptions in
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
