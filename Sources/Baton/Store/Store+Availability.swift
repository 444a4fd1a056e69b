/// The result of a check of an operation.
package struct Judgement: Sendable {
    /// How much of the operation's data the store holds.
    package let availability: Availability
    /// The reason why the data is stale; nil if it is not.
    package let staleness: StaleCause?
    /// True if missing-field handlers found values, which are now in the store.
    package let hasFound: Bool
}

extension Store {
    /// Checks how much of an operation's data the store holds.
    ///
    /// The rules apply in this order. The data is missing if a field is missing. It is stale if the store, the
    /// operation, a record that it reads or the record's type was invalidated after the fetch. It is stale if a part is
    /// older than its age limit. Otherwise it is available, with the time of the oldest fetch of its parts.
    ///
    /// Every field is judged by the last answer that brought it, whichever operation asked. A field that another
    /// operation fetched again is therefore neither old nor invalidated. A field that no answer brought is judged by
    /// the last fetch of this operation; without such a fetch it is stale after an invalidation. The ID of a record is
    /// as old as the link to it.
    ///
    /// Values that missing-field handlers find are published before the method returns; `announce` gets the summary.
    ///
    /// - Parameter isArriving: True if the later parts of an answer are on their way, so that they do not count as
    ///   missing.
    package func check(
        _ operation: BoundOperation, at now: Duration = .zero, isArriving: Bool = false,
        announce: (PublishSummary) -> Void = { _ in }
    ) -> Availability {
        judge(operation, at: now, isArriving: isArriving, announce: announce).availability
    }

    /// Checks how much of an operation's data the store holds, and why it is stale.
    package func judge(
        _ operation: BoundOperation, at now: Duration = .zero, isArriving: Bool = false,
        announce: (PublishSummary) -> Void = { _ in }
    ) -> Judgement {
        // The hold keeps the numbers of the handlers' values until these have landed.
        let hold = options.missingFieldHandlers.isEmpty ? nil : NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let records = records
        let fetch = lastFetch(of: operation)
        let plan = operation.plans.write
        var checker = AvailabilityCheck(
            records: records, plan: plan,
            .init(fetch: fetch, now: now, handlers: options.missingFieldHandlers))
        checker.skipsLaterParts = isArriving
        checker.check(operation.root)
        if !checker.found.isEmpty { publish(checker.found, records.generation, announce: announce) }
        if let missing = checker.missing {
            return Judgement(availability: .missing(missing), staleness: nil, hasFound: !checker.found.isEmpty)
        }
        let oldest = checker.oldest ?? fetch?.time
        var staleness = checker.staleness
        let invalidated = records.invalidations.last(of: operation.key)
        if invalidated > 0, fetch.map({ $0.epoch < invalidated }) ?? true { staleness = .operation }
        if fetch?.isRevoked == true { staleness = .operation }
        if staleness == nil, let limit = plan.planMarks.maxAge, let oldest, now - oldest > limit {
            staleness = .tooOld(nil, age: now - oldest, limit: limit)
        }
        return Judgement(
            availability: staleness == nil ? .available(fetchedAt: oldest) : .stale, staleness: staleness,
            hasFound: !checker.found.isEmpty)
    }

    /// Publishes the values that handlers found.
    private func publish(_ found: [FoundField], _ generation: Int, announce: (PublishSummary) -> Void) {
        var publication = Publication(source: .missingFieldHandlers, generation: generation)
        publication.records.found = found
        queue.publish(publication, announce: announce)
    }

    /// Returns dependencies for a subscription that is notified when the first missing field of an operation may have
    /// arrived. They are the record that lacks the field, and the records through which it was reached. Nil if nothing
    /// is missing.
    func gap(of operation: BoundOperation) -> Dependencies? {
        let records = records
        let plan = operation.plans.write
        var checker = AvailabilityCheck(records: records, plan: plan)
        checker.check(operation.root)
        guard checker.missing != nil else { return nil }
        return Dependencies(
            epoch: records.epoch, selections: BoundSelections(plan: plan, use: OperationUse(operation)),
            pairs: checker.trail, usesTypeFacts: true)
    }

    /// Returns true if the store, the operation, or a record that it reads was invalidated after a version.
    package func wasInvalidated(_ operation: BoundOperation, since epoch: Epoch) -> Bool {
        let records = records
        if records.invalidated > epoch { return true }
        guard records.recordInvalidated > epoch else { return false }
        if records.invalidations.last(of: operation.key) > epoch { return true }
        var checker = AvailabilityCheck(records: records, plan: operation.plans.write, stopsWhenMissing: false)
        checker.check(operation.root)
        return checker.lastInvalidation > epoch
    }
}
