/// The records of a store with the changes of one update on top.
///
/// The changes stand beside the base: writing into a version that somebody else holds too would copy its table of pages, which takes longer the more records there
/// are (benchmark `notify.growth`).
struct UpdatedRecords: Sendable {
    private let base: Records
    private var changed: [RecordID: Records.Slot] = [:]

    init(_ base: Records) {
        self.base = base
    }

    subscript(record: RecordID) -> Records.Slot {
        get { changed[record] ?? base[record] }
        set { changed[record] = newValue }
    }

    /// The value under a key; nil if it is missing.
    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        let slot = self[record]
        return slot.shape.position(of: key).map { slot.values[$0] }
    }

    /// One version with the changes in it. Takes time linear in the changes, and in the number of pages.
    var version: Records {
        var records = base
        for (record, slot) in changed { records[record] = slot }
        return records
    }
}
