/// The records below a layer: the base with the layers below this one.
struct LayerLevel: LowerRecords {
    let replay: LayerReplay
    let id: LayerID

    func concerns(_ record: RecordID) -> Bool { replay.concerns(record) }
    func existence(of record: RecordID) -> Records.Existence { replay.existence(of: record, below: id) }
    func value(_ key: StorageKeyID, of record: RecordID) -> Value? { replay.value(key, of: record, below: id) }
    func keys(of record: RecordID) -> [StorageKeyID] { replay.keys(of: record, below: id) }
    func whole(_ record: RecordID) -> WholeRecord { replay.whole(record, below: id) }
    /// Every record that layers write or have written.
    var records: Set<RecordID> { replay.concerned }
}
