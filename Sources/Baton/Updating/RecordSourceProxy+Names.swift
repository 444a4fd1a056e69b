// Which record, and which field, an update means.

extension RecordSourceProxy {
    /// An existing record, by the name of its object type and its `id`; nil if it is not in the store or was deleted.
    ///
    ///     try store.get("Film", id: "film-4")?.setValue(true, forField: "isFavorite")
    ///
    /// It is looked for where answers write such an object: under its `id` if the type implements `Node`, under
    /// `Film:film-4` if it does not, or where the environment's data ID function puts an object with this `id`. If that
    /// function decides by other fields, find the record by its `DataID`.
    public func get(_ type: TypeName, id: String) -> RecordProxy? {
        let ids = names.dataIDs(of: type, id: id)
        for id in ids {
            if let record = find(id), ids.count == 1 || record.typename == type { return record }
        }
        if let id = ids.first { noteUnknown(id) }
        return nil
    }

    /// The record of an object that was read; nil if it was deleted or collected since.
    ///
    ///     try store.get(film)?.setValue(true, forField: "isFavorite")
    ///
    /// It is found by its type and its `id`, as by ``get(_:id:)``.
    public func get(_ object: some GraphQLObject) -> RecordProxy? {
        get(TypeName(object.__typename), id: object.id)
    }

    /// The record of a reference; nil if it was deleted, or collected since the reference was made, or if the reference
    /// is of another environment.
    public func get<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> RecordProxy? {
        guard reference.owner.source.names === names else { return nil }
        return existing(reference)
    }

    /// Makes a record with an `id`, under the identity by which answers will find it. Throws if there is one already.
    ///
    /// Before any answer has brought an object of that type, and without a data ID function, the type is taken not to
    /// implement `Node`.
    @discardableResult
    public func create(_ type: TypeName, id: String) throws(UpdateError) -> RecordProxy {
        let dataID = names.dataIDs(of: type, id: id).first ?? DataID(id)
        let record = try create(dataID, type: type)
        try record.setValue(.string(id), forField: "id")
        return record
    }

    /// Notes that a record is not there while there are others that may be meant.
    func noteUnknown(_ id: DataID) {
        guard let records, !isKnown(id) else { return }
        names.noteUnknown(id) { records.state(of: $0) == .existing }
    }

    /// The store holds the record or knows that it was deleted.
    private func isKnown(_ id: DataID) -> Bool {
        names.record(id, adding: false).flatMap { records?.state(of: $0) }.map { $0 != .unknown } ?? false
    }

    /// Notes the name of a field that nobody selects while there are others that may be meant. What the record has was
    /// named before.
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
