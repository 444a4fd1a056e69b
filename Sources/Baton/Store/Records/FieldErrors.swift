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

    /// Takes over the errors of later work, which replace the errors of earlier work.
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
    /// Returns true for the same message, extensions and other members. The path and the locations are ignored,
    /// because they depend on the operation.
    fileprivate func saysTheSame(as other: GraphQLError) -> Bool {
        message == other.message && extensions == other.extensions && otherMembers == other.otherMembers
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
