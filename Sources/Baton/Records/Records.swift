/// One version of a store's records: a value, in pages and blocks that copy on write.
///
/// To copy a version takes a few retains. A change in a version that nothing else holds is made in place. The pages
/// have a slot for each record number; the slot gives the block and the row of the record's values.
struct Records: Sendable {
    #if BATON_TSAN
        /// The mark is the first property, because properties are released in order.
        var mark: VersionMark?
    #endif
    var pages = RecordPages()
    private(set) var blocks: [RecordBlock] = []
    /// The borrowed forms of the blocks, so that readers count no references.
    private(set) var borrowedBlocks: [BorrowedBlock] = []
    /// The number of existing records.
    var rowCount = 0
    var epoch: Epoch = 0
    /// The number of times that the store was emptied, and the version of the last time.
    var generation = 0
    var emptied: Epoch = 0
    /// True if an update has given a record an `id` that differs from its data ID.
    var idsMayDiffer = false
    /// An array of one item; see `SideTables`.
    private var boxed = [SideTables()]
    /// An object that every copy of the version refers to. Its reference count tells whether there are copies. The
    /// object is the last property, so that a copy lets it go after all else.
    private var holders = Holders()

    private final class Holders: Sendable {}

    /// Takes the place of a version that was released.
    static let nothing = Records()

    /// The tables that most readers do not need, in one piece of memory that copies on write.
    var sideTables: SideTables {
        @inline(__always) _read { yield boxed[0] }
        @inline(__always) _modify { yield &boxed[0] }
    }

    /// Returns true if there is no other copy, so that changes need not copy anything.
    mutating func isHeldOnce() -> Bool { isKnownUniquelyReferenced(&holders) }

    /// Returns true if both versions share their memory, so that no value is freed with one of them.
    func sharesValues(with other: borrowing Records) -> Bool {
        func place<Item>(_ array: [Item]) -> UnsafePointer<Item>? { array.withUnsafeBufferPointer { $0.baseAddress } }
        return place(blocks) == place(other.blocks) && place(boxed) == place(other.boxed)
    }

    /// The number of records that the pages have room for.
    var capacity: Int { pages.capacity }

    // MARK: - Reading

    @inline(__always)
    func slot(of record: RecordID) -> Slot { pages[record] }

    func state(of record: RecordID) -> State { slot(of: record).state }
    func changed(_ record: RecordID) -> Epoch { slot(of: record).changed }

    /// Returns the object type of an existing record; `TypeID.none` for others.
    func type(of record: RecordID) -> TypeID { block(of: record)?.type ?? .none }

    /// Returns the keys of an existing record; none for others.
    func shape(of record: RecordID) -> Shape { block(of: record)?.shape ?? .empty }

    private func block(of record: RecordID) -> RecordBlock? {
        let slot = slot(of: record)
        return slot.state == .existing ? blocks[Int(slot.block)] : nil
    }

