/// Tells what of a store's records the file must not have.
///
/// It answers for one writer at a time, and what it has found about types and keys holds for one batch.
struct UnstoredFilter {
    /// The identity that stands in a list for a record that was left out. No record ever has it, so the item is missing
    /// for whoever reads the list.
    static let identity = Array("client:unstored".utf8)

    private let names: NameTable
    private let types: Set<String>
    /// The names of fields, by the names of types.
    private let fields: [String: Set<String>]
    /// The names of fields of all types.
    private let anyFields: Set<String>
    private let hasOperations: Bool
    private let leftOut: LeftOutRecords
    private var knownTypes: [TypeID: Bool] = [:]
    private var knownFields: [TypeID: [StorageKeyID: Bool]] = [:]

    init(_ data: RelayEnvironment.UnstoredData, _ names: NameTable, _ leftOut: LeftOutRecords) {
        self.names = names
        self.leftOut = leftOut
        types = data.types
        var fields: [String: Set<String>] = [:]
        for field in data.fields {
            let parts = field.split(separator: ".").map(String.init)
            if parts.count == 2 { fields[parts[0], default: []].insert(parts[1]) }
        }
        self.fields = fields
        anyFields = fields.values.reduce(into: []) { $0.formUnion($1) }
        hasOperations = !data.operations.isEmpty
    }

    // MARK: - Records

    /// Returns true if the file must have no link to a record, and notes that: the link may outlive the record in
    /// memory.
    mutating func leavesOutLinks(to record: RecordID, of records: borrowing Records) -> Bool {
        let isLeftOut =
            leavesOut(record, of: records) || hasOperations && isBroughtByUnstored(record, records)
        leftOut.note(record, isLeftOut)
        return isLeftOut
    }

    /// Returns true if the file must not have a record, whatever fields it has.
    mutating func leavesOut(_ record: RecordID, of records: borrowing Records) -> Bool {
        let base = records.base(of: record)
        switch base.state {
        case .existing: if isListed(base.type) { return true }
        case .deleted: break
        case .unknown: if leftOut.contains(record) { return true }
        }
        // What lies below a record that is left out, or below such a field, has no identity of its own.
        var current = record
        while let place = names.place(of: current) {
            let parent = records.base(of: place.parent)
            if parent.state == .existing {
                if isListed(parent.type) || leavesOut(place.key, of: parent.type) { return true }
            } else if !types.isEmpty || leavesOut(place.key, of: names.rootType) {
                // Nobody knows the type of the parent.
                return true
            }
            current = place.parent
        }
        return false
    }

    private mutating func isListed(_ type: TypeID) -> Bool {
        if types.isEmpty { return false }
        if let known = knownTypes[type] { return known }
        let isListed = types.contains(names.name(of: type))
        knownTypes[type] = isListed
        return isListed
    }

    // MARK: - Fields

    /// Returns true if the file must not have a field of records of a type. Nothing says of which type of the schema a
    /// root is, so a root leaves out the fields of all types.
    mutating func leavesOut(_ key: StorageKeyID, of type: TypeID) -> Bool {
        if fields.isEmpty { return false }
        if let known = knownFields[type]?[key] { return known }
        let listed = type == names.rootType ? anyFields : fields[names.name(of: type)] ?? []
        if listed.isEmpty { return false }
        let text = names.name(of: key)
        let name = String(StorageKey(text).fieldName)
        let isLeftOut = listed.contains(name) || name.hasPrefix("__") && Self.isList(name, of: listed)
        // The number of a key with arguments is given to another key in time.
        if name.utf8.count == text.utf8.count { knownFields[type, default: [:]][key] = isLeftOut }
        return isLeftOut
    }

    /// Returns true for the key of the list that a handler keeps for a field, such as `__FilmList_films_connection`.
    private static func isList(_ key: String, of fields: Set<String>) -> Bool {
        let words = "_" + key.dropFirst(2)
        return fields.contains { field in
            var rest = words[...]
            let wanted = "_\(field)_"
            while let start = rest.firstIndex(of: "_") {
                if rest[start...].hasPrefix(wanted) { return true }
                rest = rest[rest.index(after: start)...]
            }
            return false
        }
    }

    // MARK: - Operations

    /// Returns true if all fields that responses have brought are those of operations that are left out.
    private func isBroughtByUnstored(_ record: RecordID, _ records: borrowing Records) -> Bool {
        let base = records.base(of: record)
        guard base.state == .existing else { return false }
        let entries = records.stamps.entries
        let stamp = records.stamps.stamp(of: record)
        if FetchStamps.isWhole(stamp, entries) { return FetchStamps.isUnstored(stamp, entries) }
        var isBrought = false
        for key in base.shape.keys {
            let own = records.stamps.stamp(of: record, key, entries)
            if own == FetchStamps.none { continue }
            guard FetchStamps.isUnstored(own, entries) else { return false }
            isBrought = true
        }
        return isBrought
    }
}

extension FetchStamps {
    /// Returns true if a stamp is that of a response to an operation that the file leaves out.
    static func isUnstored(_ stamp: Stamp, _ entries: [Entry]) -> Bool {
        Int(stamp) < entries.count && entries[Int(stamp)].mark.isUnstored
    }
}

/// The records that the writer has left out of the file.
///
/// State: guarded by a lock of its own, a leaf. The number of a record that is gone may be given to another one, which
/// then counts as left out until it is in memory: it is missing after a restart, and no more.
final class LeftOutRecords: Sendable {
    private let records = Guarded<Set<RecordID>>([])

    func note(_ record: RecordID, _ isLeftOut: Bool) {
        records.withLock { if isLeftOut { $0.insert(record) } else { $0.remove(record) } }
    }

    func contains(_ record: RecordID) -> Bool { records.withLock { $0.contains(record) } }
}
