extension RelayEnvironment {
    /// The identity under which the store keeps, or would keep, an object with an `id`, by the name of its object type.
    ///
    ///     environment.explain(environment.dataID(of: "Film", id: "film-4"))
    public func dataID(of type: TypeName, id: String) -> DataID {
        let ids = store.names.dataIDs(of: type, id: id)
        let (names, records) = (store.names, store.records)
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let known = ids.first { id in
            guard let record = names.record(id, adding: false), records.state(of: record) == .existing else {
                return false
            }
            return names.name(of: records.type(of: record)) == type.rawValue
        }
        return known ?? ids.first ?? DataID(id)
    }

    /// The identity under which the store keeps an object that was read.
    public func dataID(of object: some GraphQLObject) -> DataID {
        dataID(of: TypeName(object.__typename), id: object.id)
    }

    /// Tells the log of a record that the store does not hold while there are others that may be meant.
    func reportUnknown(_ id: DataID) {
        let (names, records) = (store.names, store.records)
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        guard names.record(id, adding: false).map({ records.state(of: $0) == .unknown }) ?? true else { return }
        names.noteUnknown(id) { records.state(of: $0) == .existing }
        reportNames()
    }

    /// Tells the log of names in updates that nothing is known by.
    func reportNames() {
        for event in store.names.withSpelling({ $0.takeEvents() }) { emit(.unknownName(event)) }
    }
}