    /// Returns the value under a key; nil if it is missing.
    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        let slot = slot(of: record)
        guard slot.state == .existing else { return nil }
        let block = blocks[Int(slot.block)]
        return block.shape.position(of: key).map { block[Int(slot.row), $0] }
    }

    /// Returns the values of an existing record in the order of its shape; none for others.
    func values(of record: RecordID) -> [Value] {
        let slot = slot(of: record)
        return slot.state == .existing ? Array(blocks[Int(slot.block)].row(Int(slot.row))) : []
    }

    /// Returns a borrowed record. Valid as long as this version is held.
    @inline(__always)
    func row(of record: RecordID) -> BorrowedRow {
        let slot = slot(of: record)
        guard slot.state == .existing else { return BorrowedRow(slot.state) }
        return BorrowedRow(borrowedBlocks[Int(slot.block)], row: Int(slot.row))
    }

    /// A borrowed form of the version. Valid as long as this version is held.
    var borrowed: BorrowedRecords { BorrowedRecords(pages: pages.slots, blocks: borrowedBlocks) }

    func block(at slot: Slot) -> RecordBlock { blocks[Int(slot.block)] }

    /// Returns a value of an existing record.
    @inline(__always)
    func value(at slot: Slot, _ position: Int) -> Value { blocks[Int(slot.block)][Int(slot.row), position] }

    /// Returns the values of an existing record.
    func values(at slot: Slot) -> UnsafeBufferPointer<Value> { blocks[Int(slot.block)].row(Int(slot.row)) }

    /// Returns the records that have changed since a version. Costs a page for each changed page, and a load for every
    /// other page.
    func changed(since epoch: Epoch) -> ChangedRecords { pages.changed(since: epoch) }

    /// Every existing and every deleted record, by number.
    var known: [RecordID] {
        (0..<capacity).map { RecordID(UInt32(truncatingIfNeeded: $0)) }.filter { state(of: $0) != .unknown }
    }

    // MARK: - Writing

    /// Sets the slot of a record.
    mutating func setSlot(_ record: RecordID, _ slot: Slot) {
        if !pages.hasSlot(of: record) { pages.grow(to: record, vacantPage) }
        pages.set(record, slot)
    }

    /// Changes the block of an existing record, in place if nothing else holds the block.
    mutating func withBlock<Result>(of slot: Slot, _ body: (RecordBlock) -> Result) -> Result {
        let index = Int(slot.block)
        own(index)
        return body(blocks[index])
    }

    private mutating func own(_ index: Int) {
        if !isKnownUniquelyReferenced(&blocks[index]) {
            blocks[index] = blocks[index].copy()
            borrowedBlocks[index] = BorrowedBlock(blocks[index])
        }
    }

    /// Adopts a whole block and returns its number.
    mutating func adoptBlock(_ block: RecordBlock) -> UInt32 {
        let index = directory.takeSpare() ?? UInt32(truncatingIfNeeded: blocks.count)
        if Int(index) < blocks.count {
            blocks[Int(index)] = block
            borrowedBlocks[Int(index)] = BorrowedBlock(block)
        } else {
            blocks.append(block)
            borrowedBlocks.append(BorrowedBlock(block))
            directory.addPlace()
        }
        rowCount += block.used
        listBlock(index)
        return index
    }

    /// Lists a block with room, for the next record of its type and shape.
    mutating func listBlock(_ index: UInt32) {
        let block = blocks[Int(index)]
        if directory.mustList(index, block) { directory.list(index, block) }
    }

    mutating func unlistBlock(_ index: UInt32) {
        if directory.isListed(index) { directory.unlist(index, blocks[Int(index)]) }
    }

    /// Frees a block without records; returns it to the caller, who releases it.
    @discardableResult
    mutating func discardBlock(_ index: UInt32) -> RecordBlock {
        let block = blocks[Int(index)]
        directory.discard(index, block)
        blocks[Int(index)] = Self.noBlock
        borrowedBlocks[Int(index)] = BorrowedBlock(Self.noBlock)
        return block
    }

    /// The block in place of a freed block.
    static let noBlock = RecordBlock(.none, .empty)

    /// Moves the values of one row to the first positions of another.
    mutating func moveRow(_ from: Slot, to: Slot) {
        own(Int(from.block))
        own(Int(to.block))
        let source = blocks[Int(from.block)]
        let target = blocks[Int(to.block)]
        for position in 0..<min(source.width, target.width) {
            swap(&source[Int(from.row), position], &target[Int(to.row), position])
        }
    }

    /// Frees a row, and its block if no other row is used.
    mutating func freeRow(_ slot: Slot) {
        rowCount -= 1
        if blocks[Int(slot.block)].used > 1 {
            withBlock(of: slot) { $0.clear(Int(slot.row)) }
            listBlock(slot.block)
        } else {
            discardBlock(slot.block)
        }
    }

    /// Finds room for a record of a type and shape: a row of nulls.
    mutating func makeRow(_ type: TypeID, _ shape: Shape, changed: Epoch) -> Slot {
        let index = directory.blockWithRoom(type, shape) ?? adoptBlock(RecordBlock(type, shape))
        own(Int(index))
        let row = blocks[Int(index)].takeRow()
        rowCount += 1
        // The block may have moved in order to grow.
        borrowedBlocks[Int(index)] = BorrowedBlock(blocks[Int(index)])
        if !blocks[Int(index)].hasRoom { unlistBlock(index) }
        return Slot(block: index, row: UInt16(truncatingIfNeeded: row), state: .existing, changed: changed)
    }

    /// Writes a whole record, which replaces the old one.
    mutating func replace(_ record: RecordID, _ type: TypeID, _ shape: Shape, _ values: [Value], changed: Epoch) {
        let old = slot(of: record)
        if old.state == .existing { freeRow(old) }
        let slot = makeRow(type, shape, changed: changed)
        withBlock(of: slot) { block in
            for (position, value) in values.enumerated() { block[Int(slot.row), position] = value }
        }
        setSlot(record, slot)
    }

    /// Marks a record as deleted.
    mutating func delete(_ record: RecordID, changed: Epoch) {
        let old = slot(of: record)
        if old.state == .existing { freeRow(old) }
        setSlot(record, Slot(state: .deleted, changed: changed))
    }

    /// Returns a record to the state `unknown`, as if nothing was ever written to it. References to the record stay
    /// valid.
    mutating func unwrite(_ record: RecordID, changed: Epoch) {
        let old = slot(of: record)
        if old.state == .existing { freeRow(old) }
        setSlot(record, Slot(changed: changed))
    }
}
