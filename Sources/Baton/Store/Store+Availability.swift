extension Store {
    /// Says how much of an operation is there.
    ///
    /// In this order: missing if a field is missing; stale if the whole store, or a record that the operation reads, was invalidated since the fetch, or
    /// if there was none; available otherwise.
    package func check(_ operation: BoundOperation) -> Availability {
        let records = records
        let fetch = lastFetch(of: operation)
        var checker = AvailabilityCheck(records: records, plan: operation.plans.write)
        checker.check(operation.root)
        if let missing = checker.missing { return .missing(missing) }
        let invalidated = max(records.invalidated, checker.lastInvalidation)
        if invalidated > 0, fetch.map({ $0.epoch < invalidated }) ?? true { return .stale }
        return .available(fetchedAt: fetch?.time)
    }

    /// Says whether the store, or a record that the operation reads, was invalidated after that version.
    package func wasInvalidated(_ operation: BoundOperation, since epoch: Epoch) -> Bool {
        let records = records
        if records.invalidated > epoch { return true }
        guard records.recordInvalidated > epoch else { return false }
        var checker = AvailabilityCheck(records: records, plan: operation.plans.write, stopsWhenMissing: false)
        checker.check(operation.root)
        return checker.lastInvalidation > epoch
    }
}
