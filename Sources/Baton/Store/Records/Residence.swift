/// The records that are in memory with all that a file has of them.
///
/// A record that is not resident may have fields, or be there, although the version does not show it. A version whose
/// store has no file has no residence, and all of its records count as resident.
struct Residence: Sendable {
    private var records = RecordSet()

    @inline(__always)
    func contains(_ record: RecordID) -> Bool { records.contains(record) }

    mutating func insert(_ record: RecordID) { records.insert(record) }

    /// Notes that a record has left the memory.
    mutating func remove(_ record: RecordID) { records.remove(record) }
}

extension Records {
    /// Returns true if a file has nothing of a record that this version does not have.
    @inline(__always)
    func isResident(_ record: RecordID) -> Bool { residence?.contains(record) ?? true }

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
