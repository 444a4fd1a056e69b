// The depth of JSON has several owners, this one for updates; ReadingTheDesign.md names the others.

/// A field of a record, with its arguments, in a local update.
///
/// The value names the field. Its properties return the data that the update sees at the moment of the call. What
/// writes throws an ``UpdateError``, as ``RecordProxy`` says.
public struct RecordField {
    /// The record that has the field.
    public let record: RecordProxy
    let key: StorageKeyID

    /// The greatest depth of values that are given to an update. A snapshot has three levels around them.
    static let maximumDepth = JSONCursor.maximumDepth - 3

    private var source: RecordSourceProxy { record.source }

    /// The field's name with its arguments, under which the record keeps the value.
    public var storageKey: StorageKey { StorageKey(source.names.name(of: key)) }

    /// The field's name in the schema.
    public var name: String { String(storageKey.fieldName) }

    /// The values of the arguments, decoded from the storage key. They tell one list of `todos` from another.
    public var arguments: [String: JSONValue] { storageKey.arguments }

    /// The stored value; nil if the field is missing.
    var stored: Value? { source.value(key, of: record.record) }

    /// True if the field was never written. A field that is null is not missing.
    public var isMissing: Bool { stored == nil }

    func write(_ value: Value) throws(UpdateError) {
        try source.check(value, key, of: record.record)
        try source.write(value, key, of: record.record)
    }

    // MARK: - Errors

    /// The server's errors that explain why the field, or an item of its list, is null; empty if nothing is null.
    public var errors: [GraphQLError] { source.errors(key, of: record.record) }

    /// Sets the field to null because of errors, like a server's response: a reader then catches the errors or fails.
    public func setNull(because errors: [GraphQLError]) throws(UpdateError) {
        try source.write(.null, key, of: record.record, errors: errors)
    }

    // MARK: - Scalars

    /// A scalar, an enum value or a list of them; nil if the field is missing or links to records.
    public var value: JSONValue? {
        guard let stored, !stored.holdsLinks else { return nil }
        return stored.json { _ in "" }
    }

    /// Sets a scalar, an enum value or a list of them. An object is kept as its JSON text, like a scalar without a
    /// mapping.
    ///
    /// Throws ``UpdateError/wrongType(_:field:type:value:)`` if no reader could take the value: the operations and
    /// fragments in use know the type of the field, and the value is not of this type. An `Int` may be given for a
    /// `Float` and for an `ID`. A null for a field that cannot be null is refused too.
    public func setValue(_ value: JSONValue) throws(UpdateError) {
        let stored = try source.stored(value, key, of: record.record)
        try source.write(stored, key, of: record.record)
    }

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

    /// The record that the field links to; nil if the link is null, missing or leads to a deleted record.
    public var linkedRecord: RecordProxy? {
        guard case .link(let target) = stored else { return nil }
        return source.existing(target)
    }

    /// Links the field to a record, or sets it to null. Throws if the field is known to have scalars or a list, and for
    /// a null if the field is known not to be null.
    public func setLinkedRecord(_ target: RecordProxy?) throws(UpdateError) {
        let value = try target.map { (target) throws(UpdateError) in Value.link(try record.own(target)) }
        try write(value ?? .null)
    }

    /// The records that the field links to, with nil for null links and deleted records; nil if the list is null or
    /// missing.
    public var linkedRecords: [RecordProxy?]? {
        switch stored {
        case .links(let targets): targets.map { $0 == .none ? nil : source.existing($0) }
        // The list was written without links, or has only nulls.
        case .list(let items) where items.allSatisfy(\.isNull): items.map { _ in nil }
        default: nil
        }
    }

    /// Links the field to records, or sets it to null. Throws if the field is known not to be a list of objects, and
    /// for a null if the list or its items are known not to be null.
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

    /// Returns the record that the field links to. If there is none, makes a record that belongs to this field alone.
    public func getOrCreateLinkedRecord(type: TypeName) throws(UpdateError) -> RecordProxy {
        if let target = linkedRecord { return target }
        switch source.state(of: record.record) {
        case nil: throw .ended
        case .deleted: throw .deleted(record.dataID)
        default: break
        }
        let target = source.names.record(parent: record.record, key: key)
        try source.check(.link(target), key, of: record.record)
        source.create(target, source.names.type(type.rawValue))
        let proxy = RecordProxy(source: source, record: target)
        try setLinkedRecord(proxy)
        return proxy
    }

    // MARK: - Lists of lists of links

    /// The links of a field whose type is a list of lists, an object or a list. Nil if the field is missing or has
    /// scalars.
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

    /// Links the field to records, which may be in lists of lists.
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

extension Value {
    /// True if some part of the value is a link. The recursion is bounded, because writes limit the depth of values.
    var holdsLinks: Bool {
        switch self {
        case .link, .links: true
        case .list(let values): values.contains { $0.holdsLinks }
        default: false
        }
    }
}

extension StorageKey {
    /// The decoded arguments after the name; empty if the text is no storage key.
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

/// A record, null, or a list of such items: the value of a field with links at any level.
public indirect enum LinkedItem: Hashable {
    /// Null, or a deleted record.
    case null
    /// One record.
    case record(RecordProxy)
    /// A list.
    case list([LinkedItem])
}
