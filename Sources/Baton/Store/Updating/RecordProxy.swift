/// One record in a local update.
///
/// Fields are named as in the schema, with the values of their arguments in any order. Defaults of the schema are not
/// filled in, because the store does not know the schema. Two proxies of one record read and write the same data, and
/// are equal.
///
/// What writes throws an ``UpdateError``: once the update has ended, for a deleted record, for a record of another
/// update, and for a value that is too deep or that no reader could take.
public struct RecordProxy {
    let source: RecordSourceProxy
    let record: RecordID

    /// The identity of the record.
    public var dataID: DataID { source.names.dataID(of: record) }

    /// The name of the record's object type; nil if the record is deleted or the update has ended.
    public var typename: TypeName? { source.type(of: record).map { TypeName(source.names.name(of: $0)) } }

    // MARK: - Fields

    /// Returns the field with these arguments. The record need not have it.
    public func field(_ name: String, arguments: [String: JSONValue] = [:]) -> RecordField {
        source.noteField(name, of: record)
        let key = StorageKey(name, arguments.map { ($0.key, $0.value) })
        return RecordField(record: self, key: source.names.key(key.rawValue))
    }

    /// Returns every field with this name that the record has, with any arguments, in the order of their storage keys.
    ///
    ///     for todos in user.fields("todos") { try todos.append(todo) }
    ///
    /// Takes time linear in the fields of the record.
    public func fields(_ name: String) -> [RecordField] {
        source.keys(of: record)
            .compactMap { (key) -> (String, RecordField)? in
                let text = source.names.name(of: key)
                guard StorageKey(text).fieldName == name[...] else { return nil }
                // The update depends on each field that it knows to exist, even if it does not read the value.
                source.noteRead(key, of: record)
                return (text, RecordField(record: self, key: key))
            }
            .sorted { $0.0 < $1.0 }
            .map { $0.1 }
    }

    // MARK: - Scalars

    /// Returns a scalar, an enum value or a list of them; nil if the field is missing or links to records.
    public func value(forField name: String, arguments: [String: JSONValue] = [:]) -> JSONValue? {
        field(name, arguments: arguments).value
    }

    /// Sets a scalar, an enum value or a list of them. An object is kept as its JSON text, like a scalar without a
    /// mapping.
    public func setValue(
        _ value: JSONValue, forField name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) {
        try field(name, arguments: arguments).setValue(value)
    }

    // MARK: - Links

    /// Returns the record that a field links to; nil if the link is null, missing or leads to a deleted record.
    public func linkedRecord(forField name: String, arguments: [String: JSONValue] = [:]) -> RecordProxy? {
        field(name, arguments: arguments).linkedRecord
    }

    /// Returns the records that a field links to, with nil for null links and deleted records; nil if the list is null
    /// or missing.
    public func linkedRecords(forField name: String, arguments: [String: JSONValue] = [:]) -> [RecordProxy?]? {
        field(name, arguments: arguments).linkedRecords
    }

    /// Links a field to a record, or sets it to null.
    public func setLinkedRecord(
        _ target: RecordProxy?, forField name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) {
        try field(name, arguments: arguments).setLinkedRecord(target)
    }

    /// Links a field to records, or sets it to null.
    public func setLinkedRecords(
        _ targets: [RecordProxy?]?, forField name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) {
        try field(name, arguments: arguments).setLinkedRecords(targets)
    }

    /// Returns the record that a field links to. If there is none, makes a record that belongs to this field alone.
    public func getOrCreateLinkedRecord(
        forField name: String, type: TypeName, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) -> RecordProxy {
        try field(name, arguments: arguments).getOrCreateLinkedRecord(type: type)
    }

    // MARK: - The whole record

    /// Copies every field of another record except `id`. The copies replace fields of the same keys.
    public func copyFields(from other: RecordProxy) throws(UpdateError) {
        let from = try own(other)
        let left = [source.names.key("id"), source.names.connections.nextEdge, source.names.connections.areDistinct]
        for key in source.keys(of: from) where !left.contains(key) {
            guard let value = source.value(key, of: from) else { continue }
            let errors = source.errors(key, of: from)
            if errors.isEmpty { try source.check(value, key, of: record) }
            try source.write(value, key, of: record, errors: errors)
        }
    }

    /// Marks the record as invalidated: every operation that reads it and was fetched before becomes stale.
    public func invalidate() throws(UpdateError) {
        try source.invalidate(record)
    }

    /// Returns the number of another proxy's record. The proxy must belong to this update.
    func own(_ target: RecordProxy) throws(UpdateError) -> RecordID {
        guard source.records != nil else { throw .ended }
        guard target.source === source else { throw .foreignRecord(target.dataID) }
        return target.record
    }
}

extension RecordProxy: Hashable {
    /// Returns true for two proxies of one record in one update.
    public static func == (left: RecordProxy, right: RecordProxy) -> Bool {
        left.source === right.source && left.record == right.record
    }

    /// Hashes the record.
    public func hash(into hasher: inout Hasher) { hasher.combine(record) }
}
