/// What the fields of connections are called in a schema; the names of the Cursor Connections Specification unless said
/// otherwise.
///
/// Relay's `ConnectionInterface`.
public struct ConnectionNames: Sendable, Hashable {
    /// The list of edges of a connection.
    public var edges: String
    /// The object of an edge.
    public var node: String
    /// The position of an edge.
    public var cursor: String
    /// What a connection says about its pages.
    public var pageInfo: String
    /// The type of that, for a connection of which no answer brought one.
    public var pageInfoType: TypeName
    /// The cursor of the last edge.
    public var endCursor: String
    /// The cursor of the first edge.
    public var startCursor: String
    /// Whether there is more after the last edge.
    public var hasNextPage: String
    /// Whether there is more before the first edge.
    public var hasPreviousPage: String

    /// Takes the names of the specification for what is left out.
    public init(
        edges: String = "edges", node: String = "node", cursor: String = "cursor", pageInfo: String = "pageInfo",
        pageInfoType: TypeName = "PageInfo", endCursor: String = "endCursor", startCursor: String = "startCursor",
        hasNextPage: String = "hasNextPage", hasPreviousPage: String = "hasPreviousPage"
    ) {
        self.edges = edges
        self.node = node
        self.cursor = cursor
        self.pageInfo = pageInfo
        self.pageInfoType = pageInfoType
        self.endCursor = endCursor
        self.startCursor = startCursor
        self.hasNextPage = hasNextPage
        self.hasPreviousPage = hasPreviousPage
    }
}

/// The names of connections as storage keys of one store.
struct ConnectionKeys: Sendable {
    let edges: StorageKeyID
    let node: StorageKeyID
    let cursor: StorageKeyID
    let pageInfo: StorageKeyID
    let pageInfoType: TypeID
    let endCursor: StorageKeyID
    let startCursor: StorageKeyID
    let hasNextPage: StorageKeyID
    let hasPreviousPage: StorageKeyID
    /// Of a connection that the client keeps: the number for the next edge that has no identity of its own.
    let nextEdge: StorageKeyID
    /// Of a connection that the client keeps: true while every edge has the identity that its node gives it, and none
    /// is there twice. Then a node is found without going through the edges.
    let areDistinct: StorageKeyID

    init(_ spelling: ConnectionNames, _ names: inout NameTable.Names) {
        edges = names.key(spelling.edges)
        node = names.key(spelling.node)
        cursor = names.key(spelling.cursor)
        pageInfo = names.key(spelling.pageInfo)
        pageInfoType = names.type(spelling.pageInfoType.rawValue)
        endCursor = names.key(spelling.endCursor)
        startCursor = names.key(spelling.startCursor)
        hasNextPage = names.key(spelling.hasNextPage)
        hasPreviousPage = names.key(spelling.hasPreviousPage)
        nextEdge = names.key("__connection_next_edge_index")
        areDistinct = names.key("__connection_has_distinct_nodes")
    }
}

extension StorageKey {
    /// The key under which a record keeps what a handler made of a field: `__key_connection(filters)`.
    init(handle name: String, key: String, filters: [String: JSONValue]) {
        self.init("__\(key)_\(name)", filters.map { ($0.key, $0.value) })
    }
}

extension DataID {
    /// The identity of a connection that this client keeps, for variables of mutations that name connections.
    ///
    /// - Parameters:
    ///   - parent: the record that has the connection field; `DataID.root` for a field of the query.
    ///   - key: the `key` of `@connection`.
    ///   - filters: the values of the arguments that the directive names as filters; one that has no value is left out.
    public static func connection(on parent: DataID, key: String, filters: [String: JSONValue] = [:]) -> DataID {
        let own = parent.rawValue.hasPrefix("client:") ? parent.rawValue : "client:\(parent.rawValue)"
        return DataID("\(own):\(StorageKey(handle: "connection", key: key, filters: filters).rawValue)")
    }
}
