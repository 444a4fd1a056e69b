extension RelayEnvironment {
    /// True if there is a log, so that events must be made.
    var isLogging: Bool { log.isLogging }

    /// Returns the time at which a publish begins; zero if there is no log.
    func startOfPublish() -> Duration { log.startOfPublish() }

    /// Returns the report of a publish that is about to begin. Returns nil if nothing is reported.
    func report(
        of source: @autoclosure () -> LogEvent.Publish.Source, since start: Duration? = nil,
        normalizing: Duration? = nil
    ) -> PublishReport? {
        log.report(of: source(), store.names, since: start, normalizing: normalizing)
    }

    /// Checks how much of an operation's data the store holds, publishes the values of missing-field handlers, and
    /// reports to the log.
    ///
    /// - Parameter isArriving: True if later parts of the response may be missing. Nil means true while a request in
    ///   flight has landed a payload and may bring other parts. Deferred fields that requests of other operations bring
    ///   count as missing only if it is false.
    func check(_ operation: BoundOperation, isArriving: Bool? = nil) -> Coverage {
        checkAvailability(of: operation, isArriving: isArriving, at: now()).availability
    }

    /// Checks the data as the method above does, and returns the result as the application is told of it.
    func availability(of operation: BoundOperation) -> Availability {
        let now = now()
        return availability(checkAvailability(of: operation, isArriving: nil, at: now), at: now)
    }

    private func checkAvailability(
        of operation: BoundOperation, isArriving: Bool?, at now: Duration
    ) -> AvailabilityResult {
        let countsArrivals = operation.hasIncrements && isArriving != false
        let isArriving = operation.hasIncrements && isArriving ?? (requests[operation]?.newest != nil)
        let result = store.checkAvailability(
            of: operation, at: now, isArriving: isArriving, countsArrivals: countsArrivals,
            report: report(of: .missingFieldHandlers, since: now))
        emit(
            .checked(
                LogEvent.Check(operationName: operation.artifact.name, availability: availability(result, at: now))))
        log.compareWithSource(operation.artifact)
        return result
    }

    /// Calls the missing-field handlers for an operation's missing fields; returns true if they found a value.
    func findMissing(in operation: BoundOperation) -> Bool {
        guard !store.options.missingFieldHandlers.isEmpty else { return false }
        let time = now()
        let result = store.checkAvailability(
            of: operation, at: time, report: report(of: .missingFieldHandlers, since: time))
        return !result.found.isEmpty
    }

    /// Returns the result of a check as the application is told of it.
    private func availability(_ result: AvailabilityResult, at now: Duration) -> Availability {
        switch result.availability {
        case .available(let fetchedAt): .available(age: fetchedAt.map { now - $0 })
        case .stale: .stale(result.staleness.map(store.staleness) ?? .storeInvalidated)
        case .missing(let place): .missing(store.location(of: place))
        }
    }

    /// Reports to the log that a read found less data than it selects, and notifies the handles that fetch missing data
    /// again.
    func reportMissing(
        _ component: String, _ operation: BoundOperation, _ selections: BoundSelections, at record: RecordID
    ) {
        refreshes.note(missingIn: operation)
        // The data that a reset has removed is not reported as missing.
        guard isLogging, component == operation.artifact.name || !operations.isEmptied(operation) else { return }
        reportMissing(component, operation, missingField(of: selections, at: record))
    }

    /// Reports a missing field to the log.
    func reportMissing(_ component: String, _ operation: BoundOperation, _ location: FieldLocation) {
        emit(
            .missingData(
                LogEvent.MissingData(
                    component: component, operationName: operation.artifact.name, location: location)))
    }

    /// Returns the place of the first missing field of a read; with an empty path if the field has arrived meanwhile.
    func missingField(of selections: BoundSelections, at record: RecordID) -> FieldLocation {
        var check = AvailabilityCheck(records: store.records, plan: selections.plan)
        check.check(record)
        return check.missing.map(store.location) ?? FieldLocation(path: [])
    }
}
