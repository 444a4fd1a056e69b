extension Store {
    /// Returns the whole store as data, without optimistic layers. Answers of mutations and events are left out unless
    /// something links to them.
    ///
    /// Takes time linear in the store and blocks no other thread.
    package func snapshot(at now: Duration = .zero) -> [UInt8] {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        var writer = SnapshotWriter(records, names, operations.fetched, at: now)
        return writer.bytes()
    }

    /// Replaces the content of the store by a snapshot in one publish, and notifies the subscribers whose fields
    /// differ.
    ///
    /// If the restore throws, nothing has changed. It takes time linear in the store and in the snapshot. `elapsed` is
    /// the time since the snapshot was taken, which is added to the ages in it.
    @discardableResult
    package func restore(
        _ bytes: [UInt8], at now: Duration = .zero, elapsed: Duration = .zero,
        announce: (PublishSummary) -> Void = { _ in }
    ) throws(SnapshotError) -> PublishSummary {
        let snapshot = try SnapshotReader.read(bytes)
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let records = try snapshot.intern(names, bytes)
        let taken = now - BoundedTime.of(elapsed)
        let landed = queue.inTurn {
            turn -> (changes: ChangeSet, epoch: Epoch, old: Records, keys: [FetchRecord])? in
            guard turn.layers.isEmpty else { return nil }
            let old = turn.records
            var next = old
            let changes = next.restore(snapshot, records, names, at: taken)
            let fetched = snapshot.operations.map { operation in
                OperationTable.Restored(
                    name: operation.name, variables: operation.variables,
                    fetch: FetchRecord(
                        key: operation.keys.keys.isEmpty ? nil : operation.keys, time: taken - operation.age,
                        epoch: old.epoch + 1 + Epoch(operation.moment),
                        isRevoked: operation.isRevoked))
            }
            let retired = operations.restore(fetched)
            let epoch = next.epoch
            // The restored records do not count as growth that calls for a collection.
            triggers.setGrowthLimit(after: next.rowCount)
            triggers.setCount(of: next)
            inbox.addChanges(changes)
            turn.change { $0 = next }
            // The old version is freed while no lock is held.
            return (changes, epoch, old, retired)
        }
        guard let landed else { throw .changesInFlight }
        let changes = landed.changes
        let (subscribers, _) = subscriptions.affected(by: changes)
        let summary = PublishSummary(
            epoch: landed.epoch, recordsWritten: changes.recordsWritten,
            recordsChanged: changes.changes.count - changes.repeated, subscriptionsAffected: subscribers.count)
        journal.notePublish(by: .restore, at: landed.epoch, changes)
        announce(summary)
        queue.invalidationWatch.notify()
        for subscriber in subscribers { subscriber.storeDidChange(at: landed.epoch) }
        return summary
    }
}

extension DecodedSnapshot {
    /// Returns the numbers of the identities. `bytes` are the bytes of the snapshot.
    fileprivate func intern(_ names: NameTable, _ bytes: [UInt8]) throws(SnapshotError) -> [RecordID] {
        let keys = keys.map { names.key($0) }
        names.access { $0.records.reserve(ids.count) }
        let records = JSONCursor.reading(bytes) { cursor in
            var records: [RecordID] = []
            records.reserveCapacity(ids.count)
            while records.count < ids.count {
                let range = records.count..<min(records.count + 64, ids.count)
                names.access { names in
                    for id in ids[range] {
                        switch id {
                        case .bytes(let start, let end):
                            records.append(
                                names.records.intern(IDText(prefix: .none, range: start..<end), in: cursor))
                        case .text(let position):
                            records.append(names.records.intern(Array(texts[position].utf8)) ?? .none)
                        case .place(let parent, let key, let index):
                            records.append(
                                names.records.intern(parent: records[Int(parent)], key: keys[Int(key)], index: index))
                        }
                    }
                }
            }
            return records
        }
        var known = RecordSet()
        for (position, record) in records.enumerated() where record != .none && !known.insert(record) {
            throw .notASnapshot("identity \(position) is there twice")
        }
        return records
    }

