/// What Relay's directives on fields of a mutation or subscription do, as functions for updaters.
///
/// Each takes the field of the payload on which the directive would stand. Connections are named by their identity
/// (`DataID.connection(on:key:filters:)`); one that is not in the store is passed over, since nobody shows it.
///
///     try await environment.commit(AddTodoMutation(text: text)) { store, _ in
///         guard let field = store.rootField("addTodo")?.field("todoEdge") else { return }
///         try MutationHandlers.appendEdge(field, to: [connection])
///     }
public enum MutationHandlers {
    /// `@deleteRecord`: deletes the records whose IDs the field holds, one or a list; the number of them. Unless asked
    /// not to, it also takes out what points at them, which Relay does not.
    ///
    /// Objects of a type that does not implement `Node` are found only if the type is given: theirs is the identity
    /// `Type:id`.
    @discardableResult
    public static func deleteRecord(
        _ field: RecordField, type: TypeName? = nil, removingReferences: Bool = true
    ) throws(UpdateError) -> Int {
        let ids = identities(field, type)
        for id in ids { try field.record.source.delete(id, removingReferences: removingReferences) }
        return ids.count
    }

    /// `@deleteEdge`: takes the nodes whose IDs the field holds, one or a list, out of connections; the number of edges
    /// that went. The type matters as with
    /// ``deleteRecord(_:type:removingReferences:)``.
    @discardableResult
    public static func deleteEdge(
        _ field: RecordField, from connections: [DataID], type: TypeName? = nil
    ) throws(UpdateError) -> Int {
        var count = 0
        for connection in find(connections, field) {
            for id in identities(field, type) { count += try connection.deleteNode(id) }
        }
        return count
    }

    /// `@appendEdge`: adds the edge, or the edges, to which the field links at the end of connections; the number of
    /// edges that were not there.
    @discardableResult
    public static func appendEdge(_ field: RecordField, to connections: [DataID]) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, edge) throws(UpdateError) in try connection.append(edge: edge) }
    }

    /// `@prependEdge`: adds the edge, or one after the other the edges, to which the field links at the start of
    /// connections; the number of edges that were not there.
    @discardableResult
    public static func prependEdge(_ field: RecordField, to connections: [DataID]) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, edge) throws(UpdateError) in try connection.prepend(edge: edge) }
    }

    /// `@appendNode`: adds the record, or the records, to which the field links at the end of connections, with edges
    /// of a type; the number of nodes that were not there.
    @discardableResult
    public static func appendNode(
        _ field: RecordField, to connections: [DataID], edgeType: TypeName
    ) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, node) throws(UpdateError) in
            try connection.append(node: node, edgeType: edgeType)
        }
    }

    /// `@prependNode`: adds the record, or one after the other the records, to which the field links at the start of
    /// connections, with edges of a type; the number of nodes that were not there.
    @discardableResult
    public static func prependNode(
        _ field: RecordField, to connections: [DataID], edgeType: TypeName
    ) throws(UpdateError) -> Int {
        try add(field, to: connections) { (connection, node) throws(UpdateError) in
            try connection.prepend(node: node, edgeType: edgeType)
        }
    }

    /// Adds what the field links to, one after the other, to each connection that is there.
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
        field.linkedRecord.map { [$0] } ?? field.linkedRecords?.compactMap { $0 } ?? []
    }

    private static func identities(_ field: RecordField, _ type: TypeName?) -> [DataID] {
        var values = field.value.map { [$0] } ?? []
        if case .array(let items)? = field.value { values = items }
        return values.compactMap { value in
            switch value {
            case .string(let id): identity(id, type, field)
            case .int(let id): identity(String(id), type, field)
            default: nil
            }
        }
    }

    private static func identity(_ id: String, _ type: TypeName?, _ field: RecordField) -> DataID {
        let qualified = type.map { DataID("\($0):\(id)") }
        return qualified.flatMap { field.record.source.get($0)?.dataID } ?? DataID(id)
    }
}
