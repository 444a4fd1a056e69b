/// A connection that this client keeps, in a local update: the fetched pages with the changes that updates have made.
///
/// The type offers the functions of Relay's `ConnectionHandler` as methods. `getConnection` is
/// ``RecordSourceProxy/connection(on:key:filters:)``, `insertEdgeAfter` is ``insertEdge(_:after:allowingRepetition:)``,
/// and `deleteNode` is ``deleteNode(_:)``.
///
/// What writes throws an ``UpdateError``: once the update has ended, for a connection that is deleted, and for a record
/// of another update.
public struct ConnectionProxy {
    /// The record of the connection, for fields of its own such as a total count.
    public let record: RecordProxy
    /// The field through which the connection was found; nil if it was found by its identity.
    private let field: RecordField?

    private var source: RecordSourceProxy { record.source }
    private var keys: ConnectionKeys { source.names.connections }
    private var content: ConnectionEdges { ConnectionEdges(source, record.record) }

    init(_ record: RecordProxy, field: RecordField? = nil) {
        self.record = record
        self.field = field
    }

    /// The identity of the connection; see `DataID.connection(on:key:filters:)`.
    public var dataID: DataID { record.dataID }

    /// The values of the filters, which distinguish connections with the same key.
    public var filters: [String: JSONValue] {
        if let field { return field.arguments }
        guard case .place(_, let key, RecordNumbers.noIndex) = source.names.identity(of: record.record) else {
            return [:]
        }
        return StorageKey(source.names.name(of: key)).arguments
    }

    // MARK: - Content

    /// The edges in order, with nil for null edges; empty if the list is null or missing.
    public var edges: [RecordProxy?] {
        (content.list ?? []).map { $0 == .none ? nil : source.existing($0) }
    }

    /// The nodes of the edges in order, with nil for null nodes.
    public var nodes: [RecordProxy?] {
        let content = content
        return (content.list ?? []).map { content.node(of: $0).map { RecordProxy(source: source, record: $0) } }
    }

    /// The number of edges, including null edges.
    public var count: Int { content.list?.count ?? 0 }

    /// Returns true if a record is the node of an edge. Takes time linear in the edges at most, and usually much less.
    public func contains(_ node: DataID) -> Bool { edge(of: node) != nil }

    /// Returns the first edge of a node; nil if there is none.
    public func edge(of node: DataID) -> RecordProxy? {
        let content = content
        guard let list = content.list, let node = source.sought(node),
            let position = content.positions(of: node, in: list).first
        else { return nil }
        return RecordProxy(source: source, record: list[position])
    }

    // MARK: - Pages

    /// The page info of the connection; nil if it is null or missing.
    public var pageInfo: RecordProxy? { RecordField(record: record, key: keys.pageInfo).linkedRecord }

    private func info(_ key: StorageKeyID) -> JSONValue? {
        pageInfo.flatMap { RecordField(record: $0, key: key).value }
    }

    /// The cursor after which the next page begins; nil if it is null or missing.
    public var endCursor: String? {
        if case .string(let cursor) = info(keys.endCursor) { return cursor }
        return nil
    }

    /// The cursor before which the previous page ends; nil if it is null or missing.
    public var startCursor: String? {
        if case .string(let cursor) = info(keys.startCursor) { return cursor }
        return nil
    }

    /// True if the server has said that there are more edges after the last one.
    public var hasNextPage: Bool { info(keys.hasNextPage) == .bool(true) }
    /// True if the server has said that there are more edges before the first one.
    public var hasPreviousPage: Bool { info(keys.hasPreviousPage) == .bool(true) }

    // MARK: - Edges

    /// Returns the edge of a node in this connection: the existing edge or a new one. The edge is not inserted.
    ///
    /// - Parameters:
    ///   - node: The node of the edge.
    ///   - type: The edge's type. Without it the edge has the type of the other edges. Without other edges it is the
    ///     name of the connection's type with `Edge` in place of `Connection`.
    public func createEdge(node: RecordProxy, type: TypeName? = nil) throws(UpdateError) -> RecordProxy {
        let node = try record.own(node)
        try checkWritable()
        return RecordProxy(source: source, record: content.makeEdge(of: node, type: edgeType(type)))
    }

    /// Returns a copy of an edge that a response brought, for this connection. The copy is not inserted.
    ///
    /// An edge of a response is identified by its place in the response, so the next response may make it an edge of
    /// another node.
    public func buildEdge(from edge: RecordProxy) throws(UpdateError) -> RecordProxy {
        let edge = try record.own(edge)
        try checkWritable()
        let content = content
        var own: RecordID?
        let list = content.list ?? []
        if let node = content.target(of: edge), content.positions(of: node, in: list).isEmpty {
            own = content.ownEdge(of: node)
            // The edge is in the list, but was changed to link to another node.
            if let known = own, known != edge, !content.areDistinct, list.contains(known) { own = nil }
        }
        if own == edge { return RecordProxy(source: source, record: edge) }
        return RecordProxy(source: source, record: content.copy(edge, as: own))
    }

