/// A statement about how much of an operation's data a store holds.
package enum Coverage: Sendable, Hashable {
    /// The store holds all of the data, and all of it is valid. `fetchedAt` is the fetch time of the oldest part; nil
    /// if no response is known to have brought any part.
    case available(fetchedAt: Duration?)
    /// The store holds all of the data, but a part was invalidated after it was fetched, or is older than its limit.
    case stale
    /// The store lacks a part of the data. The place is that of the first missing field.
    case missing(MissingPlace)

    /// The value before the first check of the store.
    package static let unknown = Coverage.missing(MissingPlace())
}

extension Coverage {
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

extension BoundOperation {
    /// Returns dependencies for a subscription that is notified when the first missing field may have arrived. They are
    /// the record that lacks the field, and the records through which it was reached. Nil if nothing is missing.
    func gap(in records: Records) -> Dependencies? {
        var check = AvailabilityCheck(records: records, plan: plans.write)
        check.check(root)
        guard check.missing != nil else { return nil }
        return Dependencies(
            epoch: records.epoch, selections: BoundSelections(plan: plans.write, use: OperationUse(self)),
            others: check.trail, usesTypeFacts: true)
    }

    /// True if the store, the operation, or a record that it reads was invalidated after a version.
    func wasInvalidated(since epoch: Epoch, in records: Records) -> Bool {
        if records.invalidations.ofStore > epoch { return true }
        guard records.invalidations.ofAnyPart > epoch else { return false }
        if records.invalidations.last(of: key) > epoch { return true }
        var check = AvailabilityCheck(records: records, plan: plans.write, stopsWhenMissing: false)
        check.check(root)
        return check.lastInvalidation > epoch
    }
}

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
