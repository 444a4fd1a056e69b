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

/// The result of a check of a whole operation: it decides whether data is available, stale or missing.
///
/// The rules apply in this order. The data is missing if a field is missing. It is stale if the store, the operation, a
/// record that it reads or the record's type was invalidated after the fetch. It is stale if a part is older than its
/// age limit. Otherwise it is available, with the time of the oldest fetch of its parts.
///
/// Every field counts by the last answer that brought it, whichever operation asked. A field that another operation
/// fetched again is therefore neither old nor invalidated. A field that no answer brought counts by the last fetch of
/// this operation; without such a fetch it is stale after an invalidation. The ID of a record is as old as the link to
/// it. ``AvailabilityCheck`` walks through the records.
package struct AvailabilityResult: Sendable {
    /// How much of the operation's data the store holds.
    package let availability: Availability
    /// The reason why the data is stale; nil if it is not.
    package let staleness: StaleCause?
    /// The values that missing-field handlers found, which the store has to take over.
    let found: [FoundField]

    /// Checks an operation in one version of the records.
    ///
    /// - Parameter isArriving: True if the later parts of an answer are on their way, so that they do not count as
    ///   missing.
    init(
        of operation: BoundOperation, in records: Records, isArriving: Bool, _ question: AvailabilityCheck.Question
    ) {
        let plan = operation.plans.write
        var check = AvailabilityCheck(records: records, plan: plan, question)
        check.skipsLaterParts = isArriving
        check.check(operation.root)
        found = check.found
        if let missing = check.missing {
            availability = .missing(missing)
            staleness = nil
            return
        }
        let (fetch, now) = (question.fetch, question.now)
        let oldest = check.oldest ?? fetch?.time
        var cause = StaleCause(of: operation, fetch, in: records) ?? check.staleness
        if cause == nil, let limit = plan.planMarks.maxAge, let oldest, now - oldest > limit {
            cause = .tooOld(nil, age: now - oldest, limit: limit)
        }
        availability = cause == nil ? .available(fetchedAt: oldest) : .stale
        staleness = cause
    }
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

/// The reason why an operation is stale.
package enum StaleCause: Sendable, Hashable {
    /// The whole store was invalidated after the fetch.
    case store
    /// The operation was invalidated: by itself, or together with every operation of its query.
    case operation
    /// A record that the operation reads was invalidated.
    case record(RecordID)
    /// All records of a type were invalidated; the operation reads this one.
    case type(TypeID, RecordID)
    /// Data is older than its limit. The place is that of the field with the limit; nil for the limit of the whole
    /// operation.
    case tooOld(MissingPlace?, age: Duration, limit: Duration)
}

extension StaleCause {
    /// Makes the cause `operation` if the operation itself was invalidated after its last fetch; otherwise nil.
    init?(of operation: BoundOperation, _ fetch: FetchRecord?, in records: Records) {
        let last = records.invalidations.last(of: operation.key)
        guard last > 0 && (fetch?.epoch ?? 0) < last || fetch?.isRevoked == true else { return nil }
        self = .operation
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