    /// Returns the blocks in a store's form: with its numbers of types, keys and records.
    fileprivate func makeBlocks(
        _ numbers: [RecordID], _ keys: [StorageKeyID], _ names: NameTable
    ) -> [RecordBlock] {
        let shapes = forms.map { form in
            (type: names.type(form.type), shape: names.shape(form.keys.map { keys[$0] }))
        }
        return blocks.map { block in
            let (type, shape) = shapes[block.form]
            let made = RecordBlock(type, shape, taking: block.rows)
            for (place, hasLinks) in forms[block.form].hasLinks.enumerated() where hasLinks {
                for row in 0..<made.count { made[row, place].renumber(numbers) }
            }
            return made
        }
    }
}

extension Value {
    /// Replaces positions in a list of numbers by the record numbers at those positions.
    fileprivate mutating func renumber(_ numbers: [RecordID]) {
        switch self {
        case .link(let target): self = .link(numbers[Int(target.index)])
        case .links(var targets):
            // With a single reference the list is changed in place.
            self = .null
            for index in targets.indices where targets[index] != .none {
                targets[index] = numbers[Int(targets[index].index)]
            }
            self = .links(targets)
        case .list(var values):
            self = .null
            for index in values.indices { values[index].renumber(numbers) }
            self = .list(values)
        default: break
        }
    }
}

/// Compares records with rows of a snapshot, whose fields have another order.
private struct RowComparison {
    private var own: Shape?
    private var other: Shape?
    /// For each field of a record of the shape `own`, its place in a row of the shape `other`; nil if the two do not
    /// have the same fields.
    private var places: [Int]?

    /// Returns true if a record exists and has the type and exactly the fields of a row.
    mutating func isSame(_ record: RecordID, _ block: RecordBlock, _ row: Int, in records: borrowing Records) -> Bool {
        let slot = records.slot(of: record)
        guard slot.state == .existing, records.type(of: record) == block.type else { return false }
        // Records that lie together have the same shape, so the places of the last shape are kept.
        let shape = records.block(at: slot).shape
        if shape !== own || block.shape !== other { compare(shape, block.shape) }
        guard let places else { return false }
        let (values, others) = (records.values(at: slot), block.row(row))
        for place in places.indices where !values[place].isIdentical(to: others[places[place]]) { return false }
        return true
    }

    private mutating func compare(_ own: Shape, _ other: Shape) {
        (self.own, self.other) = (own, other)
        let places = own.keys.compactMap { other.position(of: $0) }
        self.places = places.count == own.count && own.count == other.count ? places : nil
    }
}

extension Records {
    /// Replaces the content of the version by that of a snapshot; returns the differences.
    fileprivate mutating func restore(
        _ snapshot: DecodedSnapshot, _ numbers: [RecordID], _ names: NameTable, at taken: Duration
    ) -> ChangeSet {
        var changes = ChangeSet()
        let before = epoch
        let next = before + Epoch(snapshot.moments) + 1
        let old = known
        let keys = snapshot.keys.map { names.key($0) }
        restoreRecords(snapshot, numbers, snapshot.makeBlocks(numbers, keys, names), names, next, &changes)
        if !old.isEmpty {
            var kept = RecordSet()
            for record in snapshot.records { kept.insert(numbers[Int(record.id)]) }
            for record in old where !kept.contains(record) {
                setWhole(record, to: .init(state: .unknown, type: .none), at: next, &changes)
            }
        }
        changes.recordsWritten = snapshot.records.count
        stamps = snapshot.stamps(numbers, keys, names, at: taken, after: before)
        restoreErrors(snapshot, numbers, names, &changes)
        restoreFacts(snapshot, names, next, &changes)
        // Whoever has begun to fetch before cannot know what counts now.
        var restored = Invalidations(
            ofStore: snapshot.storeInvalidated.map { before + 1 + Epoch($0) } ?? 0, ofAnyPart: next)
        for (id, moment) in snapshot.invalidatedRecords {
            restored.setLast(of: numbers[id], before + 1 + Epoch(moment))
        }
        for (type, moment) in snapshot.invalidatedTypes {
            restored.setLast(of: .type(names.type(type)), before + 1 + Epoch(moment))
        }
        invalidations = restored
        idsMayDiffer = snapshot.idsMayDiffer
        epoch = next
        return changes
    }

