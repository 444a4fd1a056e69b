extension RelayEnvironment {
    /// The time at which a publish begins, if somebody wants to know how long it takes.
    func startOfPublish() -> Duration { isLogging ? now() : .zero }

    /// Tells the log of a publish that has landed, and of what was odd about it.
    func report(_ summary: PublishSummary, _ source: PublishEvent.Source, since start: Duration) {
        guard isLogging else { return }
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
                    componentsNotified: summary.subscriptionsAffected, duration: now() - start)))
    }
}

extension RelayEnvironment {
    func finding(_ availability: Availability) -> CheckEvent.Finding {
        switch availability {
        case .available: .available
        case .stale: .stale
        case .missing(let place): .missing(store.location(of: place))
        }
    }

    /// Tells the log of a read that found less than it looked for.
    func reportMissing(
        _ component: String, _ operation: BoundOperation, _ selections: BoundSelections, at record: RecordID
    ) {
        guard isLogging else { return }
        var check = AvailabilityCheck(records: store.records, plan: selections.plan)
        check.check(record)
        // What was missing may have come meanwhile.
        let location = check.missing.map(store.location) ?? FieldLocation(path: [])
        emit(
            .missingData(
                MissingDataEvent(
                    component: component, operationName: operation.artifact.name, location: location)))
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
}
