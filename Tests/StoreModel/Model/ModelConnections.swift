import Baton

/// The connections of the model, as arrays without records, data IDs or flags.
struct ModelConnections {
    /// An edge of a list; edges with the same token are the same edge.
    struct Edge: Hashable {
        let token: Int
        var node: String?
        var cursor: String?
    }

    struct Connection {
        var total: JSONValue = .null
        /// The edges; nil for a null list, and a nil item for a null edge.
        var edges: [Edge?]?
        var info: [String: JSONValue] = [
            "hasNextPage": false, "hasPreviousPage": false, "endCursor": nil, "startCursor": nil,
        ]
    }

    /// The parent record and the filter of a connection.
    struct Place: Hashable {
        let parent: String
        let tag: String?

        static let all = ["client:root", "owner"].flatMap { parent in
            [nil, "x", "y"].map { Place(parent: parent, tag: $0) }
        }

        var filters: [String: JSONValue] { tag.map { ["tag": .string($0)] } ?? [:] }
    }

    /// The page of a response.
    struct Page {
        var total: JSONValue
        var edges: [(node: String?, cursor: String?)?]?
        var info: [String: JSONValue]?
        /// The nodes of the page, with their numbers.
        var nodes: [(id: String, number: Int)] = []
    }

    enum Cursor: Hashable {
        case none
        case after(String)
        case before(String)
    }

    /// The connections, including those whose field is null now.
    var kept: [Place: Connection] = [:]
    /// The fields that a response has set; false for null.
    var linked: [Place: Bool] = [:]
    var ownerIsThere = false
    var nodes: [String: Int] = [:]
    var deleted: Set<String> = []
    /// The connections whose list was set since this set was last emptied.
    var written: Set<Place> = []
    private var lastToken = 0

    private mutating func edge(_ node: String?, _ cursor: String?) -> Edge {
        lastToken += 1
        return Edge(token: lastToken, node: node, cursor: cursor)
    }

    subscript(place: Place) -> Connection? {
        get { linked[place] == true ? kept[place] : nil }
        set { kept[place] = newValue }
    }

    /// Whether a response was published, so that the root exists.
    var isBegun: Bool { ownerIsThere || !linked.isEmpty }

    func exists(_ node: String?) -> Bool { node.map { nodes[$0] != nil } ?? false }

    // MARK: - Pages

    mutating func land(_ page: Page?, at place: Place, _ cursor: Cursor) {
        if place.parent == "owner" { ownerIsThere = true }
        guard let page else {
            linked[place] = false
            return
        }
        linked[place] = true
        let isNew = kept[place] == nil
        var own = kept[place] ?? Connection()
        own.total = page.total
        defer { kept[place] = own }
        if isNew || cursor == .none {
            if let edges = page.edges { own.edges = edges.map { one in one.map { edge($0.node, $0.cursor) } } }
            for (key, value) in page.info ?? [:] { own.info[key] = value }
            return
        }
        if let list = own.edges, let edges = page.edges {
            let news = edges.compactMap { one in one.map { edge($0.node, $0.cursor) } }
            let olds = list.compactMap { $0 }
            switch cursor {
            case .after(let text):
                let end = own.info["endCursor"]
                guard end == .string(text) || page.info.map({ $0["endCursor"] == end }) ?? false else { return }
                let old = withoutRepetition(olds)
                let new = placed(news, in: old, after: text)
                own.edges = new
                if !old.isEmpty, let head = new.first, head.token != old.first?.token, let start = head.cursor {
                    own.info["startCursor"] = .string(start)
                }
            case .before(let text):
                guard own.info["startCursor"] == .string(text) else { return }
                own.edges = withoutRepetition(news + olds)
            case .none: break
            }
        } else if let edges = page.edges {
            own.edges = edges.map { one in one.map { edge($0.node, $0.cursor) } }
        }
        guard let info = page.info else { return }
        let isForward = if case .after = cursor { true } else { false }
        let (hasMore, side) = isForward ? ("hasNextPage", "endCursor") : ("hasPreviousPage", "startCursor")
        own.info[hasMore] = .bool(info[hasMore] == true)
        if let value = info[side], value != .null { own.info[side] = value }
    }

    /// Keeps the first edge of each node, also of deleted nodes.
    private func withoutRepetition(_ edges: [Edge]) -> [Edge] {
        var seen: Set<String> = []
        return edges.filter { edge in
            guard let node = edge.node else { return true }
            return seen.insert(node).inserted
        }
    }

    /// Walks a page backwards and inserts each new edge before the next one that is in the list, behind the edge that
    /// the page follows.
    private func placed(_ page: [Edge], in list: [Edge], after cursor: String) -> [Edge] {
        // For each place in the list, the edges that go before it, in the order of the page. A page may name a node of
        // the list twice.
        var before = [[Edge]](repeating: [], count: list.count + 1)
        let known = Set(list.compactMap(\.node))
        let first = list.lastIndex { $0.cursor == cursor }.map { $0 + 1 } ?? 0
        var position = list.count
        for (index, edge) in page.enumerated().reversed() {
            if let node = edge.node, known.contains(node) {
                if let place = list.firstIndex(where: { $0.node == node }), place >= first { position = place }
            } else if edge.node == nil || !page[..<index].contains(where: { $0.node == edge.node }) {
                before[position].insert(edge, at: 0)
            }
        }
        return list.indices.flatMap { before[$0] + [list[$0]] } + before[list.count]
    }

