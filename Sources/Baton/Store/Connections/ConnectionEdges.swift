/// The edges of a connection that the client keeps, for an update that reads and changes them.
///
/// An edge is a record of its own, whose identity the connection and the node decide (`NameTable.edge(of:prefix:)`).
///
/// The edges are distinct as long as no update sets them by hand. Then a node without such a record is not in the
/// connection, and any other node is found by the number of its edge. A page then costs as much as its own edges, plus
/// one pass over the list of links (benchmark `connection.growth`). Otherwise the nodes of all edges are read once, and
/// the result is noted again.
struct ConnectionEdges {
    let source: RecordSourceProxy
    let connection: RecordID
    /// The common beginning of the identities of the edges.
    private let prefix: String
    private let copies: EdgeCopies?

    var keys: ConnectionKeys { source.names.connections }

    init(_ source: RecordSourceProxy, _ connection: RecordID, noting copies: EdgeCopies? = nil) {
        self.source = source
        self.connection = connection
        self.copies = copies
        prefix = source.names.edgePrefix(of: connection)
    }

    // MARK: - Finding

    /// The edges; nil if the list is null or missing.
    var list: [RecordID]? { source.value(keys.edges, of: connection)?.linkList }

    /// True if every edge has the identity that its node gives it, and no edge occurs twice.
    var areDistinct: Bool {
        if case .bool(true) = source.value(keys.areDistinct, of: connection) { return true }
        return false
    }

    /// Returns the node of an edge; nil if the edge or the node is null or does not exist.
    func node(of edge: RecordID) -> RecordID? {
        target(of: edge).flatMap { isThere($0) ? $0 : nil }
    }

    /// Returns the record that an edge links to. The record need not exist, because it may be created again.
    func target(of edge: RecordID) -> RecordID? {
        guard isThere(edge), case .link(let node) = source.value(keys.node, of: edge) else { return nil }
        return node
    }

    func isThere(_ record: RecordID) -> Bool { record != .none && source.state(of: record) == .existing }

    /// Returns the edge whose identity belongs to a node.
    func ownEdge(of node: RecordID) -> RecordID { source.names.edge(of: node, prefix: prefix) }

    /// Returns true if an edge links to a node. The node need not exist.
    private func leads(_ edge: RecordID, to node: RecordID) -> Bool {
        target(of: edge) == node
    }

    /// Returns the positions in the list of a node's edges, in order.
    func positions(of node: RecordID, in list: [RecordID]) -> [Int] {
        guard areDistinct else { return list.indices.filter { leads(list[$0], to: node) } }
        let own = ownEdge(of: node)
        guard source.state(of: own) != .unknown, let position = list.firstIndex(of: own) else { return [] }
        return leads(own, to: node) ? [position] : []
    }

    // MARK: - Making edges

    /// Returns the edge of a node: the edge in the list, or a new edge without a cursor.
    func makeEdge(of node: RecordID, type: TypeID) -> RecordID {
        var edge = ownEdge(of: node)
        let isKnown = isThere(edge)
        if isKnown, list?.contains(edge) == true {
            if leads(edge, to: node) { return edge }
            // The edge in the list was changed to link to another node.
            edge = makeNumbered(type)
        } else if !isKnown || source.type(of: edge) != type {
            source.create(edge, type)
        }
        // The old fields of an edge that was removed earlier do not count any more.
        source.put([keys.node, keys.cursor], [.link(node), .null], of: edge)
        return edge
    }

    /// Copies an edge that a response brought, so that the copy belongs to this connection alone.
    ///
    /// The edges of a response are identified by their place in the list, so the next response gives their records
    /// other nodes.
    func copy(_ edge: RecordID, as own: RecordID?) -> RecordID {
        let type = source.type(of: edge) ?? source.names.rootType
        let copy = own ?? makeNumbered(type)
        if source.type(of: copy) != type { source.create(copy, type) }
        source.copyFields(source.keys(of: edge), of: edge, to: copy)
        copies?.all[edge] = copy
        return copy
    }

    private func makeNumbered(_ type: TypeID) -> RecordID {
        var number = 0
        if case .int(let next) = source.value(keys.nextEdge, of: connection) { number = next }
        source.put(.int(number &+ 1), keys.nextEdge, of: connection)
        let edge = source.names.record(
            parent: connection, key: keys.edges, index: UInt32(truncatingIfNeeded: number) & 0x7FFF_FFFF)
        source.create(edge, type)
        return edge
    }

    // MARK: - Changing the list

    /// Sets the list, and the note that its edges are distinct.
    func set(_ list: [RecordID], areDistinct: Bool) {
        source.put([keys.edges, keys.areDistinct], [.links(list), .bool(areDistinct)], of: connection)
    }

    /// Replaces the whole list by the edges of a response. Nulls and repeated nodes stay.
    func replace(by edges: [RecordID]) {
        var list: [RecordID] = []
        list.reserveCapacity(edges.count)
        var areDistinct = true
        var seen: Set<RecordID> = []
        for edge in edges {
            guard isThere(edge) else {
                list.append(.none)
                areDistinct = false
                continue
            }
            let own = target(of: edge).map(ownEdge)
            if let own, !seen.insert(own).inserted {
                list.append(copy(edge, as: nil))
                areDistinct = false
            } else {
                list.append(copy(edge, as: own))
            }
        }
        set(list, areDistinct: areDistinct)
    }

