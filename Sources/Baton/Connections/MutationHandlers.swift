/// Relay's directives on fields of a mutation or subscription, as functions for updaters.
///
/// Each function takes the field of the payload that would carry the directive. Connections are named by their identity
/// (`DataID.connection(on:key:filters:)`). A connection that is not in the store is skipped, because nothing shows it.
///
///     try await environment.commit(AddTodoMutation(text: text)) { store, _ in
///         guard let field = store.rootField("addTodo")?.field("todoEdge") else { return }
///         try MutationHandlers.appendEdge(field, to: [connection])
///     }
public enum MutationHandlers {
    /// Does the work of `@deleteRecord`: deletes the records whose IDs the field holds; returns their number.
    ///
    /// The field holds one ID or a list. By default the links to the records are removed too, which Relay does not do.
    /// Objects whose type does not implement `Node` are found only if `type` is given, because their identity is
    /// `Type:id`.
    @discardableResult
    public static func deleteRecord(
        _ field: RecordField, type: TypeName? = nil, removingReferences: Bool = true
    ) throws(UpdateError) -> Int {
        let ids = identities(field, type)
        for id in ids { try field.record.source.delete(id, removingReferences: removingReferences) }
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
            for id in identities(field, type) { count += try connection.deleteNode(id) }
        }
        return count
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
