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
        // Neighbouring records have the same shape, so the places of the last shape are kept.
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
    /// Replaces the content of the version by the content of a snapshot; returns the differences.
    mutating func restore(
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
        // `ofAnyPart` is the new version, so a fetch that began before the restore is compared with the restored
        // invalidations.
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
