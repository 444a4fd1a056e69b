/// The records below an optimistic update: the base with the layers below the update.
protocol LowerRecords {
    /// Every record that these layers write or have written.
    var records: Set<RecordID> { get }

    /// Returns true if a layer writes the record.
    func concerns(_ record: RecordID) -> Bool
    func existence(of record: RecordID) -> Records.Existence
    func value(_ key: StorageKeyID, of record: RecordID) -> Value?
    func keys(of record: RecordID) -> [StorageKeyID]
    func whole(_ record: RecordID) -> WholeRecord
}
