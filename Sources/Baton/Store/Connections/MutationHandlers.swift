/// Relay's directives on fields of a mutation or subscription, as functions for updaters.
///
/// A directive in a document needs no updater: the store does the same work when a response brings the field. Each
/// function takes the field of the payload that would carry the directive. Connections are named by their identity
/// (`DataID.connection(on:key:filters:)`). A connection that is not in the store is skipped, because no component shows
/// it.
///
///     try await environment.commit(AddTodoMutation(text: text)) { store, _ in
///         guard let field = store.rootField("addTodo")?.field("todoEdge") else { return }
///         try MutationHandlers.appendEdge(field, to: [connection])
///     }
public enum MutationHandlers {
    /// Does the work of `@deleteRecord`: deletes the records whose IDs the field holds; returns their number.
    ///
    /// The field holds one ID or a list. By default the links to the records are removed too, which Relay does not do.
    /// The identity of objects whose type does not implement `Node` is `Type:id`. Without `type`, such an object is
    /// found if the field or its payload names the type, as `deletedFilmId` and `DeleteFilmPayload` do. Otherwise
    /// nothing is deleted, and a ``LogEvent`` tells which identities are similar.
    @discardableResult
    public static func deleteRecord(
        _ field: RecordField, type: TypeName? = nil, removingReferences: Bool = true
    ) throws(UpdateError) -> Int {
        let ids = identities(field, type)
        try field.record.source.delete(ids, removingReferences: removingReferences)
        return ids.count
    }

    /// Does the work of `@deleteEdge`: removes the nodes whose IDs the field holds from connections; returns the number
    /// of removed edges.
    ///
    /// The field holds one ID or a list. `type` is needed as in ``deleteRecord(_:type:removingReferences:)``.
    @discardableResult
    public static func deleteEdge(
        _ field: RecordField, from connections: [DataID], type: TypeName? = nil
    ) throws(UpdateError) -> Int {
        var count = 0
        for connection in find(connections, field) {
            for id in texts(field) { count += try delete(id, type, from: connection, field) }
        }
        return count
    }

    /// Removes a node. Without `type`, the node may be of any type of the connection's nodes.
    private static func delete(
        _ id: String, _ type: TypeName?, from connection: ConnectionProxy, _ field: RecordField
    ) throws(UpdateError) -> Int {
        let count = try connection.deleteNode(identity(id, type, field))
        guard count == 0, type == nil else { return count }
        for type in Set(connection.nodes.compactMap { $0?.typename }) {
            for dataID in field.record.source.names.dataIDs(of: type, id: id) {
                let count = try connection.deleteNode(dataID)
                if count > 0 { return count }
            }
        }
        return 0
    }

    /// Does the work of `@appendEdge`: adds the field's edge or edges at the end of connections; returns the number of
    /// added edges.
    @discardableResult
    public static func appendEdge(_ field: RecordField, to connections: [DataID]) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, edge) throws(UpdateError) in try connection.append(edge: edge) }
    }

    /// Does the work of `@prependEdge`: adds the field's edge or edges at the start of connections, one after the
    /// other. Returns the number of added edges.
    @discardableResult
    public static func prependEdge(_ field: RecordField, to connections: [DataID]) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, edge) throws(UpdateError) in try connection.prepend(edge: edge) }
    }

    /// Does the work of `@appendNode`: adds the field's record or records at the end of connections, with edges of a
    /// type. Returns the number of added nodes.
    @discardableResult
    public static func appendNode(
        _ field: RecordField, to connections: [DataID], edgeType: TypeName
    ) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, node) throws(UpdateError) in
            try connection.append(node: node, edgeType: edgeType)
        }
    }

    /// Does the work of `@prependNode`: adds the field's record or records at the start of connections, one after the
    /// other, with edges of a type. Returns the number of added nodes.
    @discardableResult
    public static func prependNode(
        _ field: RecordField, to connections: [DataID], edgeType: TypeName
    ) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, node) throws(UpdateError) in
            try connection.prepend(node: node, edgeType: edgeType)
        }
    }

    /// Inserts the records that the field links to, one after the other, into each connection that exists.
    private static func add(
        _ field: RecordField, to connections: [DataID],
        _ insert: (ConnectionProxy, RecordProxy) throws(UpdateError) -> Bool
    ) throws(UpdateError) -> Int {
        var count = 0
        for connection in find(connections, field) {
            for target in targets(field) where try insert(connection, target) { count += 1 }
        }
        return count
    }

    private static func find(_ connections: [DataID], _ field: RecordField) -> [ConnectionProxy] {
        connections.compactMap { field.record.source.connection($0) }
    }

    private static func targets(_ field: RecordField) -> [RecordProxy] {
        field.linkedItems.map(records) ?? []
    }

    /// Returns the records in an item, without nulls. The recursion is bounded by the depth of stored values.
    private static func records(_ item: LinkedItem) -> [RecordProxy] {
        switch item {
        case .null: []
        case .record(let record): [record]
        case .list(let items): items.flatMap(records)
        }
    }

    private static func identities(_ field: RecordField, _ type: TypeName?) -> [DataID] {
        let ids = texts(field)
        // The field is the `id` of its own record, so the record is known, whatever its type.
        let own = field.record.dataID
        let isOwn = type == nil && ids.count == 1 && field.key == field.record.source.names.idKey
        if isOwn, !own.rawValue.hasPrefix("client:") { return [own] }
        return ids.map { type == nil ? identity($0, in: field) : identity($0, type, field) }
    }

    /// Returns the identity of a record for which a response has only the `id`. It is the identity of an object of the
    /// type that the field or its payload names. Objects of other types may have the same `id`, so without such a name
    /// only a record with exactly this identity counts.
    private static func identity(_ id: String, in field: RecordField) -> DataID {
        let source = field.record.source
        guard source.find(DataID(id)) == nil else { return DataID(id) }
        let near = source.names.records(near: DataID(id)).compactMap { source.existing($0) }
            .filter { $0.dataID.rawValue.hasSuffix(":" + id) }
        if near.isEmpty { return DataID(id) }
        let subject =
            DeletedSubject(of: field.name) ?? field.record.typename.flatMap { DeletedSubject(of: $0.rawValue) }
        if let found = near.first(where: { record in record.typename.map { subject?.isType($0) ?? false } ?? false }) {
            return found.dataID
        }
        source.noteUnknown(DataID(id))
        return DataID(id)
    }

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

    private static func identity(_ id: String, _ type: TypeName?, _ field: RecordField) -> DataID {
        let qualified = type.map { DataID("\($0):\(id)") }
        return qualified.flatMap { field.record.source.get($0)?.dataID } ?? DataID(id)
    }
}

