/// A connection that this client keeps, in a local update: the pages that were fetched, and what updates make of them.
///
/// Relay's `ConnectionHandler`, with the record in front: `getConnection` is
/// ``RecordSourceProxy/connection(on:key:filters:)``, `insertEdgeAfter` is
/// ``insertEdge(_:after:allowingRepetition:)``, `deleteNode` is ``deleteNode(_:)``.
public struct ConnectionProxy {
    /// The record of the connection, for fields of its own such as a total count.
    public let record: RecordProxy
    /// The field through which it was found, if it was.
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

    /// The values of the arguments that tell it from others with its key.
    public var filters: [String: JSONValue] {
        if let field { return field.arguments }
        guard case .place(_, let key, RecordTable.noIndex) = source.names.identity(of: record.record) else {
            return [:]
        }
        return StorageKey(source.names.name(of: key)).arguments
    }

    // MARK: - What is there

    /// The edges in order, with nil for null ones; none if the list is null or missing.
    public var edges: [RecordProxy?] {
        (content.list ?? []).map { $0 == .none ? nil : source.existing($0) }
    }

    /// The nodes of the edges in order, with nil for null ones.
    public var nodes: [RecordProxy?] {
        let content = content
        return (content.list ?? []).map { content.node(of: $0).map { RecordProxy(source: source, record: $0) } }
    }

    /// The number of edges, null ones included.
    public var count: Int { content.list?.count ?? 0 }

    /// Says whether a record is the node of an edge. Takes time linear in the edges at most, and mostly much less.
    public func contains(_ node: DataID) -> Bool { edge(of: node) != nil }

    /// The first edge of a node; nil if there is none.
    public func edge(of node: DataID) -> RecordProxy? {
        let content = content
        guard let list = content.list, let node = source.sought(node),
            let position = content.positions(of: node, in: list).first
        else { return nil }
        return RecordProxy(source: source, record: list[position])
    }

    // MARK: - Pages

    /// What the connection says about its pages; nil if it is null or missing.
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

    /// There is more after the last edge, as far as is known.
    public var hasNextPage: Bool { info(keys.hasNextPage) == .bool(true) }
    /// There is more before the first edge, as far as is known.
    public var hasPreviousPage: Bool { info(keys.hasPreviousPage) == .bool(true) }

    // MARK: - Edges

    /// The edge of a node in this connection: a new one, or the one that there is. It is not inserted.
    ///
    /// - Parameters:
    ///   - node: what the edge leads to.
    ///   - type: the edge's type; without it the type of the other edges, or else the name of the connection's type
    ///     with `Edge` for `Connection`.
    public func createEdge(node: RecordProxy, type: TypeName? = nil) throws(UpdateError) -> RecordProxy {
        let node = try record.own(node)
        try checkWritable()
        return RecordProxy(source: source, record: content.makeEdge(of: node, type: edgeType(type)))
    }

    /// A copy of an edge that an answer brought, for this connection. It is not inserted.
    ///
    /// A server's edge belongs to its place in the answer; the next answer would make it an edge of something else.
    public func buildEdge(from edge: RecordProxy) throws(UpdateError) -> RecordProxy {
        let edge = try record.own(edge)
        try checkWritable()
        let content = content
        var own: RecordID?
        let list = content.list ?? []
        if let node = content.target(of: edge), content.positions(of: node, in: list).isEmpty {
            own = content.ownEdge(of: node)
            // It is in the list, but was made to lead elsewhere.
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

    /// Inserts an edge after the edge with a cursor, or at the end without a cursor and if there is no such edge; says
    /// whether it did.
    ///
    /// An edge whose node is in the connection already is not inserted, unless repetition is allowed.
    @discardableResult
    public func insertEdge(
        _ edge: RecordProxy, after cursor: String? = nil, allowingRepetition: Bool = false
    ) throws(UpdateError) -> Bool {
        try insert(edge, allowingRepetition) { list in
            cursor.flatMap { position(of: $0, in: list) }.map { $0 + 1 } ?? list.count
        }
    }

    /// Inserts an edge before the edge with a cursor, or at the start without a cursor and if there is no such edge;
    /// says whether it did.
    ///
    /// An edge whose node is in the connection already is not inserted, unless repetition is allowed.
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
        // A list that is new here has edges of which all is known.
        let areDistinct =
            (content.areDistinct || list.isEmpty) && !isPresent && node.map { content.ownEdge(of: $0) == edge } ?? false
        list.insert(edge, at: position(list))
        content.set(list, areDistinct: areDistinct)
        return true
    }

    /// Adds a node at the end, unless it is there; says whether it did.
    @discardableResult
    public func append(node: RecordProxy, edgeType: TypeName? = nil) throws(UpdateError) -> Bool {
        guard try isAbsent(node) else { return false }
        return try insertEdge(createEdge(node: node, type: edgeType))
    }

    /// Adds a node at the start, unless it is there; says whether it did.
    @discardableResult
    public func prepend(node: RecordProxy, edgeType: TypeName? = nil) throws(UpdateError) -> Bool {
        guard try isAbsent(node) else { return false }
        return try insertEdge(createEdge(node: node, type: edgeType), before: nil)
    }

    /// Adds a copy of an edge that an answer brought at the end, unless its node is there; says whether it did.
    @discardableResult
    public func append(edge: RecordProxy) throws(UpdateError) -> Bool {
        guard try isAbsent(nodeOf: edge) else { return false }
        return try insertEdge(buildEdge(from: edge))
    }

    /// Adds a copy of an edge that an answer brought at the start, unless its node is there; says whether it did.
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

    /// Takes out every edge of a node, be it deleted or not; the number of edges that went. The page info stays as it
    /// is.
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
