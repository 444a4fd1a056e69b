/// The places of a page's edges in a list whose end the page overlaps.
///
/// A page is placed by its known neighbours: it is walked backwards, and each new edge goes before the next edge of the
/// page that is in the list. The edges behind the last one that is in the list go to the end.
///
/// A known edge in front of the edge whose cursor the page follows is no neighbour. The server has moved its node, and
/// the rows of a page that somebody scrolls to must not appear far above.
///
/// Takes one pass over the list and one over the page.
struct PagePlacing {
    /// An edge of the page, in the order of the page.
    enum Edge {
        /// The edge is new.
        case added(RecordID)
        /// The node is in the list already, with this edge.
        case known(RecordID)

        var record: RecordID {
            switch self {
            case .added(let edge), .known(let edge): edge
            }
        }

        var isKnown: Bool { if case .known = self { true } else { false } }
    }

    private let page: [Edge]
    private let list: [RecordID]
    /// The positions in the list of the known edges.
    private var positions: [RecordID: Int] = [:]

    init(_ page: [Edge], in list: [RecordID]) {
        (self.page, self.list) = (page, list)
        let known = Set(page.lazy.filter(\.isKnown).map(\.record))
        if known.isEmpty { return }
        for (position, edge) in list.enumerated() where known.contains(edge) && positions[edge] == nil {
            positions[edge] = position
        }
    }

    /// Returns the list with the new edges.
    ///
    /// - Parameter last: The position of the edge that the page follows; nil if it is not in the list.
    func list(behind last: Int?) -> [RecordID] {
        var added: [Int: [RecordID]] = [:]
        var next = list.count
        for edge in page.reversed() {
            switch edge {
            case .added(let edge): added[next, default: []].append(edge)
            case .known(let edge): if let position = positions[edge], position > last ?? -1 { next = position }
            }
        }
        var result: [RecordID] = []
        result.reserveCapacity(list.count + page.count)
        for (position, edge) in list.enumerated() {
            if let new = added[position] { result += new.reversed() }
            result.append(edge)
        }
        return result + (added[list.count] ?? []).reversed()
    }
}
