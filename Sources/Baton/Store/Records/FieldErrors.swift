/// The errors that servers sent for fields, by record and storage key. Nearly every version has none.
///
/// An error stays until the field is written without an error or the record is removed.
struct FieldErrors: Sendable {
    private(set) var records: [RecordID: [StorageKeyID: [GraphQLError]]] = [:]

    var isEmpty: Bool { records.isEmpty }

    subscript(record: RecordID, key: StorageKeyID) -> [GraphQLError]? { records[record]?[key] }

    /// Returns the fields of a record that have errors.
    func keys(of record: RecordID) -> [StorageKeyID] { records[record].map { Array($0.keys) } ?? [] }

    /// Adds an error to a field.
    mutating func add(_ error: GraphQLError, _ record: RecordID, _ key: StorageKeyID) {
        records[record, default: [:]][key, default: []].append(error)
    }

    /// Sets the errors of a field; returns true if they have changed.
    mutating func set(_ errors: [GraphQLError]?, _ record: RecordID, _ key: StorageKeyID) -> Bool {
        let old = records[record]?[key] ?? []
        let new = errors ?? []
        guard old.count != new.count || !zip(old, new).allSatisfy({ $0.saysTheSame(as: $1) }) else { return false }
        records[record, default: [:]][key] = new.isEmpty ? nil : new
        if records[record]?.isEmpty == true { records[record] = nil }
        return true
    }

    /// Adds the errors of later work, which replace earlier ones.
    mutating func take(_ later: FieldErrors) {
        for (record, keys) in later.records {
            for (key, errors) in keys { _ = set(errors, record, key) }
        }
    }

    /// Drops the errors of fields to which later work gives a value. A null does not drop them, because a handler may
    /// have copied it.
    mutating func drop(overwrittenBy later: StagedRecords, at position: Int) {
        let entry = later.entries[position]
        for key in keys(of: entry.record) {
            var isGone = entry.isReplaced || entry.isDeleted
            if let value = later.value(position, key), !value.hasNull { isGone = true }
            if isGone { _ = set(nil, entry.record, key) }
        }
    }

    /// Removes the errors of a record.
    mutating func remove(_ record: RecordID) { records[record] = nil }
}

extension GraphQLError {
    /// Returns true for the same message and extensions. The path and the locations are ignored, because they depend on
    /// the operation.
    fileprivate func saysTheSame(as other: GraphQLError) -> Bool {
        message == other.message && extensions == other.extensions
    }
}

extension Value {
    /// True for null and for lists with a null. Only such values can have errors.
    var hasNull: Bool {
        switch self {
        case .null: true
        case .links(let records): records.contains(.none)
        case .list(let values): values.contains { $0.hasNull }
        default: false
        }
    }
}

extension Records {
    /// Returns the errors of a field with this value, which may come from an optimistic layer.
    func errors(at key: StorageKeyID, of record: RecordID, with value: UnsafePointer<Value>?) -> [GraphQLError]? {
        guard !fieldErrors.isEmpty, let errors = fieldErrors[record, key], value?.pointee.hasNull ?? true else {
            return nil
        }
        return errors
    }

    /// Adds the errors of an answer, and drops the errors of fields that it wrote without errors. Returns the fields
    /// whose errors changed.
    ///
    /// Must run before the values are merged, because the merge takes the staged blocks.
    mutating func mergeErrors(of staged: borrowing StagedRecords) -> [(record: RecordID, key: StorageKeyID)] {
        var changed: [(record: RecordID, key: StorageKeyID)] = []
        func drop(_ record: RecordID, _ key: StorageKeyID, _ errors: inout FieldErrors) {
            if staged.fieldErrors[record, key] == nil, errors.set(nil, record, key) { changed.append((record, key)) }
        }
        var errors = fieldErrors
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
        fieldErrors = errors
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
