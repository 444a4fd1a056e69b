import Synchronization

// Freeing of numbers. If a poll always brings new identities, the tables of names and slots would otherwise grow
// without end. `RecordNumbers` and `KeyNumbers` give freed numbers again.

extension Collector {
    /// Returns true if so many names have no record that a search for them is worth its cost.
    func isWorthNaming(_ records: borrowing Records, _ cause: LogEvent.Collection.Cause) -> Bool {
        let unused = names.access { $0.records.usedCount } - records.rowCount
        return isThorough(cause) ? unused > 0 : unused > max(256, records.rowCount / 4)
    }

    /// True if every unused name must be freed, even if there are few.
    private func isThorough(_ cause: LogEvent.Collection.Cause) -> Bool {
        cause == .request || mustFreeNames.load(ordering: .relaxed)
    }

    /// The phase after the records: the numbers of records, the numbers of storage keys, or neither.
    func phaseOfNumbers(_ records: borrowing Records, _ cause: LogEvent.Collection.Cause) -> GarbageCollection.Phase {
        isWorthNaming(records, cause) ? .naming(next: 0) : phaseOfKeys(cause)
    }

    private func phaseOfKeys(_ cause: LogEvent.Collection.Cause) -> GarbageCollection.Phase {
        isThorough(cause) || names.areKeysWorthFreeing ? .freeingKeys(next: 0) : .vacating(page: 0)
    }

    /// Finds the numbers in use: those of existing and deleted records, of linked records, of records that are being
    /// read, and of the parents in the places of all these records.
    func findKnownNumbers(_ collection: inout GarbageCollection, _ records: borrowing Records, _ work: CollectionWork) {
        guard case .naming(let first) = collection.phase else { return }
        let end = max(first, min(first + work.naming, records.capacity))
        var found: [RecordID] = []
        for number in first..<end {
            find(RecordID(UInt32(truncatingIfNeeded: number)), records, &collection.known, &found)
        }
        subscriptions.look { subscriptions in
            for number in first..<end {
                let record = RecordID(UInt32(truncatingIfNeeded: number))
                if subscriptions.hasReaders(record), collection.known.insert(record) { found.append(record) }
            }
        }
        findPlaces(of: found, &collection.known)
        collection.phase = end >= records.capacity ? .freeing(next: 1) : .naming(next: end)
    }

    /// Adds the records that were published, retained and read since the last slice.
    func addKnown(
        _ inbox: ChangeInbox.Contents, _ collection: inout GarbageCollection, _ records: borrowing Records
    ) {
        var found: [RecordID] = []
        for record in inbox.read + inbox.operations.map(\.root) where collection.known.insert(record) {
            found.append(record)
        }
        for record in inbox.records { find(record, records, &collection.known, &found) }
        for (record, key, from) in inbox.fields {
            guard let value = records.value(key, of: record) else { continue }
            switch value {
            case .links(let links):
                for record in links.dropFirst(from) where record != .none && collection.known.insert(record) {
                    found.append(record)
                }
            case .list(let values): for value in values.dropFirst(from) { find(value, &collection.known, &found) }
            default: find(value, &collection.known, &found)
            }
        }
        findPlaces(of: found, &collection.known)
    }

    /// Adds the numbers in layers and in notes for late responses, and the numbers in the base of records that layers
    /// write. Must be called during the turn in which numbers are freed.
    private func addKnown(_ turn: PublishTurn, _ collection: inout GarbageCollection) {
        var found = turn.newer.records.filter { collection.known.insert($0) }
        if !turn.layers.isEmpty, collection.knownLayers != turn.layers.version {
            collection.knownLayers = turn.layers.version
            for record in turn.layers.numbers where collection.known.insert(record) { found.append(record) }
            turn.newest.look { records in
                for (record, base) in records.covered {
                    if collection.known.insert(record) { found.append(record) }
                    for value in base.values { find(value, &collection.known, &found) }
                }
            }
        }
        findPlaces(of: found, &collection.known)
    }

    private func find(
        _ record: RecordID, _ records: borrowing Records, _ known: inout RecordSet, _ found: inout [RecordID]
    ) {
        let slot = records.slot(of: record)
        guard slot.state != .unknown else { return }
        if known.insert(record) { found.append(record) }
        guard slot.state == .existing else { return }
        for value in records.values(at: slot) { find(value, &known, &found) }
    }

    /// Adds the links in a value. The recursion is bounded by the number of lists in the field's type.
    private func find(_ value: borrowing Value, _ known: inout RecordSet, _ found: inout [RecordID]) {
        switch value {
        case .link(let record):
            if known.insert(record) { found.append(record) }
        case .links(let records):
            for record in records where record != .none && known.insert(record) { found.append(record) }
        case .list(let values):
            for value in values { find(value, &known, &found) }
        default: break
        }
    }

