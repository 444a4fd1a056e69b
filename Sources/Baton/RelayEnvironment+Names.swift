extension RelayEnvironment {
    /// Returns the identity under which the store keeps, or would keep, an object of a type with an `id`.
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

    /// Returns the identity under which the store keeps an object that was read.
    public func dataID(of object: some GraphQLObject) -> DataID {
        dataID(of: TypeName(object.__typename), id: object.id)
    }

    /// Reports to the log that a record does not exist, if its name resembles other records.
    func reportUnknown(_ id: DataID) {
        let (names, records) = (store.names, store.records)
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        guard names.record(id, adding: false).map({ records.state(of: $0) == .unknown }) ?? true else { return }
        names.noteUnknown(id) { records.state(of: $0) == .existing }
        log.reportNames(store.names)
    }
}