    /// The side of the list that a page belongs to.
    enum Side {
        /// At the end, after the edge with a cursor.
        case end(after: JSONValue?)
        case start
    }

    /// Adds the edges of a response on one side of the list. Null edges are dropped.
    ///
    /// A page at the start goes in front as a whole. Of a page at the end, edges whose nodes are in the list stay where
    /// they are, and ``PagePlacing`` gives the other edges their places. Returns true if there were such edges.
    @discardableResult
    func add(_ edges: [RecordID], at side: Side, to list: [RecordID]) -> Bool {
        let page = edges.filter(isThere).map { edge in (edge: edge, node: target(of: edge)) }
        if areDistinct, let meetsKnown = addByIdentity(page, at: side, to: list) { return meetsKnown }
        return addByNode(page, at: side, to: list)
    }

    /// Sets a list with the edges of a page at the end in their places.
    func place(_ page: [PagePlacing.Edge], in list: [RecordID], after cursor: JSONValue?, areDistinct: Bool) {
        let placing = PagePlacing(page, in: list)
        let last = cursor.flatMap { cursor in
            list.lastIndex { isThere($0) && source.value(keys.cursor, of: $0)?.isCursor(cursor) == true }
        }
        let placed = placing.list(behind: last)
        set(placed, areDistinct: areDistinct)
        if let head = placed.first, head != list.first, !list.isEmpty { setStart(head) }
    }

    /// Notes that the list begins with an edge of a page at the end, so that the page before it is the one before that
    /// page.
    func setStart(_ head: RecordID) {
        guard case .link(let info) = source.value(keys.pageInfo, of: connection), isThere(info),
            let start = source.value(keys.cursor, of: head), !start.isNull
        else { return }
        source.put(start, keys.startCursor, of: info)
    }

    private typealias Page = [(edge: RecordID, node: RecordID?)]

    /// Adds a page by looking up the own edge of each node. Returns nil and changes nothing if an own edge in the list
    /// links to another node.
    private func addByIdentity(_ page: Page, at side: Side, to list: [RecordID]) -> Bool? {
        let owns = page.map { $0.node.map(ownEdge) }
        // A record that was never written cannot be in the list. All other records are searched for in one pass.
        let candidates = RecordSearch(Set(owns.compactMap { $0 }.filter { source.state(of: $0) != .unknown }))
        let present = candidates.isEmpty ? [] : Set(list.filter { candidates.contains($0) })
        for (item, own) in zip(page, owns) {
            if let own, let node = item.node, present.contains(own), !leads(own, to: node) { return nil }
        }
        var isAtEnd = false
        if case .end = side { isAtEnd = true }
        var added: [RecordID] = []
        var seen: Set<RecordID> = []
        for (item, own) in zip(page, owns) {
            if let own {
                if isAtEnd, present.contains(own) { continue }
                guard seen.insert(own).inserted else { continue }
            }
            added.append(copy(item.edge, as: own))
        }
        guard !added.isEmpty else { return !present.isEmpty }
        switch side {
        case .end where present.isEmpty: set(list + added, areDistinct: true)
        case .end(let cursor):
            var left = added[...]
            seen = []
            let edges = owns.compactMap { own -> PagePlacing.Edge? in
                if let own, present.contains(own) { return .known(own) }
                if let own, !seen.insert(own).inserted { return nil }
                return left.popFirst().map { .added($0) }
            }
            place(edges, in: list, after: cursor, areDistinct: true)
        case .start: set(added + (present.isEmpty ? list : list.filter { !present.contains($0) }), areDistinct: true)
        }
        return !present.isEmpty
    }

    /// Adds a page after a read of the nodes of all edges.
    private func addByNode(_ page: Page, at side: Side, to list: [RecordID]) -> Bool {
        var nodes: [RecordID: RecordID] = [:]
        var result: [RecordID] = []
        var areDistinct = true
        let known = Set(list)
        func addList() {
            for edge in list where isThere(edge) {
                if let node = target(of: edge) {
                    guard nodes[node] == nil else { continue }
                    nodes[node] = edge
                    areDistinct = areDistinct && edge == ownEdge(of: node)
                }
                result.append(edge)
            }
        }
        var isAtEnd = false
        if case .end = side {
            isAtEnd = true
            addList()
        }
        var edges: [PagePlacing.Edge] = []
        let inList = nodes
        for (edge, node) in page {
            guard let node else {
                edges.append(.added(copy(edge, as: nil)))
                continue
            }
            if isAtEnd, let known = inList[node] { edges.append(.known(known)) }
            guard nodes[node] == nil else { continue }
            nodes[node] = edge
            let own = ownEdge(of: node)
            // The edge is in the list, but was changed to link to another node.
            let isTaken = known.contains(own) && isThere(own) && !leads(own, to: node)
            areDistinct = areDistinct && !isTaken
            edges.append(.added(copy(edge, as: isTaken ? nil : own)))
        }
        if case .end(let cursor) = side {
            place(edges, in: result, after: cursor, areDistinct: areDistinct)
        } else {
            result = edges.map(\.record)
            addList()
            set(result, areDistinct: areDistinct)
        }
        return edges.contains(where: \.isKnown)
    }
}

/// The edges of a connection that are copies of a response's edges, by the response's edges.
final class EdgeCopies {
    var all: [RecordID: RecordID] = [:]
}
