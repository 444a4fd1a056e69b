extension Records {
    /// Returns the errors of a field. A value other than null, which may come from an optimistic layer, has no errors.
    func errors(at key: StorageKeyID, of record: RecordID, with value: UnsafePointer<Value>?) -> [GraphQLError]? {
        guard !fieldErrors.isEmpty, let errors = fieldErrors[record, key], value?.pointee.hasNull ?? true else {
            return nil
        }
        return errors
    }

    /// Adds the errors of a response, and drops the errors of fields that it wrote without errors. Returns the fields
    /// whose errors changed.
    ///
    /// Must run before the values are merged, because the merge takes the staged blocks.
    mutating func mergeErrors(of staged: borrowing StagedRecords) -> [(record: RecordID, key: StorageKeyID)] {
        var changed: [(record: RecordID, key: StorageKeyID)] = []
        func drop(_ record: RecordID, _ key: StorageKeyID, _ errors: inout FieldErrors) {
            if staged.fieldErrors[record, key] == nil, errors.set(nil, record, key) { changed.append((record, key)) }
        }
        // The table changes in place, so that a response in parts with many errors copies nothing (benchmark
        // `parts.errors-growth`).
        var errors = FieldErrors()
        swap(&errors, &fieldErrors)
        if !errors.isEmpty {
            for (position, entry) in staged.entries.enumerated() {
                let keys = errors.keys(of: entry.record)
                if keys.isEmpty { continue }
                let isWhole =
                    entry.isDeleted || entry.isReplaced || entry.type.map { $0 != type(of: entry.record) } ?? false
                let written = staged.shape(position)
                for key in keys where isWhole || written.position(of: key) != nil { drop(entry.record, key, &errors) }
            }
            for record in staged.confirmed {
                let keys = errors.keys(of: record)
                if keys.isEmpty { continue }
                let written = shape(of: record)
                for key in keys where written.position(of: key) != nil { drop(record, key, &errors) }
            }
        }
        for (record, keys) in staged.fieldErrors.records {
            for (key, new) in keys where errors.set(new, record, key) { changed.append((record, key)) }
        }
        swap(&errors, &fieldErrors)
        return changed
    }

    /// Adds the fields whose errors changed to the set of changes.
    mutating func addErrorChanges(
        _ errors: [(record: RecordID, key: StorageKeyID)], in changes: inout ChangeSet, at epoch: Epoch
    ) {
        let known = Set(changes.changes.map(\.record))
        for (record, keys) in Dictionary(grouping: errors, by: \.record) {
            var slot = slot(of: record)
            guard slot.state == .existing else { continue }
            slot.changed = epoch
            setSlot(record, slot)
            let first = changes.keys.count
            changes.keys.append(contentsOf: keys.map(\.key))
            changes.addFields(of: record, from: first)
            if known.contains(record) { changes.repeated += 1 }
        }
    }
}
