// The identity of a record has several owners, this one for directives; ReadingTheDesign.md names the others.

/// Finds the records that the IDs in a field mean, for `@deleteRecord` and `@deleteEdge`.
///
/// A response has only an `id`, and objects of several types may have the same one. The rule, in this order:
///
/// 1. If the field is the `id` of its object: the object's own record, if it was in the store before the answer. A
///    record that only earlier answers of the same field have written does not count.
/// 2. The record of the type that the field or the payload names (`NamedTypes`).
/// 3. The record with this `id` of a type that implements `Node`.
///
/// If the caller gives a type, only the record of that type counts.
struct MeantRecords {
    enum Meaning {
        /// The object's own record, or the record of a type that was given or named.
        case certain(DataID)
        /// The record of a type that implements `Node`.
        case node(DataID)
        /// No record of the store. `expected` is the identity that it would have, if that is certain; `near` has the
        /// records of other types with the same `id`.
        case nothing(expected: DataID?, near: [DataID])
        /// The record was deleted before.
        case deleted(DataID)
    }

    /// The IDs in the field.
    let ids: [String]
    private let field: RecordField
    private let own: RecordProxy?
    private let types: [TypeName]

    private var source: RecordSourceProxy { field.record.source }
    private var names: NameTable { source.names }

    init(_ field: RecordField, type: TypeName?) {
        self.field = field
        let ids = Self.texts(field)
        self.ids = ids
        let source = field.record.source
        // An object without an identity has the record of its place, which belongs to this answer alone.
        let isOwn = ids.count == 1 && field.key == source.names.idKey && !source.names.isBelowCall(field.record.record)
        own = isOwn ? field.record : nil
        types = type.map { NamedTypes.types(of: $0, source) } ?? NamedTypes.types(of: field)
    }

    /// Returns what an ID means. `isTyped` says that the caller has given a type.
    func meaning(of id: String, isTyped: Bool) -> Meaning {
        let named = types.lazy.compactMap { record(of: $0, id) }.first
        // A name that no object has as its type may be that of an interface, whose objects only `Node` finds.
        let node = isTyped && types.contains(where: isKnown) ? nil : node(id)
        let other = named ?? node
        if !isTyped, let own, source.wasThere(own.record),
            other == own || !source.isOnlyOfEarlierAnswers(own.record)
        {
            return .certain(own.dataID)
        }
        if let named { return .certain(named.dataID) }
        if let node, node != own || source.wasThere(node.record) { return .node(node.dataID) }
        return nothing(id, isTyped)
    }

    /// Returns the object's own record if it only names what is deleted; nil if it is the target itself, or if it was
    /// in the store before and the caller has given a type.
    func namesake(of target: DataID?, isTyped: Bool) -> DataID? {
        guard let own, own.dataID != target, !isTyped || !source.wasThere(own.record) else { return nil }
        return own.dataID
    }

    private func nothing(_ id: String, _ isTyped: Bool) -> Meaning {
        let identities = types.flatMap { names.dataIDs(of: $0, id: id) }
        if let gone = (identities + (isTyped ? [] : [DataID(id)])).first(where: isDeleted) { return .deleted(gone) }
        if types.count == 1, isKnown(types[0]) { return .nothing(expected: identities.first, near: []) }
        let near = names.records(near: DataID(id)).compactMap { source.existing($0) }
            .filter { $0 != own && $0.dataID.rawValue.hasSuffix(":" + id) }
        let isCertain = near.isEmpty && types.isEmpty && own == nil
        return .nothing(expected: isCertain ? DataID(id) : nil, near: near.map(\.dataID))
    }

    private func isDeleted(_ id: DataID) -> Bool {
        guard let record = source.known(id) else { return false }
        return source.state(of: record) == .deleted
    }

    /// Returns the record of an object type with an `id`.
    private func record(of type: TypeName, _ id: String) -> RecordProxy? {
        names.dataIDs(of: type, id: id).lazy.compactMap { source.find($0) }.first { $0.typename == type }
    }

    /// Returns the record with an `id` of a type that implements `Node`.
    private func node(_ id: String) -> RecordProxy? {
        if let record = source.find(DataID(id)), record.record != .root, isNode(record) != false { return record }
        guard names.customDataID != nil else { return nil }
        return names.typeNames.lazy.filter { isNode(TypeName($0)) == true }
            .compactMap { record(of: TypeName($0), id) }.first
    }

    private func isNode(_ record: RecordProxy) -> Bool? { record.typename.flatMap(isNode) }

    private func isNode(_ type: TypeName) -> Bool? {
        names.knownType(type.rawValue).flatMap { names.isKnownToImplementNode($0) }
    }

    /// True if the store has met objects of the type, so that their identity is certain.
    private func isKnown(_ type: TypeName) -> Bool { isNode(type) != nil }

    private static func texts(_ field: RecordField) -> [String] { field.value.map(texts) ?? [] }

    /// Returns the texts in a value. The recursion is bounded by the depth of stored values.
    private static func texts(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let id): [id]
        case .int(let id): [String(id)]
        case .array(let items): items.flatMap(texts)
        default: []
        }
    }

    /// Tells the log that an ID means nothing in the store.
    func tell(_ id: DataID, near: [DataID]) {
        names.withSpelling { $0.tell(.record(id), near: near.prefix(5).map(\.rawValue)) }
    }
}
