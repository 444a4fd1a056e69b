extension Store {
    /// Returns a place with names instead of numbers.
    func location(of place: MissingPlace) -> FieldLocation {
        FieldLocation(
            path: place.path, dataID: names.dataID(of: place.record),
            typename: place.type == .none ? nil : TypeName(names.name(of: place.type)),
            storageKey: place.key.map { StorageKey(names.name(of: $0)) })
    }

    /// Returns a reason with names instead of numbers.
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
