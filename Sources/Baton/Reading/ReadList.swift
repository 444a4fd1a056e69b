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
    /// The array of the items; nil if the list had no value.
    private(set) var items: (any Sendable)?
    /// The items in which something was missing.
    private(set) var missing: [Int32] = []
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
