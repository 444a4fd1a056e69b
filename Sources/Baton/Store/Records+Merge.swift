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
    /// Values that were replaced, kept until no lock is held: freeing a converted scalar runs the application's code.
    var retired: [Value] = []

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
        for (fact, holds) in staged.facts where learn(fact, holds) {
            changes.hasNewFacts = true
            factsChanged = next
        }
        epoch = next
        if staged.invalidatesStore {
            invalidated = next
            invalidatedRecords = [:]
        }
        for record in staged.invalidated {
            invalidatedRecords[record] = next
            recordInvalidated = next
        }
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
            retire(self[record].values, &changes)
            self[record] = Slot(shape: .empty, values: [], type: self[record].type, state: .deleted, changed: epoch)
            changes.addWhole(record)
            return
        }
        // An update that began before another deleted the record does not bring it back.
        let type = staged.entries[position].type
        if state != .existing, type == nil, record != .root { return }
        let hasNewType = type.map { $0 != self[record].type } ?? false
        if state != .existing || hasNewType || staged.entries[position].isReplaced {
            retire(self[record].values, &changes)
            self[record] = Slot(
                shape: staged.entries[position].shape, values: staged.takeValues(position),
                type: type ?? names.rootType, state: .existing, changed: epoch)
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
        let isSameShape = Self.differences(entry, self[record], &changes.keys)
        guard changes.keys.count > first else { return }
        if isSameShape {
            retire(self[record].values, &changes)
            self[record].values = entry.values
        } else {
            let pair = ShapePair(old: ObjectIdentifier(self[record].shape), new: ObjectIdentifier(entry.shape))
            Self.write(entry, &self[record], unions[pair], names, &changes.retired)
            // Both old shapes live as long as this merge: one in `staged`, the other in the version before.
            if self[record].shape.keys.count <= 64 { unions[pair] = self[record].shape }
        }
        self[record].changed = epoch
        changes.add(record, from: first)
    }

    private func retire(_ values: [Value], _ changes: inout ChangeSet) {
        for value in values {
            if case .scalar = value { changes.retired.append(value) }
        }
    }

    /// Collects the keys whose values differ; says whether both have the same keys at the same positions.
    private static func differences(
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

    /// Static, like `differences`: a call on `self` would hold a copy of it, and writing beside a copy copies the page and the table of pages (benchmark
    /// `notify.growth`).
    private static func write(
        _ entry: borrowing StagedRecords.Entry, _ slot: inout Slot, _ union: Shape?, _ names: NameTable,
        _ retired: inout [Value]
    ) {
        var added: [StorageKeyID] = []
        for (index, key) in entry.shape.keys.enumerated() {
            if let position = slot.shape.position(of: key) {
                if case .scalar = slot.values[position] { retired.append(slot.values[position]) }
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
