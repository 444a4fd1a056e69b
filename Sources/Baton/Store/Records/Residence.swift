/// The records that are in memory with all that a file has of them, as far as the documents in use select it.
///
/// A record that is not resident may have fields, or be there, although the version does not show it. A version whose
/// store has no file has no residence, and all of its records count as resident.
struct Residence: Sendable {
    private var records = RecordSet()
    /// The records of which the file has fields that were left there, because no document in use selects them.
    private var partial = RecordSet()
    /// The number of field types that were known when the partial records were read. When more are known, those may
    /// lack a field that can be judged now.
    private var types = 0

    /// Returns true if nothing that can be judged with so many known field types is in the file alone.
    @inline(__always)
    func contains(_ record: RecordID, knowing types: Int) -> Bool {
        records.contains(record) && (types == self.types || !partial.contains(record))
    }

    /// Returns true if other records were judged with more knowledge.
    func knowsMore(than types: Int) -> Bool { types < self.types }

    /// Returns true if nothing of a record is in the file alone.
    @inline(__always)
    func hasAll(of record: RecordID) -> Bool { records.contains(record) && !partial.contains(record) }

    mutating func insert(_ record: RecordID) {
        records.insert(record)
        partial.remove(record)
    }

    /// Notes a record of which fields were left in the file.
    mutating func insertPart(of record: RecordID, knowing types: Int) {
        if types > self.types {
            records.subtract(partial)
            partial = RecordSet()
            self.types = types
        }
        records.insert(record)
        partial.insert(record)
    }

    /// Notes that a record has left the memory.
    mutating func remove(_ record: RecordID) {
        records.remove(record)
        partial.remove(record)
    }
}

extension Records {
    /// Returns true if a file has nothing of a record that this version does not have.
    @inline(__always)
    func hasAll(of record: RecordID) -> Bool { residence?.hasAll(of: record) ?? true }

    /// Returns true if a file has no field of a record that this version does not have and that the documents in use
    /// select. `types` is the number of known field types.
    @inline(__always)
    func isResident(_ record: RecordID, knowing types: Int) -> Bool {
        residence?.contains(record, knowing: types) ?? true
    }

    /// Notes the records of which the file counts no more: deleted, replaced, and those whose type changes.
    mutating func noteReplaced(by staged: borrowing StagedRecords) {
        for entry in staged.entries where isReplaced(by: entry) { residence?.insert(entry.record) }
    }

    /// Returns true if nothing of a record is left after a staged change.
    func isReplaced(by entry: StagedRecords.Entry) -> Bool {
        if entry.isDeleted || entry.isReplaced { return true }
        guard let type = entry.type else { return false }
        let covered = covered[entry.record]
        let state = covered?.state ?? state(of: entry.record)
        return state == .deleted || state == .existing && covered?.type ?? self.type(of: entry.record) != type
    }

    /// The records for a store without a file. What only the file has is missing in them.
    var withoutFile: Records {
        var records = self
        records.residence = nil
        return records
    }
}
