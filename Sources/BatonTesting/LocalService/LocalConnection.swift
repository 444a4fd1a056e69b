/// One page of a list, in the form of Relay's connection specification.
///
/// It has the fields `edges` (with `node` and `cursor`), `nodes`, `pageInfo` and `totalCount`. `hasNextPage` and
/// `hasPreviousPage` tell whether the list has more nodes on that side, whichever arguments were given.
///
/// Specification: https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm
public struct LocalConnection<Node: Sendable>: LocalFields {
    /// The nodes of this page with their cursors.
    public let edges: [Edge]
    /// The number of nodes of the whole list.
    public let totalCount: Int
    /// Whether the list has nodes after this page.
    public let hasNextPage: Bool
    /// Whether the list has nodes before this page.
    public let hasPreviousPage: Bool

    /// A node and its cursor.
    public struct Edge: LocalFields {
        /// The node.
        public let node: Node
        /// The cursor: the value for `after` and `before` that continues from this node.
        public let cursor: String

        public func localField(_ name: String) -> LocalField {
            switch name {
            case "node": .value(node)
            case "cursor": .value(cursor)
            default: .unknown
            }
        }
    }

    /// Makes the page that the field's arguments `first`, `after`, `last` and `before` ask for.
    ///
    /// The cursor of a node is its position in the list, unless the closure `cursor` returns a cursor for the node.
    /// Such a cursor stays valid when nodes are added. An unknown cursor is ignored.
    ///
    /// - Throws: `LocalError` for a negative `first` or `last`.
    public init(
        _ nodes: [Node],
        _ arguments: LocalArguments,
        cursor: ((Node) -> String)? = nil
    ) throws {
        try self.init(
            nodes,
            first: arguments.int("first"),
            after: arguments.string("after"),
            last: arguments.int("last"),
            before: arguments.string("before"),
            cursor: cursor
        )
    }

    /// Cuts a page out of a list, and throws, as `init(_:_:cursor:)` does.
    public init(
        _ nodes: [Node],
        first: Int? = nil,
        after: String? = nil,
        last: Int? = nil,
        before: String? = nil,
        cursor: ((Node) -> String)? = nil
    ) throws {
        func check(_ count: Int?, _ name: String) throws {
            guard let count, count < 0 else { return }
            throw LocalError("'\(name)' must not be negative, but it is \(count)")
        }
        try check(first, "first")
        try check(last, "last")
        func index(of wanted: String?) -> Int? {
            guard let wanted else { return nil }
            if let cursor { return nodes.firstIndex { cursor($0) == wanted } }
            return Int(wanted).flatMap { nodes.indices.contains($0) ? $0 : nil }
        }
        var start = index(of: after).map { $0 + 1 } ?? 0
        var end = max(start, index(of: before) ?? nodes.count)
        if let first { end = min(end, start + min(first, end - start)) }
        if let last { start = max(start, end - min(last, end - start)) }
        edges = (start..<end).map { Edge(node: nodes[$0], cursor: cursor?(nodes[$0]) ?? String($0)) }
        totalCount = nodes.count
        hasPreviousPage = start > 0
        hasNextPage = end < nodes.count
    }

    public func localField(_ name: String) -> LocalField {
        switch name {
        case "edges": .value(edges)
        case "nodes": .value(edges.map(\.node))
        case "totalCount": .value(totalCount)
        case "pageInfo":
            .value(
                LocalPageInfo(
                    hasNextPage: hasNextPage,
                    hasPreviousPage: hasPreviousPage,
                    startCursor: edges.first?.cursor,
                    endCursor: edges.last?.cursor
                )
            )
        default: .unknown
        }
    }
}

/// The `PageInfo` of a connection; reflection finds its fields by their names.
private struct LocalPageInfo: Sendable {
    let hasNextPage: Bool
    let hasPreviousPage: Bool
    let startCursor: String?
    let endCursor: String?
}