    // MARK: - Edits

    private func contains(_ node: String, _ place: Place) -> Bool {
        (self[place]?.edges ?? []).contains { $0?.node == node }
    }

    /// Inserts a new edge of an existing node; returns whether it did.
    mutating func insert(_ node: String, at place: Place, _ cursor: Cursor, atStart: Bool) -> Bool {
        guard exists(node), self[place] != nil, !contains(node, place) else { return false }
        let new = edge(node, nil)
        insert(new, at: place, cursor, atStart: atStart)
        return true
    }

    private mutating func insert(_ new: Edge, at place: Place, _ cursor: Cursor, atStart: Bool) {
        var list = self[place]?.edges ?? []
        let position = { (text: String) in list.firstIndex { $0 != nil && $0?.cursor == text } }
        var index = atStart ? 0 : list.count
        switch cursor {
        case .after(let text): index = position(text).map { $0 + 1 } ?? index
        case .before(let text): index = position(text) ?? index
        case .none: break
        }
        list.insert(new, at: index)
        self[place]?.edges = list
        written.insert(place)
    }

    /// Adds a copy of an edge, of this or another connection or of a response.
    mutating func add(node: String?, cursor: String?, at place: Place, atStart: Bool) -> Bool {
        guard self[place] != nil else { return false }
        if let node, contains(node, place) { return false }
        let new = edge(node, cursor)
        insert(new, at: place, .none, atStart: atStart)
        return true
    }

    /// Appends the same edge once more.
    mutating func again(_ index: Int, at place: Place) -> Bool {
        guard let edges = self[place]?.edges, edges.indices.contains(index), let edge = edges[index] else {
            return false
        }
        self[place]?.edges?.append(edge)
        written.insert(place)
        return true
    }

    mutating func change(_ index: Int, at place: Place, _ body: (inout Edge) -> Void) -> Bool {
        guard let edges = self[place]?.edges, edges.indices.contains(index), let edge = edges[index] else {
            return false
        }
        self[place]?.edges = edges.map { one in
            guard var one, one.token == edge.token else { return one }
            body(&one)
            return one
        }
        return true
    }

    mutating func deleteNode(_ node: String, at place: Place) -> Int {
        guard let edges = self[place]?.edges, contains(node, place) else { return 0 }
        self[place]?.edges = edges.filter { $0 == nil || $0?.node != node }
        written.insert(place)
        return edges.count { $0 != nil && $0?.node == node }
    }

    mutating func delete(_ node: String, removingReferences: Bool) {
        nodes[node] = nil
        deleted.insert(node)
        if removingReferences { removeReferences(to: node) }
    }

    private mutating func removeReferences(to node: String) {
        for (place, connection) in kept {
            guard let edges = connection.edges, edges.contains(where: { $0?.node == node }) else { continue }
            let rest = edges.filter { $0 == nil || $0?.node != node }
            var new = connection
            new.edges = rest
            if let first = edges.first ?? nil, first.node == node {
                Self.mend("startCursor", of: &new, from: first, to: rest)
            }
            if let last = edges.last ?? nil, last.node == node {
                Self.mend("endCursor", of: &new, from: last, to: rest.reversed())
            }
            kept[place] = new
            written.insert(place)
        }
    }

    /// Replaces a cursor of the page info that was the cursor of a removed edge.
    private static func mend(_ key: String, of connection: inout Connection, from gone: Edge, to rest: [Edge?]) {
        guard let cursor = gone.cursor, connection.info[key] == .string(cursor) else { return }
        if rest.isEmpty {
            connection.info[key] = .null
        } else if let next = rest.lazy.compactMap({ $0?.cursor }).first {
            connection.info[key] = .string(next)
        }
    }

    // MARK: - Reading

    /// The JSON that a query of the connection reads, without its parent object.
    func json(at place: Place) -> JSONValue {
        guard let connection = self[place] else { return .null }
        let edges = connection.edges.map { edges in
            JSONValue.array(
                edges.map { edge in
                    guard let edge else { return .null }
                    return [
                        "__typename": "FeedEdge", "cursor": edge.cursor.map { .string($0) } ?? .null,
                        "node": edge.node.map { json(of: $0) } ?? .null,
                    ]
                })
        }
        let info = ["endCursor", "hasNextPage", "hasPreviousPage", "startCursor"].map {
            JSONValue.Member($0, connection.info[$0] ?? .null)
        }
        return [
            "__typename": "Feed", "total": connection.total, "edges": edges ?? .null,
            "pageInfo": .object([.init("__typename", "PageInfo")] + info),
        ]
    }

    private func json(of node: String) -> JSONValue {
        guard let number = nodes[node] else { return .null }
        return ["__typename": "N0", "id": .string(node), "i0": .int(number)]
    }
}
