/// The errors that servers sent for fields, by record and storage key; empty in nearly every version.
///
/// An error stays until the field is written without one or the record goes.
struct FieldErrors: Sendable {
    private(set) var records: [RecordID: [StorageKeyID: [GraphQLError]]] = [:]

    var isEmpty: Bool { records.isEmpty }

    subscript(record: RecordID, key: StorageKeyID) -> [GraphQLError]? { records[record]?[key] }

    /// The fields of a record that have errors.
    func keys(of record: RecordID) -> [StorageKeyID] { records[record].map { Array($0.keys) } ?? [] }

    /// Adds an error to a field.
    mutating func add(_ error: GraphQLError, _ record: RecordID, _ key: StorageKeyID) {
        records[record, default: [:]][key, default: []].append(error)
    }

    /// Sets the errors of a field; true if they are others than before.
    mutating func set(_ errors: [GraphQLError]?, _ record: RecordID, _ key: StorageKeyID) -> Bool {
        let old = records[record]?[key] ?? []
        let new = errors ?? []
        guard old.count != new.count || !zip(old, new).allSatisfy({ $0.saysTheSame(as: $1) }) else { return false }
        records[record, default: [:]][key] = new.isEmpty ? nil : new
        if records[record]?.isEmpty == true { records[record] = nil }
        return true
    }

    /// Takes over the errors of later work, which win.
    mutating func take(_ later: FieldErrors) {
        for (record, keys) in later.records {
            for (key, errors) in keys { _ = set(errors, record, key) }
        }
    }

    /// Drops the errors of fields to which later work gives a value. A null says no more than before: a handler copies
    /// it.
    mutating func drop(overwrittenBy later: StagedRecords, at position: Int) {
        let entry = later.entries[position]
        for key in keys(of: entry.record) {
            var isGone = entry.isReplaced || entry.isDeleted
            if let value = later.value(position, key), !value.hasNull { isGone = true }
            if isGone { _ = set(nil, entry.record, key) }
        }
    }

    /// Forgets the errors of a record that goes.
    mutating func remove(_ record: RecordID) { records[record] = nil }
}

extension GraphQLError {
    /// The path and the position depend on the operation through which the field was reached.
    fileprivate func saysTheSame(as other: GraphQLError) -> Bool {
        message == other.message && extensions == other.extensions
    }
}

extension Value {
    /// It is null, or a list with a null: only there an error has something to say.
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
    /// The errors of a field with this value, which may be that of an optimistic layer.
    func errors(at key: StorageKeyID, of record: RecordID, with value: UnsafePointer<Value>?) -> [GraphQLError]? {
        guard !fieldErrors.isEmpty, let errors = fieldErrors[record, key], value?.pointee.hasNull ?? true else {
            return nil
        }
        return errors
    }

    /// Takes over the errors of an answer, and drops those of fields that it wrote without; the fields whose errors
    /// changed.
    ///
    /// Runs before the values are merged, whose blocks the merge takes away.
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

    /// Adds the fields whose errors changed to those whose values did.
    mutating func note(
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
            changes.add(record, from: first)
            if known.contains(record) { changes.repeated += 1 }
        }
    }
}