    /// Adds the parents of records that are identified by their place, because such an identity contains the parent's
    /// number.
    private func findPlaces(of found: [RecordID], _ known: inout RecordSet) {
        var set = RecordSet()
        swap(&set, &known)
        defer { swap(&set, &known) }
        // The lock of the names is held only for short times, because reads of responses wait for it.
        for first in stride(from: 0, to: found.count, by: 4096) {
            names.access { names in
                for record in found[first..<min(first + 4096, found.count)] {
                    var current = record
                    while let parent = names.records.parent(of: current), set.insert(parent) { current = parent }
                }
            }
        }
    }

    // MARK: - Freeing

    /// Frees numbers while nothing holds numbers; gives up after several refusals.
    func freeNumbers(_ collection: inout GarbageCollection, _ garbage: inout Garbage, _ work: CollectionWork) {
        guard case .freeing(let first) = collection.phase else { return }
        var next = first
        var isAtEnd = false
        var freed: [RecordID] = []
        queue.inTurn { turn in
            takeInbox(&collection)
            addKnown(turn, &collection)
            let isFree = names.gate.ifFree {
                let roots = operations.ownRoots
                turn.change { records in
                    (next, isAtEnd) = freeNumbers(
                        from: first, &records, &collection, roots, &garbage, work, &freed)
                }
            }
            queue.disk?.leftOut.forget(freed)
            if !isFree { collection.refusals += 1 }
        }
        if hasGivenUp(&collection) { isAtEnd = true }
        collection.phase = isAtEnd ? phaseOfKeys(collection.cause) : .freeing(next: next)
    }

    /// Returns true if numbers were held at too many attempts. The next collection tries again.
    private func hasGivenUp(_ collection: inout GarbageCollection) -> Bool {
        guard collection.refusals > Self.refusalLimit else { return false }
        collection.refusals = 0
        collection.hasGivenUp = true
        return true
    }

    /// Frees the numbers of storage keys while nothing holds numbers; gives up after several refusals.
    func freeKeys(_ collection: inout GarbageCollection, _ garbage: inout Garbage, _ work: CollectionWork) {
        guard case .freeingKeys(let first) = collection.phase else { return }
        var next: Int? = first
        queue.inTurn { turn in
            var freed: [StorageKeyID] = []
            let isFree = names.gate.ifFree {
                // The keys of layers and of errors have no references.
                let others = turn.layers.keys.union(turn.records.fieldErrors.records.values.flatMap(\.keys))
                (next, freed) = names.freeKeys(from: first, count: work.looking, except: others)
            }
            if !isFree { collection.refusals += 1 }
            if garbage.keepsOrigins { garbage.keys += freed }
        }
        if hasGivenUp(&collection) { next = nil }
        if next == nil, !collection.hasGivenUp { mustFreeNames.store(false, ordering: .relaxed) }
        collection.phase = next.map { .freeingKeys(next: $0) } ?? .vacating(page: 0)
    }

    private func freeNumbers(
        from first: Int, _ records: inout Records, _ collection: inout GarbageCollection, _ roots: Set<RecordID>,
        _ garbage: inout Garbage, _ work: CollectionWork, _ freed: inout [RecordID]
    ) -> (next: Int, isAtEnd: Bool) {
        let changed = records.epoch + 1
        let before = collection.numbersFreed
        defer { if collection.numbersFreed > before { records.epoch = changed } }
        return subscriptions.look { subscriptions in
            names.access { names in
                var number = first
                let end = min(first + work.looking, names.records.count)
                while number < end, collection.numbersFreed - before < work.freeing {
                    let record = RecordID(UInt32(truncatingIfNeeded: number))
                    number += 1
                    guard names.records.isUsed(record), !names.records.isOfBase(record),
                        !collection.known.contains(record), !roots.contains(record),
                        records.state(of: record) == .unknown, !subscriptions.hasReaders(record)
                    else { continue }
                    if garbage.keepsOrigins, garbage.names.count < Garbage.mostNames {
                        garbage.names.append((record, names.dataID(of: record)))
                    }
                    names.records.remove(record)
                    records.letGo(record, changed: changed, collection: collection.number)
                    collection.numbersFreed += 1
                    freed.append(record)
                    if garbage.keepsOrigins { garbage.numbers.append(record) }
                }
                guard number >= names.records.count else { return (number, false) }
                return (number, names.records.trim(limit: 4 * work.looking))
            }
        }
    }
}
