/// How much of an operation a store holds.
package enum Availability: Sendable, Hashable {
    /// All of it, valid; with the time at which the oldest of it was fetched, if any answer brought it.
    case available(fetchedAt: Duration?)
    /// All of it, but invalidated after it was fetched, or older than its limit.
    case stale
    /// Not all of it; with the place of the first field that is missing.
    case missing(MissingPlace)

    /// Not all of it, as far as somebody knows who has not looked.
    package static let unknown = Availability.missing(MissingPlace())
}

extension Availability {
    /// Nothing is missing, though it may be stale.
    var isComplete: Bool {
        guard case .missing = self else { return true }
        return false
    }

    /// Nothing is missing, and nothing was invalidated.
    var isAvailable: Bool {
        guard case .available = self else { return false }
        return true
    }
}

/// Where a field is that a store lacks.
package struct MissingPlace: Sendable, Hashable {
    /// The response keys and list positions from the root.
    package var path: [PathComponent] = []
    /// The record that lacks the field, or that the store does not know at all.
    var record = RecordID.root
    /// The type of the record; none if the store does not know it.
    var type = TypeID.none
    /// The field; nil if the whole record is missing, or if it is unknown whether its type is of an abstract one.
    var key: StorageKeyID?
}
