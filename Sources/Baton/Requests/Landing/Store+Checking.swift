extension Store {
    /// Checks how much of an operation's data the store holds, by the rules of ``AvailabilityResult``.
    ///
    /// Values that missing-field handlers find are published before the method returns.
    ///
    /// - Parameter isArriving: True if later parts of a response are on their way, so that they do not count as
    ///   missing.
    package func check(
        _ operation: BoundOperation, at now: Duration = .zero, isArriving: Bool = false
    ) -> Coverage {
        checkAvailability(of: operation, at: now, isArriving: isArriving).availability
    }

    /// Checks how much of an operation's data the store holds, and the reason why it is stale.
    ///
    /// - Parameters:
    ///   - countsArrivals: True if deferred fields that are on their way for any operation do not count as missing.
    ///   - report: The report of a publish of values that missing-field handlers have found.
    func checkAvailability(
        of operation: BoundOperation, at now: Duration = .zero, isArriving: Bool = false,
        countsArrivals: Bool = false, report: PublishReport? = nil
    ) -> AvailabilityResult {
        // The hold keeps the numbers in the handlers' values until the values have landed.
        let hold = options.missingFieldHandlers.isEmpty ? nil : NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        var records = records
        func look() -> AvailabilityResult {
            AvailabilityResult(
                of: operation, in: records, isArriving: isArriving,
                countsArrivals && !arrivals.isEmpty ? arrivals : nil,
                .init(fetch: operations.fetch(of: operation), now: now, handlers: options.missingFieldHandlers))
        }
        var result = look()
        if case .missing = result.availability, readFromDisk(operation) {
            records = self.records
            result = look()
        }
        if !result.found.isEmpty {
            var publication = Publication(source: .missingFieldHandlers, generation: records.generation)
            publication.records.found = result.found
            land(publication, report: report)
        }
        return result
    }
}
