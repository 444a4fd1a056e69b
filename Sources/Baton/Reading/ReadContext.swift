/// The constant parts of one read, and the positions of fields in records. Positions are computed once for each
/// selection set and shape.
///
/// The pointers are valid as long as the context lives, because it holds the version. A context is used by one thread
/// only.
final class ReadContext {
    let records: Records
    let borrowed: BorrowedRecords
    let plan: BoundPlan
    let use: OperationUse
    let isTracking: Bool
    /// The dependencies of the read before this one, if its lists may be reused.
    let previous: Dependencies?

    /// The positions of a selection set's items in records of the last seen shape.
    struct Fields {
        var shape: ObjectIdentifier?
        let positions: UnsafePointer<Int32>
        let first: Int32
        let count: Int32
    }

    /// One piece of memory: first an entry for each selection set, then the positions.
    let nodes: UnsafeMutablePointer<Fields>
    let positions: UnsafeMutablePointer<Int32>
    private let items: [BoundPlan.Item]
    private var typeNames: [String] = []
    /// The lists of the read before this one, by place. A record that was met in several places has the same list in
    /// each.
    private(set) lazy var knownLists: [ReadList.Place: Int] = {
        var known: [ReadList.Place: Int] = [:]
        for (number, list) in (previous?.lists ?? []).enumerated() where list.items != nil {
            known[list.place] = number
        }
        return known
    }()

    /// A valid pointer for a record without values; it is never read.
    var nothing: UnsafePointer<Value> { UnsafeRawPointer(nodes).assumingMemoryBound(to: Value.self) }

    /// The position of a field that a condition excludes.
    static let excluded: Int32 = -2

    init(_ records: Records, _ selections: BoundSelections, tracking: Bool, previous: Dependencies?) {
        borrowed = records.borrowed
        self.records = records
        plan = selections.plan
        use = selections.use
        isTracking = tracking
        self.previous = previous
        items = plan.items
        let nodesSize = max(plan.nodes.count, 1) &* MemoryLayout<Fields>.stride
        let room = UnsafeMutableRawPointer.allocate(
            byteCount: nodesSize &+ items.count &* MemoryLayout<Int32>.stride,
            alignment: MemoryLayout<Fields>.alignment)
        nodes = room.bindMemory(to: Fields.self, capacity: plan.nodes.count)
        positions = (room + nodesSize).bindMemory(to: Int32.self, capacity: items.count)
        positions.initialize(repeating: GeneratedCode.RecordReader.missing, count: items.count)
        for (index, node) in plan.nodes.enumerated() {
            let fields = Fields(
                shape: nil, positions: UnsafePointer(positions + node.first),
                first: Int32(truncatingIfNeeded: node.first), count: Int32(truncatingIfNeeded: node.count))
            (nodes + index).initialize(to: fields)
        }
    }

    /// For each selection set, the rows of the next items of the list that is being read with it.
    private var rows: UnsafeMutablePointer<BorrowedRow>?
    /// The sum of the bytes that were loaded ahead, which keeps the loads from being optimized away.
    private var warmth: UInt8 = 0
    /// The number of items that are looked up together.
    static var ahead: Int { 8 }

    deinit {
        rows?.deallocate()
        UnsafeMutableRawPointer(nodes).deallocate()
    }

    /// The selection set below an item.
    func child(_ item: Int) -> Int { Int(items[item].child) }

    /// Computes the positions of a selection set's fields in records of a shape.
    func resolve(_ node: Int, _ shape: ObjectIdentifier, of record: RecordID) {
        nodes[node].shape = shape
        let shape = records.shape(of: record)
        for index in plan.items(of: node) {
            positions[index] =
                switch items[index].kind {
                case .leaf, .composite:
                    shape.position(of: items[index].key).map(Int32.init(truncatingIfNeeded:))
                        ?? GeneratedCode.RecordReader.missing
                case .excluded, .inline, .spread: Self.excluded
                }
        }
    }

    // MARK: - Looking ahead

    /// Looks up the next items of a list and loads one value of each. The loads of several records overlap, which saves
    /// a third of the time to read lists of links (benchmark `read.vs-foundation`).
    func lookAhead(_ list: BorrowedList, _ node: Int, from index: Int) {
        let rows = self.rows ?? .allocate(capacity: Self.ahead * plan.nodes.count)
        self.rows = rows
        let place = rows + node &* Self.ahead
        var sum: UInt8 = 0
        for offset in 0..<min(Self.ahead, list.count &- index) {
            guard let record = list.record(at: index &+ offset) else { continue }
            let row = borrowed.row(of: record)
            (place + offset).initialize(to: row)
            sum &+= row.firstByte
        }
        warmth &+= sum
    }

    /// Returns the row of an item that was looked up ahead; the item must link to a record.
    @inline(__always)
    func row(_ node: Int, _ place: Int) -> BorrowedRow {
        guard let rows else { return BorrowedRow(.unknown) }
        return rows[node &* Self.ahead &+ place]
    }

    /// Loads the values of the next items of a list.
    func warm(_ list: BorrowedList, from index: Int) { warmth &+= borrowed.warm(list, from: index) }

    func name(of type: TypeID) -> String {
        if typeNames.isEmpty { typeNames = plan.names.typeNames }
        return Int(type.index) < typeNames.count ? typeNames[Int(type.index)] : ""
    }
}
