// Freshness has several owners, this one for the decision; ReadingTheDesign.md names the others.

/// The result of a check of a whole operation: the data is available, stale or missing.
///
/// The rules apply in this order. The data is missing if a field is missing. It is stale if the store, the operation, a
/// record that it reads or the record's type was invalidated after the fetch. It is stale if a part is older than its
/// age limit. Otherwise it is available, with the time of the oldest fetch of its parts.
///
/// Every field counts by the last response that brought it, whatever the operation of that response. So a field that
/// another operation fetched again is neither old nor invalidated. A field that no response brought counts by the last
/// fetch of this operation; without such a fetch it is stale after an invalidation. The ID of a record is as old as the
/// link to the record. ``AvailabilityCheck`` visits the records.
package struct AvailabilityResult: Sendable {
    /// The availability of the operation's data.
    package let availability: Coverage
    /// The reason why the data is stale; nil if it is not.
    package let staleness: StaleCause?
    /// The values that missing-field handlers found. The caller must write them into the store.
    let found: [FoundField]

    /// Checks an operation in one version of the records.
    ///
    /// - Parameter isArriving: True if later parts of a response are on their way, so that they do not count as
    ///   missing.
    /// - Parameter arrivals: Has the deferred fields that do not count as missing because they are on their way.
    init(
        of operation: BoundOperation, in records: Records, isArriving: Bool, _ arrivals: Arrivals?,
        _ question: AvailabilityCheck.Question
    ) {
        let plan = operation.plans.write
        var check = AvailabilityCheck(records: records, plan: plan, question)
        check.skipsLaterParts = isArriving
        check.arrivals = arrivals
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
