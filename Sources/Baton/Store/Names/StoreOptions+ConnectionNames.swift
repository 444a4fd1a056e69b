extension StoreOptions {
    /// The names of the fields of connections in a schema. The defaults are the names of the Cursor Connections
    /// Specification.
    ///
    /// Relay calls these names `ConnectionInterface`.
    public struct ConnectionNames: Sendable, Hashable {
        /// The field of a connection with the list of edges.
        public var edges: String
        /// The field of an edge with its object.
        public var node: String
        /// The field of an edge with its position.
        public var cursor: String
        /// The field of a connection with the information about its pages.
        public var pageInfo: String
        /// The type of the page info, for a connection whose responses brought none.
        public var pageInfoType: TypeName
        /// The field of the page info with the cursor of the last edge.
        public var endCursor: String
        /// The field of the page info with the cursor of the first edge.
        public var startCursor: String
        /// The field of the page info that tells whether there are edges after the last one.
        public var hasNextPage: String
        /// The field of the page info that tells whether there are edges before the first one.
        public var hasPreviousPage: String

        /// Creates names; omitted arguments have the names of the specification.
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
}

extension StorageKey {
    /// The key of the copy that a handler keeps of a field: `__key_connection(filters)`.
    init(handle name: String, key: String, filters: [String: JSONValue]) {
        self.init("__\(key)_\(name)", filters.map { ($0.key, $0.value) })
    }
}

extension StoreOptions.ConnectionNames {
    /// The name of the filter for the value that `dynamicKey_UNSTABLE` gives.
    public static let dynamicKey = "__dynamicKey"
}

extension DataID {
    /// Returns the identity of a connection that this client keeps, for variables of mutations that name connections.
    ///
    /// - Parameters:
    ///   - parent: The record that has the connection field; `DataID.root` for a field of the query.
    ///   - key: The `key` of `@connection`.
    ///   - filters: The values of the arguments that the directive names as filters; arguments without a value are left
    ///     out. The value of `dynamicKey_UNSTABLE` has the name ``StoreOptions/ConnectionNames/dynamicKey``.
    public static func connection(on parent: DataID, key: String, filters: [String: JSONValue] = [:]) -> DataID {
        let own = parent.rawValue.hasPrefix("client:") ? parent.rawValue : "client:\(parent.rawValue)"
        return DataID("\(own):\(StorageKey(handle: "connection", key: key, filters: filters).rawValue)")
    }
}
