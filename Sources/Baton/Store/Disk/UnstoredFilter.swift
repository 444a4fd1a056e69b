/// Tells what of a store's records the file must not have.
///
/// It answers for one writer at a time, and what it has found about keys holds for one batch.
struct UnstoredFilter {
    /// The greatest number of cuts of an edge's identity that are tried.
    private static let mostCuts = 6

    private let names: NameTable
    private let types: [TypeID]
    /// The names of fields, by the types.
    private let fields: [TypeID: Set<String>]
    /// The names of fields of all types.
    private let anyFields: Set<String>
    private let hasOperations: Bool
    private let leftOut: LeftOutRecords
    private var knownFields: [TypeID: [StorageKeyID: Bool]] = [:]

    init(_ data: RelayEnvironment.UnstoredData, _ names: NameTable, _ leftOut: LeftOutRecords) {
        self.names = names
        self.leftOut = leftOut
        types = data.types.map { names.type($0) }
        var fields: [TypeID: Set<String>] = [:]
        for field in data.fields {
            let parts = field.split(separator: ".").map(String.init)
            if parts.count == 2 { fields[names.type(parts[0]), default: []].insert(parts[1]) }
        }
        self.fields = fields
        anyFields = fields.values.reduce(into: []) { $0.formUnion($1) }
        hasOperations = !data.operations.isEmpty
    }

    // MARK: - Records

    /// Returns true if the file must have no link to a record.
    ///
    /// The answer for a record in memory is noted. It holds for a link that outlives the record there.
    mutating func leavesOutLinks(to record: RecordID, of records: borrowing Records) -> Bool {
        switch records.baseState(of: record) {
        case .existing:
            let isLeftOut = leavesOut(record, of: records) || isBroughtByUnstored(record, of: records)
            leftOut.note(record, isLeftOut)
            return isLeftOut
        // A record without a verdict was made and deleted between two writes, and its type is gone with it.
        case .deleted: return leftOut.verdict(of: record) ?? true
        case .unknown: return leftOut.verdict(of: record) ?? isBelowLeftOut(record, of: records)
        }
    }

    /// Returns true if the file must not have a record that is in memory, whatever fields it has.
    mutating func leavesOut(_ record: RecordID, of records: borrowing Records) -> Bool {
        isListed(records.baseType(of: record), in: records) || isBelowLeftOut(record, of: records)
            || isEdgeOfLeftOut(record, of: records)
    }

    /// Returns true for a record without an identity of its own that lies below a record or a field which is left out.
    private mutating func isBelowLeftOut(_ record: RecordID, of records: borrowing Records) -> Bool {
        var current = record
        while let place = names.place(of: current) {
            switch records.baseState(of: place.parent) {
            case .existing:
                let type = records.baseType(of: place.parent)
                if isListed(type, in: records) || leavesOut(place.key, of: type) { return true }
            // The type of the parent is gone with it.
            case .deleted: if !types.isEmpty || leavesOut(place.key, of: names.rootType) { return true }
            case .unknown:
                if leftOut.verdict(of: place.parent) == true || leavesOut(place.key, of: names.rootType) { return true }
            }
            current = place.parent
        }
        return isEdge(current, of: records)
    }

    private func isListed(_ type: TypeID, in records: borrowing Records) -> Bool {
        for listed in types {
            if listed == type || records.facts[TypeFact(type: type, abstractType: listed)] == true { return true }
        }
        return false
    }

    // MARK: - Connections

    /// Returns true for an edge whose node is left out: it has the node's cursor.
    private mutating func isEdgeOfLeftOut(_ record: RecordID, of records: borrowing Records) -> Bool {
        guard record != .root, case .link(let node)? = records.base(of: record).value(names.connections.node) else {
            return false
        }
        return leavesOutByTypeOrPlace(node, of: records)
    }

    /// Judges a node or a connection by its type and its place alone: a node may have a node, and so on in a circle.
    private mutating func leavesOutByTypeOrPlace(_ node: RecordID, of records: borrowing Records) -> Bool {
        switch records.baseState(of: node) {
        case .existing: isListed(records.baseType(of: node), in: records) || isBelowLeftOutPlace(node, of: records)
        case .deleted: leftOut.verdict(of: node) ?? true
        case .unknown: leftOut.verdict(of: node) ?? false
        }
    }

    private mutating func isBelowLeftOutPlace(_ record: RecordID, of records: borrowing Records) -> Bool {
        names.place(of: record) != nil && isBelowLeftOut(record, of: records)
    }

    /// Returns true for the edge of a connection that the client keeps if the connection or the node is left out. Both
    /// stand in the text of the edge's identity.
    private mutating func isEdge(_ record: RecordID, of records: borrowing Records) -> Bool {
        guard case .text(let text) = names.identity(of: record), text.hasPrefix("client:") else { return false }
        for (number, (connection, node)) in EdgeCuts(of: text).enumerated() {
            // A server may send an identity with any number of marks, and each costs a search.
            if number == Self.mostCuts { return true }
            guard let connection = names.record(DataID(connection), adding: false), connection != record else {
                continue
            }
            if leavesOutByTypeOrPlace(connection, of: records) { return true }
            guard let node = names.record(DataID(node), adding: false) else { return true }
            if node != record, leavesOutByTypeOrPlace(node, of: records) { return true }
        }
        return false
    }

    // MARK: - Fields

    /// Returns true if the file must not have a field of records of a type. Nothing says of which type of the schema a
    /// root is, so a root leaves out the fields of all types.
    mutating func leavesOut(_ key: StorageKeyID, of type: TypeID) -> Bool {
        if fields.isEmpty { return false }
        if let known = knownFields[type]?[key] { return known }
        let listed = type == names.rootType ? anyFields : fields[type] ?? []
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
    func isBroughtByUnstored(_ record: RecordID, of records: borrowing Records) -> Bool {
        guard hasOperations else { return false }
        let base = records.base(of: record)
        guard base.state == .existing else { return false }
        let entries = records.stamps.entries
        let stamp = records.stamps.stamp(of: record)
        if FetchStamps.isWhole(stamp, entries) { return FetchStamps.isUnstored(stamp, entries) }
        var isBrought = false
        for key in base.shape.keys {
            let own = records.stamps.stamp(of: record, key, entries)
            if own == FetchStamps.none || own == FetchStamps.derived { continue }
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

extension Records {
    /// The state of a record without layers. Unlike `base(of:)` it copies no values.
    fileprivate func baseState(of record: RecordID) -> State {
        if !covered.isEmpty, let own = covered[record] { return own.state }
        return state(of: record)
    }

    /// The type of a record without layers.
    fileprivate func baseType(of record: RecordID) -> TypeID {
        if !covered.isEmpty, let own = covered[record] { return own.type }
        return type(of: record)
    }
}

/// Whether the file may have the records that were judged so far.
///
/// State: guarded by a lock of its own, a leaf. A record is forgotten when its number is freed.
final class LeftOutRecords: Sendable {
    private let verdicts = Guarded<[RecordID: Bool]>([:])

    func note(_ record: RecordID, _ isLeftOut: Bool) { verdicts.withLock { $0[record] = isLeftOut } }

    /// Returns true for a record that was left out, and nil for one that was not judged.
    func verdict(of record: RecordID) -> Bool? { verdicts.withLock { $0[record] } }

    func forget(_ records: [RecordID]) {
        if records.isEmpty { return }
        verdicts.withLock { verdicts in for record in records { verdicts[record] = nil } }
    }
}
