/// How much of an operation a store holds.
package enum Availability: Sendable, Hashable {
    /// The store holds all of it, and all is valid. `fetchedAt` is the fetch time of the oldest part; nil if no answer
    /// is known to have brought any part.
    case available(fetchedAt: Duration?)
    /// The store holds all of it, but a part was invalidated after it was fetched, or is older than its limit.
    case stale
    /// The store lacks a part; with the place of the first missing field.
    case missing(MissingPlace)

    /// The value to assume before the store was checked.
    package static let unknown = Availability.missing(MissingPlace())
}

extension Availability {
    /// True if nothing is missing; a part may be stale.
    var isComplete: Bool {
        guard case .missing = self else { return true }
        return false
    }

    /// True if nothing is missing and nothing is stale.
    var isAvailable: Bool {
        guard case .available = self else { return false }
        return true
    }
}

/// The place of a field that a store lacks.
package struct MissingPlace: Sendable, Hashable {
    /// The response keys and list indices from the root.
    package var path: [PathComponent] = []
    /// The record that lacks the field, or that is missing as a whole.
    var record = RecordID.root
    /// The record's type; none if the store does not know the record.
    var type = TypeID.none
    /// The field; nil if the whole record is missing, or if the store does not know whether the record's type belongs
    /// to an abstract type.
    var key: StorageKeyID?
}
