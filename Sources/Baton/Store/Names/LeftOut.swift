/// A record of an answer with the keys that were left out, because the store has newer data. Without keys the whole
/// record was left out.
struct LeftOut: Sendable {
    let record: RecordID
    let keys: [StorageKeyID]
}