extension MutationHandlers {
    /// Does the work of a directive for a record that a response has brought.
    ///
    /// An ID of the root record is skipped, because no response may delete the root.
    static func run(
        _ mutation: BoundMarks.Mutation, of record: RecordProxy, _ parts: WorkInParts? = nil
    ) throws(UpdateError) {
        let field = RecordField(record: record, key: mutation.source)
        if let parts, mutation.kind.adds {
            let result = parts.progress.run(parts.payload) { progress in
                Result { () throws(UpdateError) in try add(mutation, field, parts, &progress) }
            }
            return try result.get()
        }
        switch mutation.kind {
        case .appendEdge: try appendEdge(field, to: mutation.connections)
        case .prependEdge: try prependEdge(field, to: mutation.connections)
        case .appendNode, .prependNode:
            guard let edgeType = mutation.edgeType else { return }
            if mutation.kind == .appendNode {
                try appendNode(field, to: mutation.connections, edgeType: edgeType)
            } else {
                try prependNode(field, to: mutation.connections, edgeType: edgeType)
            }
        case .deleteEdge: try deleteEdge(field, from: mutation.connections)
        case .deleteRecord:
            try field.record.source.delete(identities(field, nil).filter { $0 != .root }, removingReferences: true)
        }
    }
}

// Edges and nodes that arrive in parts.
extension MutationHandlers {
    /// Inserts the edges that have not been inserted yet, and copies new data to the inserted edges. An edge is
    /// inserted when its node has arrived.
    private static func add(
        _ mutation: BoundMarks.Mutation, _ field: RecordField, _ parts: WorkInParts,
        _ progress: inout WorkProgress.State
    ) throws(UpdateError) {
        let source = field.record.source
        for connection in find(mutation.connections, field) {
            for target in targets(field) {
                let origin = WorkProgress.Source(connection: connection.record.record, edge: target.record)
                if let copy = progress.copies[origin] {
                    guard copy != .none, let keys = parts.written[target.record]?.keys else { continue }
                    let edges = ConnectionEdges(source, connection.record.record)
                    progress.note(edges.carryOn(target.record, as: copy, keys, leavesOutRepeated: true), for: origin)
                    continue
                }
                let isEdge = mutation.kind == .appendEdge || mutation.kind == .prependEdge
                let hasNode = source.value(source.names.connections.node, of: target.record) != nil
                if isEdge, !hasNode, !parts.isLast { continue }
                let copy = try insert(target, into: connection, mutation)
                progress.note(isEdge ? copy ?? .none : .none, for: origin)
            }
        }
    }

    /// Inserts an edge or a node. Returns the edge of the connection; nil if the connection had the node already.
    private static func insert(
        _ target: RecordProxy, into connection: ConnectionProxy, _ mutation: BoundMarks.Mutation
    ) throws(UpdateError) -> RecordID? {
        switch mutation.kind {
        case .appendEdge:
            guard try connection.append(edge: target) else { return nil }
            return ConnectionEdges(target.source, connection.record.record).list?.last
        case .prependEdge:
            guard try connection.prepend(edge: target) else { return nil }
            return ConnectionEdges(target.source, connection.record.record).list?.first
        case .appendNode: _ = try connection.append(node: target, edgeType: mutation.edgeType)
        case .prependNode: _ = try connection.prepend(node: target, edgeType: mutation.edgeType)
        case .deleteEdge, .deleteRecord: break
        }
        return nil
    }
}

extension BoundMarks.Mutation.Kind {
    /// True if the directive adds edges or nodes.
    fileprivate var adds: Bool { self != .deleteEdge && self != .deleteRecord }
}
