/// The reached records and fields.
struct Marks: Sendable {
    /// The reached records; some of them may be unknown or deleted.
    var records = RecordSet()
    /// The reached fields of the query root.
    var rootKeys: Set<StorageKeyID> = []
    /// The reached fields of records with very many fields with arguments; nearly always empty.
    var wideKeys: [RecordID: Set<StorageKeyID>] = [:]
    /// The links that layers hide from readers, by record; nearly always empty.
    var hidden: [RecordID: [(key: StorageKeyID, value: Value)]] = [:]

    /// Returns true if the reached fields of a record are noted.
    @inline(__always)
    func isWatched(_ record: RecordID) -> Bool {
        record == .root || !wideKeys.isEmpty && wideKeys[record] != nil
    }

    /// Notes a reached field, if its record is watched.
    mutating func noteField(_ key: StorageKeyID, of record: RecordID) {
        if record == .root { rootKeys.insert(key) } else { wideKeys[record]?.insert(key) }
    }
}
