/// What a merge changed, by record and key.
struct ChangeSet: Sendable {
    struct Change: Sendable {
        let record: RecordID
        /// The changed keys, in `keys`.
        let first: Int
        let count: Int
        let bits: UInt64
        /// The type or the existence changed: every reader of the record is concerned.
        let isWhole: Bool
    }

    var changes: [Change] = []
    var keys: [StorageKeyID] = []
    var hasNewFacts = false
    var recordsWritten = 0

    var isEmpty: Bool { changes.isEmpty && !hasNewFacts }

    mutating func addWhole(_ record: RecordID) {
        changes.append(Change(record: record, first: keys.count, count: 0, bits: 0, isWhole: true))
    }

    /// Adds the keys from `first` on as the change of a record.
    mutating func add(_ record: RecordID, from first: Int) {
        let bits = keys[first...].reduce(0) { $0 | $1.bit }
        changes.append(Change(record: record, first: first, count: keys.count - first, bits: bits, isWhole: false))
    }
}

extension Records {
    /// Writes what was staged, field by field, and tells what is different now. Pages without a difference are not touched.
    mutating func merge(_ staged: consuming StagedRecords, _ names: NameTable) -> ChangeSet {
        var staged = staged
        var changes = ChangeSet()
        changes.recordsWritten = staged.entries.count
        let next = epoch + 1
        // Records that had one shape and get fields of another go through the same union.
        var unions: [ShapePair: Shape] = [:]
        for position in staged.entries.indices { merge(&staged, position, next, names, &unions, &changes) }
        for (fact, holds) in staged.facts where learn(fact, holds) { changes.hasNewFacts = true }
        epoch = next
        if staged.invalidatesStore { invalidated = next }
        for record in staged.invalidated { invalidatedRecords[record] = next }
        return changes
    }

    private struct ShapePair: Hashable {
        let old: ObjectIdentifier
        let new: ObjectIdentifier
    }

    private mutating func merge(
        _ staged: inout StagedRecords, _ position: Int, _ epoch: Epoch, _ names: NameTable,
        _ unions: inout [ShapePair: Shape], _ changes: inout ChangeSet
    ) {
        let record = staged.entries[position].record
        let state = self[record].state
        if staged.entries[position].isDeleted {
            guard state != .deleted else { return }
            self[record] = Slot(shape: .empty, values: [], type: self[record].type, state: .deleted, changed: epoch)
            changes.addWhole(record)
            return
        }
        if state != .existing || staged.entries[position].isReplaced {
            self[record] = Slot(
                shape: staged.entries[position].shape, values: staged.takeValues(position),
                type: staged.entries[position].type ?? self[record].type, state: .existing, changed: epoch)
            changes.addWhole(record)
            return
        }
        merge(staged.entries[position], epoch, names, &unions, &changes)
    }

    private mutating func merge(
        _ entry: borrowing StagedRecords.Entry, _ epoch: Epoch, _ names: NameTable, _ unions: inout [ShapePair: Shape],
        _ changes: inout ChangeSet
    ) {
        let record = entry.record
        let first = changes.keys.count
        let isSameShape = differences(entry, self[record], &changes.keys)
        let hasNewType = entry.type.map { $0 != self[record].type } ?? false
        guard changes.keys.count > first || hasNewType else { return }
        if isSameShape {
            self[record].values = entry.values
        } else {
            let pair = ShapePair(old: ObjectIdentifier(self[record].shape), new: ObjectIdentifier(entry.shape))
            write(entry, &self[record], unions[pair], names)
            // Both old shapes live as long as this merge: one in `staged`, the other in the version before.
            if self[record].shape.keys.count <= 64 { unions[pair] = self[record].shape }
        }
        self[record].changed = epoch
        if let type = entry.type { self[record].type = type }
        if hasNewType {
            changes.keys.removeSubrange(first...)
            changes.addWhole(record)
        } else {
            changes.add(record, from: first)
        }
    }

    /// Collects the keys whose values differ; says whether both have the same keys at the same positions.
    private func differences(
        _ entry: borrowing StagedRecords.Entry, _ slot: borrowing Slot, _ keys: inout [StorageKeyID]
    ) -> Bool {
        if entry.shape === slot.shape {
            for index in entry.values.indices where !entry.values[index].isIdentical(to: slot.values[index]) {
                keys.append(entry.shape.keys[index])
            }
            return true
        }
        for (index, key) in entry.shape.keys.enumerated() {
            if let position = slot.shape.position(of: key), entry.values[index].isIdentical(to: slot.values[position]) {
                continue
            }
            keys.append(key)
        }
        return false
    }

    private func write(
        _ entry: borrowing StagedRecords.Entry, _ slot: inout Slot, _ union: Shape?, _ names: NameTable
    ) {
        var added: [StorageKeyID] = []
        for (index, key) in entry.shape.keys.enumerated() {
            if let position = slot.shape.position(of: key) {
                slot.values[position] = entry.values[index]
            } else {
                added.append(key)
                slot.values.append(entry.values[index])
            }
        }
        guard !added.isEmpty else { return }
        slot.shape = union ?? names.shape(slot.shape.keys + added)
    }
}
