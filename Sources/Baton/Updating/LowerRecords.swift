/// What an optimistic update sees below it: the base, with the layers that stand there.
protocol LowerRecords {
    /// Every record that layers write, or did.
    var records: Set<RecordID> { get }

    /// Says whether a layer writes the record.
    func concerns(_ record: RecordID) -> Bool
    func existence(of record: RecordID) -> Records.Existence
    func value(_ key: StorageKeyID, of record: RecordID) -> Value?
    func keys(of record: RecordID) -> [StorageKeyID]
    func whole(_ record: RecordID) -> WholeRecord
}
