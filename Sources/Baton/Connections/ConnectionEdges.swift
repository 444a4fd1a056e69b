/// The edges of a connection that the client keeps, as an update sees and changes them.
///
/// An edge is a record of its own, which connection and node decide (`NameTable.edge(of:prefix:)`). As long as nobody
/// set edges by hand, a node that has no such record is not in the connection, and one that has is looked for by its
/// number: adding a page costs as much as the page, but for the one list of links (benchmark
/// `connection.growth`). Otherwise the nodes of all edges are asked, once, and what is found is noted again.
struct ConnectionEdges {
    let source: RecordSourceProxy
    let connection: RecordID
    /// What the identities of its edges begin with.
    private let prefix: String

    var keys: ConnectionKeys { source.names.connections }

    init(_ source: RecordSourceProxy, _ connection: RecordID) {
        self.source = source
        self.connection = connection
        prefix = source.edgePrefix(of: connection)
    }

    // MARK: - Looking

    /// The edges; nil if the list is null or missing.
    var list: [RecordID]? { source.value(keys.edges, of: connection)?.linkList }

    /// Every edge has the identity that its node gives it, and none is there twice.
    var areDistinct: Bool {
        if case .bool(true) = source.value(keys.areDistinct, of: connection) { return true }
        return false
    }

    /// The node of an edge; nil if either is null or does not exist.
    func node(of edge: RecordID) -> RecordID? {
        target(of: edge).flatMap { isThere($0) ? $0 : nil }
    }

    /// The record to which an edge leads, whether or not that exists: it may come back.
    func target(of edge: RecordID) -> RecordID? {
        guard isThere(edge), case .link(let node) = source.value(keys.node, of: edge) else { return nil }
        return node
    }

    func isThere(_ record: RecordID) -> Bool { record != .none && source.state(of: record) == .existing }

    /// The edge that stands for a node.
    func ownEdge(of node: RecordID) -> RecordID { source.names.edge(of: node, prefix: prefix) }

    /// Says whether an edge leads to a node, whether or not that exists.
    private func leads(_ edge: RecordID, to node: RecordID) -> Bool {
        target(of: edge) == node
    }

    /// Where the edges of a node are in the list, the first first.
    func positions(of node: RecordID, in list: [RecordID]) -> [Int] {
        guard areDistinct else { return list.indices.filter { leads(list[$0], to: node) } }
        let own = ownEdge(of: node)
        guard source.state(of: own) != .unknown, let position = list.firstIndex(of: own) else { return [] }
        return leads(own, to: node) ? [position] : []
    }

    // MARK: - Making edges

    /// Makes the edge of a node, without a cursor, or takes the one that is in the list.
    func makeEdge(of node: RecordID, type: TypeID) -> RecordID {
        var edge = ownEdge(of: node)
        let isKnown = isThere(edge)
        if isKnown, list?.contains(edge) == true {
            if leads(edge, to: node) { return edge }
            // It was made to lead elsewhere.
            edge = makeNumbered(type)
        } else if !isKnown || source.type(of: edge) != type {
            source.create(edge, type)
        }
        // What it was before it was taken out is over.
        source.put([keys.node, keys.cursor], [.link(node), .null], of: edge)
        return edge
    }

    /// Copies an edge that an answer brought, for this connection alone.
    ///
    /// The records of an answer's edges go by their place in the list, so that the next answer makes them edges of
    /// other nodes.
    func copy(_ edge: RecordID, as own: RecordID?) -> RecordID {
        let type = source.type(of: edge) ?? source.names.rootType
        let copy = own ?? makeNumbered(type)
        if source.type(of: copy) != type { source.create(copy, type) }
        source.copyFields(source.keys(of: edge), of: edge, to: copy)
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

    /// Sets the list, and whether its edges are known to be distinct.
    func set(_ list: [RecordID], areDistinct: Bool) {
        source.put([keys.edges, keys.areDistinct], [.links(list), .bool(areDistinct)], of: connection)
    }

    /// Takes the edges of an answer for the whole list. Nulls and repeated nodes stay.
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

    /// Which side of the list a page belongs to.
    enum Side {
        case end
        case start
    }

    /// Adds the edges of an answer on one side of the list. Nulls go; of a node that is in both, the edge stays that is
    /// nearer to the start.
    func add(_ edges: [RecordID], at side: Side, to list: [RecordID]) {
        let page = edges.filter(isThere).map { edge in (edge: edge, node: target(of: edge)) }
        if areDistinct, addByIdentity(page, at: side, to: list) { return }
        addByNode(page, at: side, to: list)
    }

    private typealias Page = [(edge: RecordID, node: RecordID?)]

    /// Asks for each node of the page whether its edge is in the list. False, and nothing done, if that does not tell.
    private func addByIdentity(_ page: Page, at side: Side, to list: [RecordID]) -> Bool {
        let owns = page.map { $0.node.map(ownEdge) }
        // A record that nobody ever wrote cannot be in the list; the others are looked for, all in one pass.
        let candidates = RecordSearch(Set(owns.compactMap { $0 }.filter { source.state(of: $0) != .unknown }))
        let present = candidates.isEmpty ? [] : Set(list.filter { candidates.contains($0) })
        for (item, own) in zip(page, owns) {
            if let own, let node = item.node, present.contains(own), !leads(own, to: node) { return false }
        }
        var added: [RecordID] = []
        var seen: Set<RecordID> = []
        for (item, own) in zip(page, owns) {
            if let own {
                if side == .end, present.contains(own) { continue }
                guard seen.insert(own).inserted else { continue }
            }
            added.append(copy(item.edge, as: own))
        }
        guard !added.isEmpty else { return true }
        switch side {
        case .end: set(list + added, areDistinct: true)
        case .start: set(added + (present.isEmpty ? list : list.filter { !present.contains($0) }), areDistinct: true)
        }
        return true
    }

    /// Goes by the nodes of all edges.
    private func addByNode(_ page: Page, at side: Side, to list: [RecordID]) {
        var nodes: Set<RecordID> = []
        var result: [RecordID] = []
        var areDistinct = true
        let known = Set(list)
        func addList() {
            for edge in list where isThere(edge) {
                if let node = target(of: edge) {
                    guard nodes.insert(node).inserted else { continue }
                    areDistinct = areDistinct && edge == ownEdge(of: node)
                }
                result.append(edge)
            }
        }
        if side == .end { addList() }
        for (edge, node) in page {
            guard let node else {
                result.append(copy(edge, as: nil))
                continue
            }
            guard nodes.insert(node).inserted else { continue }
            let own = ownEdge(of: node)
            // The edge was made to lead elsewhere, and is in the list for that.
            let isTaken = known.contains(own) && isThere(own) && !leads(own, to: node)
            areDistinct = areDistinct && !isTaken
            result.append(copy(edge, as: isTaken ? nil : own))
        }
        if side == .start { addList() }
        set(result, areDistinct: areDistinct)
    }
}
