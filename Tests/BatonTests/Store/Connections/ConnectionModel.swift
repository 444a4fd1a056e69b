@testable import Baton

/// A model of connections as arrays, which follows the rules of Relay's handler. The store must agree with it.
struct ConnectionModel {
    typealias Edge = TodoConnection.Edge
    typealias Info = TodoConnection.Info
    typealias Page = TodoConnection.Page

    struct Connection {
        var edges: [Edge?]?
        var total: Int?
        var info = Info()
        var isNull = false
    }

    /// The connections by the value of their filter.
    var connections: [String: Connection] = [:]
    var deleted: Set<String> = []

    /// Returns the connection as a reader sees it: deleted nodes are null.
    func seen(_ kind: String) -> Page? {
        guard let connection = connections[kind], !connection.isNull else { return nil }
        let edges = connection.edges.map { edges in
            edges.map { edge in edge.map { Edge(live($0.node), cursor: $0.cursor) } }
        }
        return Page(edges: edges, total: connection.total, info: connection.info)
    }

    func live(_ node: String?) -> String? { node.flatMap { deleted.contains($0) ? nil : $0 } }

    mutating func land(_ page: Page?, _ arguments: TodoConnection.Arguments) {
        let kind = arguments.kind ?? ""
        guard let page else {
            connections[kind, default: Connection(edges: nil)].isNull = true
            if connections[kind]?.total == nil, connections[kind]?.edges == nil { connections[kind] = nil }
            return
        }
        for case let node? in page.nodes { deleted.remove(node) }
        guard var connection = connections[kind] else {
            connections[kind] = Connection(edges: page.edges, total: page.total, info: page.info ?? Info())
            return
        }
        defer { connections[kind] = connection }
        connection.isNull = false
        connection.total = page.total
        if let old = connection.edges, let new = page.edges {
            if let after = arguments.after {
                guard after == connection.info.end || sameEnd(connection.info.end, page.info) else { return }
                let (merged, hasNewHead) = placed(new, in: old, after: after)
                connection.edges = merged
                if hasNewHead, let start = merged.first?.cursor { connection.info.start = start }
            } else if let before = arguments.before {
                guard before == connection.info.start else { return }
                connection.edges = unique(new + old)
            } else {
                connection.edges = new
            }
        } else if let new = page.edges {
            connection.edges = new
        }
        guard let info = page.info else { return }
        if arguments.after == nil && arguments.before == nil {
            connection.info = info
        } else if arguments.before != nil {
            connection.info.hasPrevious = info.hasPrevious ?? false
            if let start = info.start { connection.info.start = start }
        } else {
            connection.info.hasNext = info.hasNext ?? false
            if let end = info.end { connection.info.end = end }
        }
    }

    private func sameEnd(_ end: String?, _ info: Info?) -> Bool { info.map { $0.end == end } ?? false }

    private func unique(_ edges: [Edge?]) -> [Edge] {
        var nodes: Set<String> = []
        return edges.compactMap { $0 }.filter { edge in live(edge.node).map { nodes.insert($0).inserted } ?? true }
    }

    /// Walks a page backwards and inserts each new edge before the next one that is in the list, behind the edge that
    /// the page follows. Returns true if an edge goes before all that were there.
    private func placed(_ page: [Edge?], in list: [Edge?], after cursor: String) -> ([Edge], Bool) {
        var result = unique(list)
        var hasNewHead = false
        let known = Set(result.compactMap(\.node))
        let first = result.lastIndex { $0.cursor == cursor }.map { $0 + 1 } ?? 0
        var position = result.count
        let edges = page.compactMap { $0 }
        for (index, edge) in edges.enumerated().reversed() {
            if let node = edge.node, known.contains(node) {
                if let place = result.firstIndex(where: { $0.node == node }), place >= first { position = place }
            } else if edge.node == nil || !edges[..<index].contains(where: { $0.node == edge.node }) {
                hasNewHead = hasNewHead || position == 0 && !unique(list).isEmpty
                result.insert(edge, at: position)
            }
        }
        return (result, hasNewHead)
    }

    // MARK: - Updates

    func contains(_ node: String, _ kind: String) -> Bool {
        connections[kind]?.edges?.contains { $0?.node == node } ?? false
    }

    mutating func insert(_ node: String, _ kind: String, at position: ([Edge?]) -> Int) {
        guard !contains(node, kind) else { return }
        var edges = connections[kind]?.edges ?? []
        edges.insert(Edge(node, cursor: nil), at: position(edges))
        connections[kind]?.edges = edges
    }

    mutating func deleteNode(_ node: String, _ kind: String) {
        connections[kind]?.edges?.removeAll { $0?.node == node }
    }

    mutating func removeReferences(to node: String) {
        for kind in connections.keys {
            guard let old = connections[kind]?.edges, var info = connections[kind]?.info else { continue }
            let rest = old.filter { $0?.node != node }
            if let first = old.first??.node == node ? old.first : nil, let cursor = first?.cursor, cursor == info.start
            {
                let next = rest.lazy.compactMap { $0?.cursor }.first
                if rest.isEmpty || next != nil { info.start = next }
            }
            if let last = old.last??.node == node ? old.last : nil, let cursor = last?.cursor, cursor == info.end {
                let next = rest.reversed().lazy.compactMap { $0?.cursor }.first
                if rest.isEmpty || next != nil { info.end = next }
            }
            connections[kind]?.edges = rest
            connections[kind]?.info = info
        }
    }
}
