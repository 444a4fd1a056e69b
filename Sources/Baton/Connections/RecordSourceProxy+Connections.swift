extension RecordSourceProxy {
    /// The connection that the client keeps for a field with `@connection`; nil if none of it was fetched, or if it is
    /// null.
    ///
    /// - Parameters:
    ///   - record: the record that has the field; `root` for a field of the query.
    ///   - key: the `key` of the directive.
    ///   - filters: the values of the arguments that the directive names as filters, by default all but `first`,
    ///     `last`, `after` and `before`. One that has no value is
    ///     left out.
    public func connection(
        on record: RecordProxy, key: String, filters: [String: JSONValue] = [:]
    ) -> ConnectionProxy? {
        let handle = StorageKey(handle: HandledCall.connection, key: key, filters: filters)
        return connection(RecordField(record: record, key: names.key(handle.rawValue)))
    }

    /// The connections of a record with that key, with whatever filters they were fetched, in the order of their
    /// storage keys.
    public func connections(on record: RecordProxy, key: String) -> [ConnectionProxy] {
        record.fields("__\(key)_\(HandledCall.connection)").compactMap(connection)
    }

    /// The connections with that key of every record, with whatever filters they were fetched.
    ///
    /// It goes through the records of the store, not through their values: a fraction of a millisecond for 100,000.
    public func connections(key: String) -> [ConnectionProxy] {
        guard let records else { return [] }
        noteWholeStore()
        let name = "__\(key)_\(HandledCall.connection)"
        let isWanted = { [names] (key: StorageKeyID) in StorageKey(names.name(of: key)).fieldName == name }
        var parents = records.base.records(withKey: isWanted)
        parents += records.standingApart.filter { records.keys(of: $0).contains(where: isWanted) }
        for staged in [records.answer, records.own] {
            guard let staged else { continue }
            for (position, entry) in staged.entries.enumerated()
            where staged.shape(position).keys.contains(where: isWanted) {
                parents.append(entry.record)
            }
        }
        var seen: Set<RecordID> = []
        return parents.filter { seen.insert($0).inserted }
            .flatMap { connections(on: RecordProxy(source: self, record: $0), key: key) }
    }

    /// The connection with an identity, as `DataID.connection(on:key:filters:)` makes it; nil if there is no such
    /// record.
    public func connection(_ id: DataID) -> ConnectionProxy? { get(id).map { ConnectionProxy($0) } }

    /// The identity of a connection, whether it exists or not.
    public func connectionID(on record: RecordProxy, key: String, filters: [String: JSONValue] = [:]) -> DataID {
        .connection(on: record.dataID, key: key, filters: filters)
    }

    private func connection(_ field: RecordField) -> ConnectionProxy? {
        field.linkedRecord.map { ConnectionProxy($0, field: field) }
    }
}
