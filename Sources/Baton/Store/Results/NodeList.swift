/// The nodes of a connection in a read result, in the order of the edges.
///
/// Null edges and edges whose node is null are left out, so a list of nodes may be shorter than the list of edges. A
/// connection whose `edges` are null has no nodes.
///
/// Making the list takes a few nanoseconds for each edge, and allocates memory only if an edge has no node. Each access
/// makes a node anew, in constant time.
public struct NodeList<Node: GeneratedCode.SelectionSet>: RandomAccessCollection, Sendable {
    private enum Storage: Sendable {
        case rows(GeneratedCode.NodeRows)
        case nodes([Node])
    }

    private let storage: Storage

    @usableFromInline
    init(_ rows: GeneratedCode.NodeRows) { storage = .rows(rows) }

    /// Makes a list of nodes, for instance of placeholders that a screen shows while there is no result.
    public init(_ nodes: some Sequence<Node>) { storage = .nodes(Array(nodes)) }

    public typealias Index = Int

    public var startIndex: Int { 0 }
    public var endIndex: Int {
        switch storage {
        case .rows(let rows): rows.count
        case .nodes(let nodes): nodes.count
        }
    }

    /// Returns the node at a position, which must be in range. Takes constant time.
    public subscript(position: Int) -> Node {
        precondition(position >= 0 && position < endIndex, "Index out of range")
        switch storage {
        case .rows(let rows): return Node(__row: rows.row(position))
        case .nodes(let nodes): return nodes[position]
        }
    }
}

extension NodeList: ListOfParts {
    var parts: ListParts? { if case .rows(let rows) = storage { rows.parts } else { nil } }
}

extension NodeList: ExpressibleByArrayLiteral {
    /// Makes a list of nodes; `data?.films?.nodes ?? []` is an empty one.
    public init(arrayLiteral elements: Node...) { self.init(elements) }
}

extension NodeList: Equatable where Node: Equatable {
    /// Compares the nodes. Other fields of the edges do not count.
    public static func == (left: NodeList, right: NodeList) -> Bool { left.elementsEqual(right) }
}

extension NodeList: Hashable where Node: Hashable {
    /// Hashes the nodes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for node in self { hasher.combine(node) }
    }
}

extension NodeList: CustomStringConvertible {
    /// The nodes, as an array shows them.
    public var description: String { Array(self).description }
}

extension NodeList: CustomReflectable {
    /// A mirror of the nodes.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection) }
}

extension GeneratedCode {
    /// The rows of the objects to which one field of the elements of a list leads.
    @usableFromInline
    struct NodeRows: Sendable {
        private let edges: RowList?
        /// The position of the field in the selection set of the elements.
        private let field: Int
        /// The positions of the elements that lead to an object; nil if all of them do.
        private let places: [Int]?
        let count: Int

        init(_ edges: RowList?, _ field: Int) {
            let total = edges?.count ?? 0
            var found = 0
            edges?.forEachObject { shelf, node, index in if shelf.hasObject(field, node: node, at: index) { found += 1 }
            }
            self.edges = edges
            self.field = field
            count = found
            guard found < total else {
                places = nil
                return
            }
            var (places, place) = ([Int](), 0)
            places.reserveCapacity(found)
            edges?.forEachObject { shelf, node, index in
                if shelf.hasObject(field, node: node, at: index) { places.append(place) }
                place += 1
            }
            self.places = places
        }

        var parts: ListParts? { edges.map { ListParts($0, field: field, places: places) } }

        func row(_ position: Int) -> Row {
            guard let row = edges?.row(places?[position] ?? position)?.child(field) else { GeneratedCode.failedRead() }
            return row
        }
    }
}

extension Shelf {
    /// Returns true if an object of a selection set exists and a field of it leads to an object that is shown.
    @inline(__always)
    fileprivate func hasObject(_ field: Int, node: Int, at index: Int) -> Bool {
        guard exists(at: index) else { return false }
        let item = plan.nodes[node].first &+ field
        let (word, caught) = (Int(layout.words[item]), Int(layout.catchWords[item]))
        return word != 0 && words[index &+ word] != 0 && (caught == 0 || words[index &+ caught] == 0)
    }
}

extension GeneratedCode.Row {
    /// Reads the objects to which the field `node` of the elements of the list `edges` leads.
    @inlinable
    public func nodes<Node>(_ edges: Int, _ node: Int) -> NodeList<Node> { NodeList(nodeRows(edges, node)) }

    @usableFromInline
    func nodeRows(_ edges: Int, _ node: Int) -> GeneratedCode.NodeRows {
        GeneratedCode.NodeRows(caught(edges) == 0 ? list(of: edges) : nil, node)
    }
}
