/// What has changed in the base since it was last written to the file.
///
/// A publish adds its change set as it is, which takes constant time. The writer, and a collection before it sweeps,
/// fold the sets into one table.
struct UnwrittenChanges: Sendable {
    /// The changed fields of one record.
    enum Fields: Sendable {
        case some(Set<StorageKeyID>)
        /// Every field that the record has. A field that the file alone has stays.
        case all
        /// The record replaces what the file has.
        case replaced

        mutating func add(_ other: Fields) {
            switch (self, other) {
            case (.replaced, _), (.all, .some): break
            case (_, .replaced): self = .replaced
            case (.some(let own), .some(let others)): self = .some(own.union(others))
            case (_, .all): self = .all
            }
        }
    }

    private struct Pending {
        let changes: [ChangeSet.Change]
        let keys: [StorageKeyID]
        let stamped: [RecordID]
    }

    private var pending: [Pending] = []
    /// The changed records.
    private(set) var records: [RecordID: Fields] = [:]
    /// The records of the batch that is being written. They must not leave the memory either.
    private(set) var inFlight: [RecordID: Fields] = [:]
    /// True if type facts, invalidations of types or the whole store have changed.
    var hasNewFacts = false
    var hasNewInvalidations = false
    /// True if the file has to be emptied before anything else is written.
    var isEmptied = false
    /// The types of which the file has to lose all records before anything else is written.
    private(set) var clearedTypes: Set<String> = []

    var isEmpty: Bool {
        pending.isEmpty && records.isEmpty && !hasNewFacts && !hasNewInvalidations && !isEmptied
            && clearedTypes.isEmpty
    }

    // MARK: - For publishes

    /// Adds the changes of a merge. `replaced` are the records of which nothing old is left, and `stamped` those that a
    /// response has only confirmed.
    mutating func note(_ changes: borrowing ChangeSet, replaced: [RecordID], stamped: [RecordID]) {
        for record in replaced { add(.replaced, of: record) }
        if changes.hasNewFacts { hasNewFacts = true }
        if changes.changes.isEmpty, stamped.isEmpty { return }
        pending.append(Pending(changes: changes.changes, keys: changes.keys, stamped: stamped))
        if pending.count > Self.mostPending { fold() }
    }

    /// The greatest number of sets that wait, so that a file that cannot be written holds no endless list of them.
    private static let mostPending = 256

    /// Adds a record whose fields differ in the base, or whose invalidation does.
    mutating func add(_ fields: Fields, of record: RecordID) {
        if var known = records[record] {
            known.add(fields)
            records[record] = known
        } else {
            records[record] = fields
        }
    }

    /// Drops all changes, because the store was emptied.
    mutating func empty() {
        let flying = inFlight
        self = UnwrittenChanges()
        isEmptied = true
        // What was fetched before counts as stale, also after a restart.
        hasNewInvalidations = true
        inFlight = flying
    }

    /// Drops all changes like `empty`, and those of the batch that is being written too: the records stay in memory, so
    /// a batch that fails would be written again.
    mutating func clear() {
        empty()
        inFlight = [:]
    }

    /// Has the file lose all records of a type, and drops the changes of records that are of this type.
    mutating func clear(_ type: String, isOfType: (RecordID) -> Bool) {
        fold()
        for record in Array(records.keys) where isOfType(record) { records[record] = nil }
        for record in Array(inFlight.keys) where isOfType(record) { inFlight[record] = nil }
        clearedTypes.insert(type)
    }

    /// Takes the types whose records have to go.
    mutating func takeClearedTypes() -> Set<String> {
        defer { clearedTypes = [] }
        return clearedTypes
    }

    mutating func putBack(clearedTypes types: Set<String>) { clearedTypes.formUnion(types) }

    // MARK: - For the writer and for collections

    mutating func fold() {
        for part in pending {
            for change in part.changes {
                let keys = part.keys[change.first..<change.first + change.count]
                add(change.isWhole ? .all : .some(Set(keys)), of: change.record)
            }
            for record in part.stamped { add(.all, of: record) }
        }
        pending = []
    }

    /// Returns true if a record must stay in memory because the file does not have it. The changes must be folded.
    func needs(_ record: RecordID) -> Bool { records[record] != nil || inFlight[record] != nil }

    /// Takes all changed records for a batch.
    mutating func take() -> [RecordID: Fields] {
        fold()
        let taken = records
        records = [:]
        if inFlight.isEmpty {
            inFlight = taken
        } else {
            for (record, fields) in taken {
                if var known = inFlight[record] {
                    known.add(fields)
                    inFlight[record] = known
                } else {
                    inFlight[record] = fields
                }
            }
        }
        return taken
    }

    /// Ends a batch. The changes of one that failed count as unwritten again.
    mutating func endBatch(isWritten: Bool) {
        if !isWritten { for (record, fields) in inFlight { add(fields, of: record) } }
        inFlight = [:]
    }
}
