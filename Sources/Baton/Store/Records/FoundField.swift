/// A value that a missing-field handler found for a field.
struct FoundField: Sendable {
    let record: RecordID
    let key: StorageKeyID
    let value: Value
}
