/// What a check found.
package struct Judgement: Sendable {
    /// How much of the operation is there.
    package let availability: Availability
    /// Why it is stale, if it is.
    package let staleness: StaleCause?
    /// Missing-field handlers found something, which is in the store now.
    package let hasFound: Bool
}

extension Store {
    /// Says how much of an operation is there.
    ///
    /// In this order: missing if a field is missing; stale if the whole store, the operation, a record that the
    /// operation reads or the type of one was invalidated since it was fetched; stale if something that the operation
    /// reads is older than its limit; available otherwise, with the time of the oldest fetch of what it reads.
    ///
    /// Every field counts by the last answer that brought it, whichever operation asked: what another operation fetched
    /// anew is neither old nor invalidated any more. What no answer brought counts by the last fetch of this operation,
    /// and is stale after an invalidation if there was none. The ID of a record is as old as the link to it.
    ///
    /// What missing-field handlers find is published before this returns; `announce` hears of it.
    ///
    /// - Parameter isArriving: the parts that come later are on their way, and not missing.
    package func check(
        _ operation: BoundOperation, at now: Duration = .zero, isArriving: Bool = false,
        announce: (PublishSummary) -> Void = { _ in }
    ) -> Availability {
        judge(operation, at: now, isArriving: isArriving, announce: announce).availability
    }

    /// Says how much of an operation is there, and why it is stale.
    package func judge(
        _ operation: BoundOperation, at now: Duration = .zero, isArriving: Bool = false,
        announce: (PublishSummary) -> Void = { _ in }
    ) -> Judgement {
        // What handlers find is kept until it has landed.
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

    /// Writes what handlers found.
    private func publish(_ found: [FoundField], _ generation: Int, announce: (PublishSummary) -> Void) {
        var publication = Publication(source: .missingFieldHandlers, generation: generation)
        publication.records.found = found
        queue.publish(publication, announce: announce)
    }

    /// What to subscribe to in order to hear when the first field is there that the operation lacks: the record that
    /// lacks it, and those through which it was reached. Nil if nothing is missing.
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

    /// Says whether the store, the operation, or a record that it reads was invalidated after that version.
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
