// A version has the base with every optimistic layer applied. For each record that a layer writes, it also has the
// record of the base.

extension Records {
    /// Returns true if a layer writes the record.
    @inline(__always)
    func isCovered(_ record: RecordID) -> Bool { !covered.isEmpty && covered[record] != nil }

    /// Returns true if the base of a record may have changed since an older version in which no layer wrote the record.
    @inline(__always)
    func isOtherwise(_ record: RecordID, since epoch: Epoch) -> Bool { changed(record) > epoch || isCovered(record) }

    /// Returns a record without layers.
    func base(of record: RecordID) -> WholeRecord {
        if !covered.isEmpty, let own = covered[record] { return own }
        return whole(record)
    }

    /// Returns a record as readers see it.
    func whole(_ record: RecordID) -> WholeRecord {
        .init(state: state(of: record), type: type(of: record), shape: shape(of: record), values: values(of: record))
    }

    /// For each record that a layer writes, the links of the base that readers do not see. A record whose type or state
    /// the layer changes is listed even without such links.
    var hiddenLinks: [RecordID: [(key: StorageKeyID, value: Value)]] {
        var found: [RecordID: [(key: StorageKeyID, value: Value)]] = [:]
        for (record, own) in covered where own.state == .existing {
            let isOther = state(of: record) != .existing || type(of: record) != own.type
            let links = hiddenLinks(of: own, at: record)
            if isOther || !links.isEmpty { found[record] = links }
        }
        return found
    }

    /// Returns the links of a record's base that readers do not see.
    func hiddenLinks(of base: WholeRecord, at record: RecordID) -> [(key: StorageKeyID, value: Value)] {
        zip(base.shape.keys, base.values).filter { key, value in
            value.linksToRecords && self.value(key, of: record).map { !$0.isIdentical(to: value) } ?? true
        }
    }

    /// The base. Takes time linear in the covered records and, if there are any, in the number of pages and blocks.
    var withoutLayers: Records {
        guard !covered.isEmpty else { return self }
        var records = self
        for (record, own) in covered { records.write(record, own) }
        records.covered = [:]
        return records
    }

    /// The version whose records are what readers see, as if there were no layers.
    var withLayersAsOwn: Records {
        var records = self
        records.covered = [:]
        return records
    }

    /// Writes a whole record into a copy of a version, without looking for differences. Must be called while no lock is
    /// held.
    mutating func write(_ record: RecordID, _ new: WholeRecord) {
        var retired = Retired()
        write(record, new, changed: 0, &retired)
    }

    private mutating func write(_ record: RecordID, _ new: WholeRecord, changed: Epoch, _ retired: inout Retired) {
        switch new.state {
        case .existing: replace(record, new.type, new.shape, new.values, changed: changed, &retired)
        case .deleted: delete(record, changed: changed, &retired)
        case .unknown: unwrite(record, changed: changed, &retired)
        }
    }

    /// Writes a whole record and notes which of its fields have changed.
    mutating func setWhole(
        _ record: RecordID, to new: WholeRecord, at epoch: Epoch, _ changes: inout ChangeSet
    ) {
        let old = slot(of: record)
        guard old.state == .existing, new.state == .existing, type(of: record) == new.type else {
            guard old.state != new.state || old.state == .existing else { return }
            changes.addWhole(record)
            write(record, new, changed: epoch, &changes.retired)
            return
        }
        let shape = shape(of: record)
        let first = changes.keys.count
        var isInPlace = shape.count == new.shape.count
        for (position, key) in new.shape.keys.enumerated() {
            guard let place = shape.position(of: key) else {
                isInPlace = false
                changes.keys.append(key)
                continue
            }
            if !value(at: old, place).isIdentical(to: new.values[position]) { changes.keys.append(key) }
        }
        if !isInPlace {
            for key in shape.keys where new.shape.position(of: key) == nil { changes.keys.append(key) }
        }
        guard changes.keys.count > first else { return }
        if isInPlace {
            var slot = slotToChange(old, &changes.retired)
            for key in changes.keys[first...] {
                guard let place = shape.position(of: key), let position = new.shape.position(of: key) else { continue }
                setValue(new.values[position], at: slot, place, &changes.retired)
            }
            slot.changed = epoch
            setSlot(record, slot)
        } else {
            replace(record, new.type, new.shape, new.values, changed: epoch, &changes.retired)
        }
        changes.addFields(of: record, from: first)
    }

    /// Writes some fields of an existing record, where nil makes a field missing, and notes which fields have changed.
    mutating func setFields(
        _ record: RecordID, _ keys: [StorageKeyID], to values: [Value?], _ names: NameTable,
        _ changes: inout ChangeSet
    ) {
        var slot = slot(of: record)
        guard slot.state == .existing else { return }
        let shape = shape(of: record)
        let isInPlace = zip(keys, values).allSatisfy { key, value in
            (shape.position(of: key) == nil) == (value == nil)
        }
        guard isInPlace else {
            var new = whole(record)
            for (key, value) in zip(keys, values) { new.set(key, value, names) }
            return setWhole(record, to: new, at: epoch, &changes)
        }
        let first = changes.keys.count
        for (key, value) in zip(keys, values) {
            guard let place = shape.position(of: key), let value else { continue }
            if self.value(at: slot, place).isIdentical(to: value) { continue }
            if changes.keys.count == first { slot = slotToChange(slot, &changes.retired) }
            changes.keys.append(key)
            setValue(value, at: slot, place, &changes.retired)
        }
        guard changes.keys.count > first else { return }
        slot.changed = epoch
        setSlot(record, slot)
        changes.addFields(of: record, from: first)
    }
}

extension StagedRecords {
    /// Stages the values of missing-field handlers for records of the base, if the fields are still missing.
    mutating func stageFound(under records: Records, _ names: NameTable) {
        for field in found {
            let base = records.base(of: field.record)
            guard base.state == .existing || field.record == .root, base.value(field.key) == nil else { continue }
            set(positionAdding(field.record), field.key, field.value, names)
        }
        found = []
    }
}