    /// Takes over blocks whose rows are nearly all new records, and writes the other records one by one.
    private mutating func restoreRecords(
        _ snapshot: DecodedSnapshot, _ numbers: [RecordID], _ blocks: [RecordBlock], _ names: NameTable, _ next: Epoch,
        _ changes: inout ChangeSet
    ) {
        var news = Array(repeating: 0, count: blocks.count)
        for record in snapshot.records where record.block >= 0 {
            if state(of: numbers[Int(record.id)]) != .existing { news[Int(record.block)] += 1 }
        }
        let adopted = blocks.indices.map { news[$0] * 8 >= blocks[$0].count * 7 ? adoptBlock(blocks[$0]) : nil }
        changes.changes.reserveCapacity(snapshot.records.count)
        var comparison = RowComparison()
        for record in snapshot.records {
            let number = numbers[Int(record.id)]
            guard record.block >= 0 else {
                setWhole(number, to: .init(state: .deleted, type: .none), at: next, &changes)
                continue
            }
            let block = blocks[Int(record.block)]
            let own = adopted[Int(record.block)].map {
                Slot(block: $0, row: record.row, state: .existing, changed: next)
            }
            if let own, state(of: number) != .existing {
                setSlot(number, own)
                changes.addWhole(number)
            } else {
                // Most records of a store that is restored over itself have not changed (benchmark
                // `restore.over-vs-ingest`).
                if !comparison.isSame(number, block, Int(record.row), in: self) {
                    setWhole(number, to: whole(number, block, Int(record.row), names), at: next, &changes)
                }
                if let own { freeRow(own, &changes.retired) }
            }
        }
    }

    /// Returns a row as a whole record.
    private func whole(_ record: RecordID, _ block: RecordBlock, _ row: Int, _ names: NameTable) -> WholeRecord {
        let own = shape(of: record)
        if state(of: record) != .existing || own === block.shape {
            return .init(state: .existing, type: block.type, shape: block.shape, values: Array(block.row(row)))
        }
        // The record keeps its order of keys, so that similar records share their shape.
        let kept = own.keys.filter { block.shape.position(of: $0) != nil }
        let keys = kept + block.shape.keys.filter { own.position(of: $0) == nil }
        let values = keys.map { key in block.shape.position(of: key).map { block[row, $0] } ?? .null }
        return .init(state: .existing, type: block.type, shape: names.shape(keys), values: values)
    }

    private mutating func restoreErrors(
        _ snapshot: DecodedSnapshot, _ numbers: [RecordID], _ names: NameTable, _ changes: inout ChangeSet
    ) {
        guard !snapshot.errors.isEmpty || !fieldErrors.isEmpty else { return }
        var left = fieldErrors.records.mapValues { Set($0.keys) }
        func set(_ errors: [GraphQLError]?, _ record: RecordID, _ key: StorageKeyID) {
            guard fieldErrors.set(errors, record, key) else { return }
            let first = changes.keys.count
            changes.keys.append(key)
            changes.addFields(of: record, from: first)
            changes.repeated += 1
        }
        for (id, key, errors) in snapshot.errors {
            let key = names.key(key)
            left[numbers[id]]?.remove(key)
            set(errors, numbers[id], key)
        }
        for (record, keys) in left { for key in keys { set(nil, record, key) } }
    }

    private mutating func restoreFacts(
        _ snapshot: DecodedSnapshot, _ names: NameTable, _ next: Epoch, _ changes: inout ChangeSet
    ) {
        var restored: [TypeFact: Bool] = [:]
        for (type, abstractType, holds) in snapshot.facts {
            restored[TypeFact(type: names.type(type), abstractType: names.type(abstractType))] = holds
        }
        guard restored != facts.entries else { return }
        facts.replace(with: restored, at: next)
        changes.hasNewFacts = true
    }
}
