// Finds the records and fields that an update names.

extension RecordSourceProxy {
    /// Returns an existing record by its object type and its `id`; nil if the record is not in the store or was
    /// deleted.
    ///
    ///     try store.get("Film", id: "film-4")?.setValue(true, forField: "isFavorite")
    ///
    /// The record is found under the identity that responses give to such an object. That is its `id` if the type
    /// implements `Node`, `Film:film-4` if it does not, or the result of the data ID function for this `id`. If that
    /// function decides by other fields, find the record by its `DataID`.
    public func get(_ type: TypeName, id: String) -> RecordProxy? {
        let ids = names.dataIDs(of: type, id: id)
        for id in ids {
            if let record = find(id), ids.count == 1 || record.typename == type { return record }
        }
        if let id = ids.first { noteUnknown(id) }
        return nil
    }

    /// Returns the record of an object that was read; nil if the record was deleted or collected since.
    ///
    ///     try store.get(film)?.setValue(true, forField: "isFavorite")
    ///
    /// The record is found by its type and its `id`, as in ``get(_:id:)``.
    public func get(_ object: some GraphQLObject) -> RecordProxy? {
        get(TypeName(object.__typename), id: object.id)
    }

    /// Returns the record of a reference. Returns nil if the record was deleted, if it was collected since the
    /// reference was made, or if the reference belongs to another environment.
    public func get<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> RecordProxy? {
        guard reference.owner.names === names else { return nil }
        return existing(reference)
    }

    /// Makes a record with an `id`, under the identity by which responses will find it. Throws if the record exists
    /// already.
    ///
    /// The type counts as one that does not implement `Node` until a response has brought an object of that type. A
    /// data ID function takes precedence over that rule.
    @discardableResult
    public func create(_ type: TypeName, id: String) throws(UpdateError) -> RecordProxy {
        let dataID = names.dataIDs(of: type, id: id).first ?? DataID(id)
        let record = try create(dataID, type: type)
        try record.setValue(.string(id), forField: "id")
        return record
    }

    /// Reports to the log that a record does not exist, if its name resembles other records.
    func noteUnknown(_ id: DataID) {
        guard let records, !isKnown(id) else { return }
        if id.rawValue.hasPrefix("client:") { return names.noteUnknownConnection(id, in: records.base) }
        names.noteUnknown(id) { records.state(of: $0) == .existing }
    }

    /// True if the store has the record, or knows that it was deleted.
    private func isKnown(_ id: DataID) -> Bool {
        known(id).flatMap { records?.state(of: $0) }.map { $0 != .unknown } ?? false
    }

    /// Reports to the log that no plan selects a field, if its name resembles other fields. Fields that the record has
    /// are not reported.
    func noteField(_ name: String, of record: RecordID) {
        guard checkedNames.insert(name).inserted, name != "id", !name.hasPrefix("__") else { return }
        let near = names.withSpelling { $0.knows(name) ? [] : $0.fields(near: name) }
        guard !near.isEmpty, let records else { return }
        let isThere = records.keys(of: record).contains { StorageKey(names.name(of: $0)).fieldName == name[...] }
        if isThere { return }
        let id = names.dataID(of: record)
        names.withSpelling { $0.tell(.field(name, of: id), near: near) }
    }
}
