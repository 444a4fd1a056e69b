/// The blocks of a version that have room for another record, the blocks that are being emptied, and the free numbers
/// of blocks.
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
    /// The blocks whose records move into other blocks.
    private(set) var packing: Set<UInt32> = []
    /// The numbers of freed blocks.
    private(set) var spares: [UInt32] = []

    func blockWithRoom(_ type: TypeID, _ shape: Shape) -> UInt32? { open[Key(type, shape)]?.last }

    func isListed(_ index: UInt32) -> Bool { places[Int(index)] >= 0 }

    /// Returns true if a block has room and is not listed yet.
    func mustList(_ index: UInt32, _ block: RecordBlock) -> Bool {
        !isListed(index) && block.hasRoom && !block.isForOneRecord && !(!packing.isEmpty && packing.contains(index))
    }

    /// Takes the number of a freed block; nil if there is none.
    mutating func takeSpare() -> UInt32? { spares.popLast() }

    /// Adds a place for one more block, which is in no list.
    mutating func addPlace() { places.append(-1) }

    /// Lists a block. The block must not be listed yet.
    mutating func list(_ index: UInt32, _ block: RecordBlock) {
        let key = Key(block.type, block.shape)
        places[Int(index)] = Int32(truncatingIfNeeded: open[key, default: []].count)
        open[key, default: []].append(index)
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
    }

    /// Removes a block that is freed.
    mutating func discard(_ index: UInt32, _ block: RecordBlock) {
        unlist(index, block)
        if !packing.isEmpty { packing.remove(index) }
        spares.append(index)
    }

    // MARK: - Packing

    /// Chooses the blocks whose records move into other blocks of their type and shape, if that frees at least half of
    /// the blocks with room. Returns false if there are none. Takes time linear in the blocks.
    mutating func choosePacking(of blocks: [RecordBlock]) -> Bool {
        for list in open.values where list.count > 2 {
            let used = list.reduce(0) { $0 + blocks[Int($1)].used }
            let needed = (used + RecordBlock.rows - 1) / RecordBlock.rows
            guard list.count >= 2 * needed else { continue }
            let fullestFirst = list.sorted { blocks[Int($0)].used > blocks[Int($1)].used }
            packing.formUnion(fullestFirst.dropFirst(needed))
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
