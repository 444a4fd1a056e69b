/// One record in a local update.
///
/// Fields are named as in the schema, with the values of their arguments if they have any; defaults of the schema are not filled in, because the store does not know the
/// schema. Two proxies of one record see the same.
public struct RecordProxy {
    let source: RecordSourceProxy
    let record: RecordID

    /// The identity of the record.
    public var dataID: DataID { source.names.dataID(of: record) }

    /// The name of its object type; nil once it is deleted, or the update has ended.
    public var typename: TypeName? {
        guard let slot = source.records?[record], slot.state == .existing else { return nil }
        return TypeName(source.names.name(of: slot.type))
    }

    private func key(_ name: String, _ arguments: [String: JSONValue]) -> StorageKeyID {
        source.names.key(StorageKey(name, arguments.map { ($0.key, $0.value) }).rawValue)
    }

    private func stored(_ name: String, _ arguments: [String: JSONValue]) -> Value? {
        source.records?.value(key(name, arguments), of: record)
    }

    // MARK: - Scalars

    /// A scalar, an enum value or a list of those; nil if it is missing, or no scalar.
    public func value(forField name: String, arguments: [String: JSONValue] = [:]) -> JSONValue? {
        guard let value = stored(name, arguments) else { return nil }
        switch value {
        case .link, .links: return nil
        default: return value.json { [names = source.names] in names.dataID(of: $0) }
        }
    }

    /// Sets a scalar, an enum value or a list of those. An object is kept as its JSON text, like a scalar without a mapping.
    public func setValue(
        _ value: JSONValue, forField name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) {
        try source.write(Self.stored(value), key(name, arguments), of: record)
    }

    private static func stored(_ value: JSONValue) -> Value {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .array(let values): .list(values.map(stored))
        case .object: .string(value.text)
        }
    }

    // MARK: - Links

    /// The record that a field links to; nil if it is null, missing or deleted.
    public func linkedRecord(_ name: String, arguments: [String: JSONValue] = [:]) -> RecordProxy? {
        guard case .link(let target) = stored(name, arguments) else { return nil }
        return source.existing(target)
    }

    /// The records that a field links to, with nil for null and deleted ones; nil if the list is null or missing.
    public func linkedRecords(_ name: String, arguments: [String: JSONValue] = [:]) -> [RecordProxy?]? {
        switch stored(name, arguments) {
        case .links(let targets): targets.map { $0 == .none ? nil : source.existing($0) }
        default: nil
        }
    }

    /// Links a field to a record, or sets it to null.
    public func setLinkedRecord(
        _ target: RecordProxy?, forField name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) {
        let value = try target.map { (target) throws(UpdateError) in Value.link(try own(target)) }
        try source.write(value ?? .null, key(name, arguments), of: record)
    }

    /// Links a field to records, or sets it to null.
    public func setLinkedRecords(
        _ targets: [RecordProxy?]?, forField name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) {
        var links: [RecordID] = []
        for target in targets ?? [] {
            if let target { links.append(try own(target)) } else { links.append(.none) }
        }
        try source.write(targets == nil ? .null : .links(links), key(name, arguments), of: record)
    }

    private func own(_ target: RecordProxy) throws(UpdateError) -> RecordID {
        guard source.records != nil else { throw .ended }
        guard target.source === source else { throw .foreignRecord(target.dataID) }
        return target.record
    }

    /// The record that a field links to, or a new one that belongs to this field alone.
    public func getOrCreateLinkedRecord(
        _ name: String, type: TypeName, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) -> RecordProxy {
        if let target = linkedRecord(name, arguments: arguments) { return target }
        guard source.records != nil else { throw .ended }
        let target = source.names.record(parent: record, key: key(name, arguments))
        source.create(target, source.names.type(type.rawValue))
        let proxy = RecordProxy(source: source, record: target)
        try setLinkedRecord(proxy, forField: name, arguments: arguments)
        return proxy
    }

    // MARK: - The whole record

    /// Copies every field of another record over what is there, except `id`.
    public func copyFields(from other: RecordProxy) throws(UpdateError) {
        let from = try own(other)
        guard let slot = source.records?[from] else { throw .ended }
        let id = source.names.key("id")
        for (key, value) in zip(slot.shape.keys, slot.values) where key != id {
            try source.write(value, key, of: record)
        }
    }

    /// Makes every operation stale that reads this record and was fetched before.
    public func invalidate() throws(UpdateError) {
        try source.invalidate(record)
    }
}
