/// A list of objects that was read. It is kept so that the next read can reuse the unchanged items.
struct ReadList: Sendable {
    /// The place of a list: a field of a record, given by the field's item in the plan.
    struct Place: Sendable, Hashable {
        let record: RecordID
        let item: UInt32
    }

    let place: Place
    /// The selection set of the list's items.
    let node: UInt32
    /// The links of the list in the store.
    let links: [RecordID]
    /// The range of the list's pairs among the pairs of the read.
    private(set) var pairs: Range<Int>
    /// The array of the read items without the left-out ones; nil if the list had no value.
    private(set) var items: (any Sendable)?
    /// The items in which a field was missing.
    private(set) var missing: [Int32] = []
    /// The links whose items were left out, because they show deleted records.
    var leftOut = LeftOut()
    /// The errors of the items, in order; empty if the plan does not ask for errors.
    private(set) var problems: [ItemProblems] = []
    /// The path of the list, if one of its items can be reused only there.
    private(set) var path: [PathComponent] = []
    /// The numbers of errors when the current item began.
    var mark = Mark()
    /// True if a field was missing before the list began.
    private let wasMissing: Bool

    init(place: Place, node: Int, links: [RecordID], first: Int, wasMissing: Bool) {
        self.place = place
        self.node = UInt32(truncatingIfNeeded: node)
        self.links = links
        self.wasMissing = wasMissing
        pairs = first..<first
    }

    /// True if a field was missing in the read up to the end of the list.
    var isMissingData: Bool { wasMissing || !missing.isEmpty }

    mutating func addMissing(_ item: Int) { missing.append(Int32(truncatingIfNeeded: item)) }

    mutating func add(_ problem: ItemProblems, at place: [PathComponent]) {
        problems.append(problem)
        if problem.isPlaced { path = place }
    }

    mutating func complete<Item: Sendable>(_ items: [Item], last: Int) {
        self.items = items
        pairs = pairs.lowerBound..<last
    }

    /// The same list in a read whose pairs are shifted by a distance.
    func moved(by distance: Int) -> ReadList {
        var copy = self
        copy.pairs = pairs.lowerBound + distance..<pairs.upperBound + distance
        return copy
    }
}

extension ReadList {
    /// Positions among the links of a list, in order; nearly always empty.
    struct LeftOut: Sendable, Equatable {
        private(set) var positions: [Int32] = []

        /// Adds a position that is greater than all others.
        mutating func add(_ position: Int) { positions.append(Int32(truncatingIfNeeded: position)) }

        /// Returns the number of positions before a link.
        func count(before link: Int) -> Int {
            var low = 0
            var high = positions.count
            while low < high {
                let middle = (low + high) / 2
                if positions[middle] < link { low = middle + 1 } else { high = middle }
            }
            return low
        }

        func contains(_ link: Int) -> Bool {
            let place = count(before: link)
            return place < positions.count && positions[place] == link
        }

        /// Returns the index of a link's item in the array of items. For a left-out link it is the index of the next
        /// item.
        func place(of link: Int) -> Int { positions.isEmpty ? link : link - count(before: link) }

        /// Returns the positions without those of `links` and with `others`; all three are in order.
        func without(_ links: [ReadList.Part], adding others: LeftOut) -> LeftOut {
            guard !positions.isEmpty else { return others }
            let gone = Set(links.lazy.map { Int32(truncatingIfNeeded: $0.item) })
            return LeftOut(positions: (positions.filter { !gone.contains($0) } + others.positions).sorted())
        }
    }
}
