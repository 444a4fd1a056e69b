/// A field of a record, with its arguments, in a local update.
///
/// It stands for the place, not for the value: what it says is what the update sees at that moment.
public struct RecordField {
    /// The record that has it.
    public let record: RecordProxy
    let key: StorageKeyID

    /// Values given to an update may be nested this deep.
    static let maximumDepth = JSONCursor.maximumDepth

    private var source: RecordSourceProxy { record.source }

    /// The name with the arguments, under which the record keeps the value.
    public var storageKey: StorageKey { StorageKey(source.names.name(of: key)) }

    /// The name as in the schema.
    public var name: String { String(storageKey.fieldName) }

    /// The values of the arguments, read back from the storage key: what tells one list of `todos` from another.
    public var arguments: [String: JSONValue] { storageKey.arguments }

    /// What is stored, in the runtime's own form; nil if it is missing.
    var stored: Value? { source.value(key, of: record.record) }

    /// Nothing was ever written there, as opposed to null.
    public var isMissing: Bool { stored == nil }

    func write(_ value: Value) throws(UpdateError) { try source.write(value, key, of: record.record) }

    // MARK: - Errors

    /// The errors because of which the field is null, as the server sent them; none if it has a value.
    public var errors: [GraphQLError] { source.errors(key, of: record.record) }

    /// Sets the field to null because of errors, as a server would: a reader catches them, or fails.
    public func setNull(because errors: [GraphQLError]) throws(UpdateError) {
        try source.write(.null, key, of: record.record, errors: errors)
    }

    // MARK: - Scalars

    /// A scalar, an enum value or a list of those; nil if it is missing, or no scalar.
    public var value: JSONValue? {
        guard let stored, !stored.holdsLinks else { return nil }
        return stored.json { _ in "" }
    }

    /// Sets a scalar, an enum value or a list of those. An object is kept as its JSON text, like a scalar without a
    /// mapping.
    public func setValue(_ value: JSONValue) throws(UpdateError) { try write(Self.stored(value, depth: 0)) }

    static func stored(_ value: JSONValue, depth: Int) throws(UpdateError) -> Value {
        guard depth < maximumDepth else { throw .tooDeep(limit: maximumDepth) }
        switch value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .int(value)
        case .double(let value): return .double(value)
        case .string(let value): return .string(value)
        case .array(let values):
            var stored: [Value] = []
            for value in values { stored.append(try Self.stored(value, depth: depth + 1)) }
            return .list(stored)
        case .object: return .string(value.text)
        }
    }

    // MARK: - Links

    /// The record that the field links to; nil if it is null, missing or deleted.
    public var linkedRecord: RecordProxy? {
        guard case .link(let target) = stored else { return nil }
        return source.existing(target)
    }

    /// Links the field to a record, or sets it to null.
    public func setLinkedRecord(_ target: RecordProxy?) throws(UpdateError) {
        let value = try target.map { (target) throws(UpdateError) in Value.link(try record.own(target)) }
        try write(value ?? .null)
    }

    /// The records that the field links to, with nil for null and deleted ones; nil if the list is null or missing.
    public var linkedRecords: [RecordProxy?]? {
        switch stored {
        case .links(let targets): targets.map { $0 == .none ? nil : source.existing($0) }
        // A list written without links, or one of none but nulls.
        case .list(let items) where items.allSatisfy(\.isNull): items.map { _ in nil }
        default: nil
        }
    }

    /// Links the field to records, or sets it to null.
    public func setLinkedRecords(_ targets: [RecordProxy?]?) throws(UpdateError) {
        guard let targets else { return try write(.null) }
        try write(.links(try links(targets)))
    }

    private func links(_ targets: [RecordProxy?]) throws(UpdateError) -> [RecordID] {
        var links: [RecordID] = []
        links.reserveCapacity(targets.count)
        for target in targets {
            if let target { links.append(try record.own(target)) } else { links.append(.none) }
        }
        return links
    }

    /// The record that the field links to, or a new one that belongs to this field alone.
    public func getOrCreateLinkedRecord(type: TypeName) throws(UpdateError) -> RecordProxy {
        if let target = linkedRecord { return target }
        switch source.state(of: record.record) {
        case nil: throw .ended
        case .deleted: throw .deleted(record.dataID)
        default: break
        }
        let target = source.names.record(parent: record.record, key: key)
        source.create(target, source.names.type(type.rawValue))
        let proxy = RecordProxy(source: source, record: target)
        try setLinkedRecord(proxy)
        return proxy
    }

    // MARK: - Lists of lists of links

    /// The records of a field whose type is a list of lists, or of anything else that links; nil if it is missing or
    /// holds scalars.
    public var linkedItems: LinkedItem? { stored.flatMap { item($0) } }

    private func item(_ value: Value) -> LinkedItem? {
        switch value {
        case .null: return .null
        case .link(let target): return source.existing(target).map(LinkedItem.record) ?? .null
        case .links(let targets): return .list(targets.map { item($0 == .none ? .null : .link($0)) ?? .null })
        case .list(let values):
            var items: [LinkedItem] = []
            for value in values {
                guard let item = item(value) else { return nil }
                items.append(item)
            }
            return .list(items)
        default: return nil
        }
    }

    /// Links the field to records in lists of lists.
    public func setLinkedItems(_ items: LinkedItem) throws(UpdateError) { try write(stored(items, depth: 0)) }

    private func stored(_ item: LinkedItem, depth: Int) throws(UpdateError) -> Value {
        guard depth < Self.maximumDepth else { throw .tooDeep(limit: Self.maximumDepth) }
        switch item {
        case .null: return .null
        case .record(let target): return .link(try record.own(target))
        case .list(let items):
            var links: [RecordID] = []
            for item in items {
                switch item {
                case .null: links.append(.none)
                case .record(let target): links.append(try record.own(target))
                case .list:
                    var values: [Value] = []
                    for item in items { values.append(try stored(item, depth: depth + 1)) }
                    return .list(values)
                }
            }
            return .links(links)
        }
    }
}

/// What stands at a place where a field links: a record, or a list of such places.
public indirect enum LinkedItem: Hashable {
    /// Nothing, or a record that was deleted.
    case null
    /// One record.
    case record(RecordProxy)
    /// A list.
    case list([LinkedItem])
}

extension Value {
    /// Some part of it is a record. The depth of what is stored is bounded where it is written.
    var holdsLinks: Bool {
        switch self {
        case .link, .links: true
        case .list(let values): values.contains { $0.holdsLinks }
        default: false
        }
    }
}

extension StorageKey {
    /// The arguments behind the name; none if the text is no storage key.
    var arguments: [String: JSONValue] {
        let text = rawValue[fieldName.endIndex...]
        guard !text.isEmpty else { return [:] }
        let arguments = try? JSONCursor.read(Array(text.utf8)) { (cursor) throws(JSONFailure) in
            var arguments: [String: JSONValue] = [:]
            cursor.position += 1
            repeat {
                let start = cursor.position
                while cursor.next != UInt8(ascii: ":"), !cursor.isAtEnd { cursor.position += 1 }
                let name = cursor.text(start..<cursor.position)
                try cursor.expectColon()
                arguments[name] = try cursor.value(depth: 0)
            } while try cursor.continues(until: UInt8(ascii: ")"))
            return arguments
        }
        return arguments ?? [:]
    }
}
