/// The place of a field that a store lacks.
package struct MissingPlace: Sendable, Hashable {
    /// The response keys and list indices from the root.
    package var path: [JSONValue.PathComponent] = []
    /// The record that lacks the field, or that is missing as a whole.
    var record = RecordID.root
    /// The record's type; none if the store does not know the record.
    var type = TypeID.none
    /// The field; nil if the whole record is missing, or if the store does not know whether the record's type belongs
    /// to an abstract type.
    var key: StorageKeyID?
}
