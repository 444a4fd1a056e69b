/// What of an answer was left out because something newer is there; without keys the whole record.
struct LeftOut: Sendable {
    let record: RecordID
    let keys: [StorageKeyID]
}
