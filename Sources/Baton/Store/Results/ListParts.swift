/// The parts of a list in a read result. Two reads that share a part have the same elements there, so the lists need no
/// comparison of these elements.
struct ListParts: Sendable {
    /// A part: a shelf or a section of shelves, with the positions of its elements in the list.
    struct Part {
        /// Nil for a list without parts.
        let identity: Identity?
        let positions: Range<Int>
    }

    /// The identity of a part. Parts with the same identity have the same elements, even at different positions of
    /// their lists.
    struct Identity: Hashable {
        let object: ObjectIdentifier
        /// The place of the list in the words of its shelf; 0 for the parts of a long list.
        var place = 0
    }

    private let rows: GeneratedCode.RowList
    /// For a list of nodes, the field of the edges that leads to the nodes; and the edges that have a node, if some
    /// have none.
    private let field: Int?
    private let places: [Int]?

    init(_ rows: GeneratedCode.RowList, field: Int? = nil, places: [Int]? = nil) {
        (self.rows, self.field, self.places) = (rows, field, places)
    }

    /// Returns true if the parts of both lists can be compared.
    func areLike(_ other: ListParts) -> Bool { field == other.field }

    /// Returns the section with an element; nil if the list has none.
    func section(at position: Int) -> Part? { part(at: position) { $0.section(at: $1) } }

    /// Returns the shelf with an element.
    func shelf(at position: Int) -> Part? { part(at: position) { $0.shelfPart(at: $1) } }

    /// Compares two elements as rows, without making elements; nil for lists of lists.
    func areEqual(_ position: Int, _ other: ListParts, _ otherPosition: Int) -> Bool? {
        guard rows.depth == 1, other.rows.depth == 1 else { return nil }
        switch (row(position), other.row(otherPosition)) {
        case (let own?, let other?): return own.isEqual(to: other)
        case (nil, nil): return true
        default: return false
        }
    }

    private func row(_ position: Int) -> GeneratedCode.Row? {
        let row = rows.row(places?[position] ?? position)
        guard let field else { return row }
        return row?.child(field)
    }

    private func part(at position: Int, _ find: (GeneratedCode.RowList, Int) -> Part?) -> Part? {
        guard let places else { return find(rows, position) }
        guard let part = find(rows, places[position]) else { return nil }
        let positions = number(before: part.positions.lowerBound)..<number(before: part.positions.upperBound)
        return Part(identity: part.identity, positions: positions)
    }

    /// Returns the number of edges with a node before an edge.
    private func number(before edge: Int) -> Int {
        guard let places else { return edge }
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < edge { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension GeneratedCode.RowList {
    fileprivate func section(at position: Int) -> ListParts.Part? {
        guard let spine else { return nil }
        let number = spine.section(of: position)
        return .init(
            identity: .init(object: ObjectIdentifier(spine.sections[number])),
            positions: spine.starts[number]..<spine.starts[number + 1])
    }

    fileprivate func shelfPart(at position: Int) -> ListParts.Part {
        // A short list is one part. Its identity has the list's place, because its shelf may have other lists.
        guard let spine else {
            return .init(identity: .init(object: ObjectIdentifier(shelf), place: index), positions: 0..<count)
        }
        let number = spine.section(of: position)
        let (section, start) = (spine.sections[number], spine.starts[number])
        let place = section.shelf(of: position - start)
        return .init(
            identity: .init(object: ObjectIdentifier(section.shelves[place])),
            positions: start + section.starts[place]..<start + section.starts[place + 1])
    }
}

extension ObjectList: ListOfParts {
    var parts: ListParts? { if case .rows(let rows) = storage { ListParts(rows) } else { nil } }
}

/// A list that may have parts.
protocol ListOfParts {
    /// The parts; nil if the list was made of elements.
    var parts: ListParts? { get }
}
