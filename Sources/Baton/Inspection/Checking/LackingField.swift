/// A field of an operation's data that the store lacks.
package struct LackingField: Hashable, Sendable {
    let record: RecordID
    let key: StorageKeyID
}
