/// The names of connections' fields as storage keys of one store.
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
    /// The key, in a connection that the client keeps, of the number for the next edge without an identity of its own.
    let nextEdge: StorageKeyID
    /// The key, in a connection that the client keeps, of the flag that all its edges are distinct. It is true while
    /// every edge has the identity that its node gives it, and no edge occurs twice. A node is then found without a
    /// search through the edges.
    let areDistinct: StorageKeyID

    init(_ spelling: StoreOptions.ConnectionNames, _ names: inout NameTable.Names) {
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