    private func edgeType(_ type: TypeName?) -> TypeID {
        if let type { return source.names.type(type.rawValue) }
        for edge in content.list ?? [] where edge != .none {
            if let type = source.type(of: edge) { return type }
        }
        let name = record.typename?.rawValue ?? ""
        let stem = name.hasSuffix("Connection") ? name.dropLast("Connection".count) : name[...]
        return source.names.type("\(stem)Edge")
    }

    private func checkWritable() throws(UpdateError) {
        switch source.state(of: record.record) {
        case nil: throw .ended
        case .existing: return
        default: throw .deleted(dataID)
        }
    }

    // MARK: - Inserting

    /// Inserts an edge after the edge with a cursor; returns true if it was inserted.
    ///
    /// Without a cursor, or if no edge has the cursor, the edge is inserted at the end. An edge whose node is already
    /// in the connection is not inserted, unless repetition is allowed.
    @discardableResult
    public func insertEdge(
        _ edge: RecordProxy, after cursor: String? = nil, allowingRepetition: Bool = false
    ) throws(UpdateError) -> Bool {
        try insert(edge, allowingRepetition) { list in
            cursor.flatMap { position(of: $0, in: list) }.map { $0 + 1 } ?? list.count
        }
    }

    /// Inserts an edge before the edge with a cursor; returns true if it was inserted.
    ///
    /// Without a cursor, or if no edge has the cursor, the edge is inserted at the start. An edge whose node is already
    /// in the connection is not inserted, unless repetition is allowed.
    @discardableResult
    public func insertEdge(
        _ edge: RecordProxy, before cursor: String?, allowingRepetition: Bool = false
    ) throws(UpdateError) -> Bool {
        try insert(edge, allowingRepetition) { list in cursor.flatMap { position(of: $0, in: list) } ?? 0 }
    }

    private func position(of cursor: String, in list: [RecordID]) -> Int? {
        list.firstIndex { edge in
            guard edge != .none, case .string(let own) = source.value(keys.cursor, of: edge) else { return false }
            return own.hasSameBytes(as: cursor)
        }
    }

    private func insert(
        _ edge: RecordProxy, _ allowingRepetition: Bool, at position: ([RecordID]) -> Int
    ) throws(UpdateError) -> Bool {
        let edge = try record.own(edge)
        try checkWritable()
        let content = content
        var list = content.list ?? []
        let node = content.target(of: edge)
        let isPresent = node.map { !content.positions(of: $0, in: list).isEmpty } ?? list.contains(edge)
        if isPresent, !allowingRepetition { return false }
        // If the list was empty, the new edge is its only edge.
        let areDistinct =
            (content.areDistinct || list.isEmpty) && !isPresent && node.map { content.ownEdge(of: $0) == edge } ?? false
        list.insert(edge, at: position(list))
        content.set(list, areDistinct: areDistinct)
        return true
    }

    /// Adds a node at the end unless the connection has it; returns true if it was added.
    @discardableResult
    public func append(node: RecordProxy, edgeType: TypeName? = nil) throws(UpdateError) -> Bool {
        guard try isAbsent(node) else { return false }
        return try insertEdge(createEdge(node: node, type: edgeType))
    }

    /// Adds a node at the start unless the connection has it; returns true if it was added.
    @discardableResult
    public func prepend(node: RecordProxy, edgeType: TypeName? = nil) throws(UpdateError) -> Bool {
        guard try isAbsent(node) else { return false }
        return try insertEdge(createEdge(node: node, type: edgeType), before: nil)
    }

    /// Adds a copy of a response's edge at the end unless the connection has its node; returns true if it was added.
    @discardableResult
    public func append(edge: RecordProxy) throws(UpdateError) -> Bool {
        guard try isAbsent(nodeOf: edge) else { return false }
        return try insertEdge(buildEdge(from: edge))
    }

    /// Adds a copy of a response's edge at the start unless the connection has its node; returns true if it was added.
    @discardableResult
    public func prepend(edge: RecordProxy) throws(UpdateError) -> Bool {
        guard try isAbsent(nodeOf: edge) else { return false }
        return try insertEdge(buildEdge(from: edge), before: nil)
    }

    private func isAbsent(_ node: RecordProxy) throws(UpdateError) -> Bool {
        let node = try record.own(node)
        try checkWritable()
        let content = content
        return content.positions(of: node, in: content.list ?? []).isEmpty
    }

    private func isAbsent(nodeOf edge: RecordProxy) throws(UpdateError) -> Bool {
        guard let node = content.target(of: try record.own(edge)) else { return true }
        return try isAbsent(RecordProxy(source: source, record: node))
    }

    // MARK: - Removing

    /// Removes every edge of a node, which may be deleted; returns the number of removed edges. The page info stays as
    /// it is.
    @discardableResult
    public func deleteNode(_ node: DataID) throws(UpdateError) -> Int {
        try checkWritable()
        let content = content
        guard let list = content.list, let node = source.sought(node) else { return 0 }
        let gone = content.positions(of: node, in: list)
        guard !gone.isEmpty else { return 0 }
        var rest = list
        for position in gone.reversed() { rest.remove(at: position) }
        content.set(rest, areDistinct: content.areDistinct)
        return gone.count
    }
}
