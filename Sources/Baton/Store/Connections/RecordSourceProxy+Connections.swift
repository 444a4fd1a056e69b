extension RecordSourceProxy {
    /// Returns the connection that the client keeps for a field with `@connection`; nil if no page was fetched or the
    /// connection is null.
    ///
    /// - Parameters:
    ///   - record: The record that has the field; `root` for a field of the query.
    ///   - key: The `key` of the directive.
    ///   - filters: The values of the arguments that the directive names as filters; arguments without a value are left
    ///     out. By default the filters are all arguments but `first`, `last`, `after` and `before`.
    public func connection(
        on record: RecordProxy, key: String, filters: [String: JSONValue] = [:]
    ) -> ConnectionProxy? {
        let handle = StorageKey(handle: HandledCall.connection, key: key, filters: filters)
        let field = RecordField(record: record, key: names.key(handle.rawValue))
        if field.isMissing { noteUnknown(connectionID(on: record, key: key, filters: filters)) }
        return connection(field)
    }

    /// Returns the connections of a record with a key, whatever their filters, in the order of their storage keys.
    public func connections(on record: RecordProxy, key: String) -> [ConnectionProxy] {
        let fields = record.fields("__\(key)_\(HandledCall.connection)")
        if fields.isEmpty { noteUnknown(connectionID(on: record, key: key)) }
        return fields.compactMap(connection)
    }

    /// Returns the connections with a key of all records, whatever their filters.
    ///
    /// The search visits the records of the store but not their values. It takes a fraction of a millisecond for
    /// 100,000 records.
    public func connections(key: String) -> [ConnectionProxy] {
        guard let records else { return [] }
        noteWholeStore()
        let name = "__\(key)_\(HandledCall.connection)"
        let isWanted = { [names] (key: StorageKeyID) in StorageKey(names.name(of: key)).fieldName == name }
        var parents = records.base.records(withKey: isWanted)
        parents += records.standingApart.filter { records.keys(of: $0).contains(where: isWanted) }
        for staged in [records.response, records.own] {
            guard let staged else { continue }
            for (position, entry) in staged.entries.enumerated()
            where staged.shape(position).keys.contains(where: isWanted) {
                parents.append(entry.record)
            }
        }
        if parents.isEmpty { noteUnknown(connectionID(on: root, key: key)) }
        var seen: Set<RecordID> = []
        return parents.filter { seen.insert($0).inserted }
            .flatMap { connections(on: RecordProxy(source: self, record: $0), key: key) }
    }

    /// Returns the connection with an identity that `DataID.connection(on:key:filters:)` made; nil if the record does
    /// not exist.
    public func connection(_ id: DataID) -> ConnectionProxy? { get(id).map { ConnectionProxy($0) } }

    /// Returns the identity of a connection, which need not exist.
    public func connectionID(on record: RecordProxy, key: String, filters: [String: JSONValue] = [:]) -> DataID {
        .connection(on: record.dataID, key: key, filters: filters)
    }

    private func connection(_ field: RecordField) -> ConnectionProxy? {
        field.linkedRecord.map { ConnectionProxy($0, field: field) }
    }
}
