/// A record of a response and its keys that were not written, because the store has newer data. Without keys the whole
/// record was left out.
struct LeftOut: Sendable {
    let record: RecordID
    let keys: [StorageKeyID]
}
