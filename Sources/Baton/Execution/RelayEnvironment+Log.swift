extension RelayEnvironment {
    /// The time at which a publish begins, if somebody wants to know how long it takes.
    func startOfPublish() -> Duration { isLogging ? now() : .zero }

    /// Tells the log of a publish that has landed, and of what was odd about it.
    func report(
        _ summary: PublishSummary, _ source: PublishEvent.Source, since start: Duration, normalizing: Duration? = nil
    ) {
        guard isLogging else { return }
        reportNames()
        let number = Int(truncatingIfNeeded: summary.epoch)
        for change in summary.typeChanges {
            emit(
                .typeChanged(
                    TypeChangeEvent(
                        dataID: store.names.dataID(of: change.record),
                        oldType: TypeName(store.names.name(of: change.old)),
                        newType: TypeName(store.names.name(of: change.new)), publish: number)))
        }
        emit(
            .published(
                PublishEvent(
                    number: number, source: source, recordsWritten: summary.recordsWritten,
                    recordsChanged: summary.recordsChanged, componentsChecked: summary.subscriptionsChecked,
                    componentsNotified: summary.subscriptionsAffected, duration: now() - start, normalizing: normalizing
                )))
    }
}

extension RelayEnvironment {
    /// Tells the log what is odd about an answer that was read nevertheless.
    func report(_ irregularities: [AnswerIrregularity], of operation: BoundOperation, request: Int) {
        guard !irregularities.isEmpty else { return }
        emit(
            .irregularAnswer(
                IrregularAnswerEvent(
                    operationName: operation.artifact.name, request: request, irregularities: irregularities)))
    }

    /// Says how much of an operation the store holds, writes what missing-field handlers find, and tells the log.
    ///
    /// - Parameter isArriving: the parts that come later need not be there; nil: while a request whose answer has begun
    ///   may still bring them.
    func check(_ operation: BoundOperation, isArriving: Bool? = nil) -> Availability {
        let isArriving = operation.hasIncrements && isArriving ?? (requests[operation]?.newest != nil)
        let time = now()
        let judgement = store.judge(operation, at: time, isArriving: isArriving) {
            report($0, .missingFieldHandlers, since: time)
        }
        emit(.checked(event(of: judgement, operation)))
        compareWithSource(operation.artifact)
        return judgement.availability
    }

    /// Lets missing-field handlers look for what an operation lacks; true if they found something.
    func findMissing(in operation: BoundOperation) -> Bool {
        guard !options.missingFieldHandlers.isEmpty else { return false }
        let time = now()
        return store.judge(operation, at: time) { report($0, .missingFieldHandlers, since: time) }.hasFound
    }

    private func event(of judgement: Judgement, _ operation: BoundOperation) -> CheckEvent {
        let finding: CheckEvent.Finding =
            switch judgement.availability {
            case .available: .available
            case .stale: .stale
            case .missing(let place): .missing(store.location(of: place))
            }
        var fetchedAt: Duration?
        if case .available(let time) = judgement.availability { fetchedAt = time }
        return CheckEvent(
            operationName: operation.artifact.name, finding: finding,
            staleness: judgement.staleness.map(store.staleness), oldestFetch: fetchedAt)
    }

    /// Tells the log of a read that found less than it looked for.
    func reportMissing(
        _ component: String, _ operation: BoundOperation, _ selections: BoundSelections, at record: RecordID
    ) {
        guard isLogging else { return }
        reportMissing(component, operation, missingField(of: selections, at: record))
    }

    /// Tells the log what a read did not find.
    func reportMissing(_ component: String, _ operation: BoundOperation, _ location: FieldLocation) {
        emit(
            .missingData(
                MissingDataEvent(
                    component: component, operationName: operation.artifact.name, location: location)))
    }

    /// Where the first field is that a read did not find; an empty path if it has come meanwhile.
    func missingField(of selections: BoundSelections, at record: RecordID) -> FieldLocation {
        var check = AvailabilityCheck(records: store.records, plan: selections.plan)
        check.check(record)
        return check.missing.map(store.location) ?? FieldLocation(path: [])
    }
}

extension Store {
    /// A place in words.
    func location(of place: MissingPlace) -> FieldLocation {
        FieldLocation(
            path: place.path, dataID: names.dataID(of: place.record),
            typename: place.type == .none ? nil : TypeName(names.name(of: place.type)),
            storageKey: place.key.map { StorageKey(names.name(of: $0)) })
    }

    /// A reason in words.
    package func staleness(_ cause: StaleCause) -> Staleness {
        switch cause {
        case .store: .storeInvalidated
        case .operation: .operationInvalidated
        case .record(let record): .recordInvalidated(names.dataID(of: record))
        case .type(let type, let record):
            .typeInvalidated(TypeName(names.name(of: type)), names.dataID(of: record))
        case .tooOld(let place, let age, let limit): .tooOld(place.map(location), age: age, limit: limit)
        }
    }
}
