/// A record of a store, with names instead of numbers.
package struct RecordContents: Sendable {
    /// The identity as text. It is the only name of a record outside the store, because numbers are given again.
    package let id: DataID
    /// The record's type; nil if the record is deleted.
    package let type: TypeName?
    /// The fields in the order in which they were first written.
    package let fields: [(key: StorageKey, value: Value)]
}
