/// The state of a version's blocks that is not shared with other holders of the blocks: the rows without a record, the
/// blocks with room for another record, the blocks that are being emptied, and the free numbers of blocks.
///
/// An unused row is *blank* or *dead*. The values of a blank row are nulls. A dead row still has its values, because
/// the block was shared when the row was freed.
struct BlockDirectory: Sendable {
    struct Key: Hashable {
        let type: TypeID
        let shape: ObjectIdentifier

        init(_ type: TypeID, _ shape: Shape) {
            self.type = type
            self.shape = ObjectIdentifier(shape)
        }
    }

    /// The blocks with room, by type and shape.
    private(set) var open: [Key: [UInt32]] = [:]
    /// The position of each block in its list of `open`; below 0 if it is in none.
    private(set) var places: [Int32] = []
    /// For each block, the rows without a record of this version.
    private(set) var unused: [RowSet] = []
    /// The number of dead rows of all blocks.
    private(set) var deadRows = 0
    /// The number of blocks in `open`.
    private var listed = 0
    /// The blocks whose records move into other blocks.
    private(set) var packing: Set<UInt32> = []
    /// The numbers of freed blocks.
    private(set) var spares: [UInt32] = []

    func blockWithRoom(_ type: TypeID, _ shape: Shape) -> UInt32? { open[Key(type, shape)]?.last }

    func isListed(_ index: UInt32) -> Bool { places[Int(index)] >= 0 }

    /// Returns true if a block has room and is not listed yet.
    func mustList(_ index: UInt32, _ block: RecordBlock) -> Bool {
        !isListed(index) && block.hasRoom(besides: used(index, block)) && !block.isForOneRecord
            && !(!packing.isEmpty && packing.contains(index))
    }

    /// The number of blocks with room, without one block for each type and shape. If the number is high, packing frees
    /// most of these blocks.
    var spread: Int { listed - open.count }

    /// Takes the number of a freed block; nil if there is none.
    mutating func takeSpare() -> UInt32? { spares.popLast() }

    /// Adds a block under the next number or one of `takeSpare`. The block is in no list.
    mutating func add(_ index: UInt32, _ block: RecordBlock) {
        if Int(index) == places.count {
            places.append(-1)
            unused.append(block.blank)
        } else {
            unused[Int(index)] = block.blank
        }
    }

    // MARK: - Rows

    /// The number of a block's rows with a record.
    func used(_ index: UInt32, _ block: RecordBlock) -> Int { block.count &- unused[Int(index)].count }

    func firstUnused(_ index: UInt32) -> Int? { unused[Int(index)].first }

    /// The unused rows of a block that have values.
    func dead(_ index: UInt32, _ block: RecordBlock) -> RowSet { unused[Int(index)].subtracting(block.blank) }

    func hasDeadRows(_ index: UInt32, _ block: RecordBlock) -> Bool { deadRows > 0 && !dead(index, block).isEmpty }

    /// Notes that a row has a record.
    mutating func use(_ row: Int, of index: UInt32, isDead: Bool) {
        unused[Int(index)].remove(row)
        if isDead { deadRows -= 1 }
    }

    /// Notes that a row has no record any more.
    mutating func free(_ row: Int, of index: UInt32, isCleared: Bool) {
        unused[Int(index)].insert(row)
        if !isCleared { deadRows += 1 }
    }

    /// Notes that dead rows were cleared.
    mutating func noteCleared(_ count: Int) { deadRows -= count }

    // MARK: - Lists

    /// Lists a block. The block must not be listed yet. The last block of a list takes the next record, so a block that
    /// others hold is listed before the last.
    mutating func list(_ index: UInt32, _ block: RecordBlock, isHeld: Bool) {
        let key = Key(block.type, block.shape)
        let place = open[key]?.count ?? 0
        places[Int(index)] = Int32(truncatingIfNeeded: place)
        open[key, default: []].append(index)
        listed += 1
        guard isHeld, place > 0, let last = open[key]?[place - 1] else { return }
        open[key]?.swapAt(place - 1, place)
        places[Int(index)] -= 1
        places[Int(last)] += 1
    }

    /// Removes a block from its list; does nothing if it is in none.
    mutating func unlist(_ index: UInt32, _ block: RecordBlock) {
        let place = Int(places[Int(index)])
        let key = Key(block.type, block.shape)
        guard place >= 0, let last = open[key]?.last else { return }
        open[key]?[place] = last
        places[Int(last)] = Int32(truncatingIfNeeded: place)
        open[key]?.removeLast()
        if open[key]?.isEmpty == true { open[key] = nil }
        places[Int(index)] = -1
        listed -= 1
    }

    /// Removes a block that is freed.
    mutating func discard(_ index: UInt32, _ block: RecordBlock) {
        unlist(index, block)
        if deadRows > 0 { deadRows -= dead(index, block).count }
        unused[Int(index)] = RowSet()
        if !packing.isEmpty { packing.remove(index) }
        spares.append(index)
    }

    // MARK: - Packing

    /// Chooses blocks whose records move into other blocks of their type and shape. The choice must free at least half
    /// of the blocks with room, or half of the blocks that are at most half full. Returns false if there is no such
    /// choice. Takes time linear in the blocks.
    mutating func choosePacking(of blocks: [RecordBlock]) -> Bool {
        for list in open.values where list.count > 2 {
            let fullestFirst = list.map { (index: $0, used: used($0, blocks[Int($0)])) }.sorted { $0.used > $1.used }
            let sparse = fullestFirst.drop { 2 * $0.used > RecordBlock.rows }
            for candidates in [fullestFirst[...], sparse] {
                let used = candidates.reduce(0) { $0 + $1.used }
                let needed = (used + RecordBlock.rows - 1) / RecordBlock.rows
                guard candidates.count > 2, candidates.count >= 2 * needed else { continue }
                for (index, _) in candidates.dropFirst(needed) { packing.insert(index) }
                break
            }
        }
        for index in packing { unlist(index, blocks[Int(index)]) }
        return !packing.isEmpty
    }

    /// Ends the packing and returns the chosen blocks.
    mutating func endPacking() -> Set<UInt32> {
        defer { packing = [] }
        return packing
    }
}
