/// A list of objects that was read, kept so that the next read takes its unchanged items.
struct ReadList: Sendable {
    /// Where a list is: a field of a record, by its item in the plan.
    struct Place: Sendable, Hashable {
        let record: RecordID
        let item: UInt32
    }

    let place: Place
    /// The selection set of its items.
    let node: UInt32
    /// The links as the store had them.
    let links: [RecordID]
    /// Its pairs among those of the read.
    private(set) var pairs: Range<Int>
    /// The array of the items, without those that were left out; nil if the list had no value.
    private(set) var items: (any Sendable)?
    /// The items in which something was missing.
    private(set) var missing: [Int32] = []
    /// Links whose items were left out, because records were deleted that they show.
    var leftOut = LeftOut()
    /// What was wrong in its items, in their order; empty where the plan does not ask.
    private(set) var problems: [ItemProblems] = []
    /// Where the list was, if one of its items can be taken over only there.
    private(set) var path: [PathComponent] = []
    /// How much had been told when the item began that is being read.
    var mark = Mark()
    /// Something was missing before the list began.
    private let wasMissing: Bool

    init(place: Place, node: Int, links: [RecordID], first: Int, wasMissing: Bool) {
        self.place = place
        self.node = UInt32(truncatingIfNeeded: node)
        self.links = links
        self.wasMissing = wasMissing
        pairs = first..<first
    }

    /// Something is missing in the read as far as to the end of the list.
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

    /// The same list in a read whose pairs are displaced.
    func moved(by distance: Int) -> ReadList {
        var copy = self
        copy.pairs = pairs.lowerBound + distance..<pairs.upperBound + distance
        return copy
    }
}

extension ReadList {
    /// Positions among the links of a list, in order; nearly always none.
    struct LeftOut: Sendable, Equatable {
        private(set) var positions: [Int32] = []

        /// Adds one that comes after all others.
        mutating func add(_ position: Int) { positions.append(Int32(truncatingIfNeeded: position)) }

        /// How many of them are before a link.
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

        /// Where the item of a link is in the array of the items, or that of the next link that was not left out.
        func place(of link: Int) -> Int { positions.isEmpty ? link : link - count(before: link) }

        /// The same without some links, and with others; both are in order.
        func without(_ links: [ReadList.Part], adding others: LeftOut) -> LeftOut {
            guard !positions.isEmpty else { return others }
            let gone = Set(links.lazy.map { Int32(truncatingIfNeeded: $0.item) })
            return LeftOut(positions: (positions.filter { !gone.contains($0) } + others.positions).sorted())
        }
    }
}
