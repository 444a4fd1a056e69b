/// One version of a store's records: a value, in pages and blocks that copy on write.
///
/// A copy of a version takes a few retains. A change in a version that nothing else holds is made in place. The pages
/// have a slot for each record number; the slot gives the block and the row of the record's values.
///
/// A row never changes while anything but this version holds its block. Instead, the record moves to a row of a block
/// that only this version holds, and the old row becomes *dead*: it has values and no record.
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
    /// object is the last property, so that a copy releases it after all other memory.
    private var holders = Holders()

    private final class Holders: Sendable {}

    /// The version that replaces a released version.
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
    func shape(at slot: Slot) -> Shape { blocks[Int(slot.block)].shape }

    /// Returns a value of an existing record.
    @inline(__always)
    func value(at slot: Slot, _ position: Int) -> Value { blocks[Int(slot.block)][Int(slot.row), position] }

    /// Returns the values of an existing record.
    func values(at slot: Slot) -> UnsafeBufferPointer<Value> { blocks[Int(slot.block)].row(Int(slot.row)) }

    /// Returns the records that have changed since a version. Takes time linear in the slots of each changed page, and
    /// one load for every other page.
    func changed(since epoch: Epoch) -> ChangedRecords { pages.changed(since: epoch) }

    /// Every existing and every deleted record, by number.
    var known: [RecordID] {
        var known: [RecordID] = []
        pages.forEachSlot { record, slot in if slot.state != .unknown { known.append(record) } }
        return known
    }

    // MARK: - Writing

    /// Sets the slot of a record.
    mutating func setSlot(_ record: RecordID, _ slot: Slot) {
        if !pages.hasSlot(of: record) { pages.grow(to: record, vacantPage) }
        pages.set(record, slot)
    }

    /// Returns true if nothing but this version holds a block, so that its rows may change.
    private mutating func isOwn(_ index: UInt32) -> Bool {
        guard isKnownUniquelyReferenced(&blocks[Int(index)]), blocks[Int(index)].isOnlyOwner() else { return false }
        #if BATON_TSAN
            // Results hold blocks by themselves.
            VersionMark.comeAfterReaders()
        #endif
        return true
    }

    /// Returns a slot in which the values of an existing record may change: its own slot, or a slot to which the record
    /// was moved. The caller sets the slot.
    @inline(__always)
    mutating func slotToChange(_ slot: Slot, _ retired: inout Retired) -> Slot {
        isOwn(slot.block) ? slot : moveRow(slot, to: shape(at: slot), changed: slot.changed, &retired)
    }

    /// Sets a value in a row that may change, as the row of `slotToChange` or of `makeRow`.
    @inline(__always)
    func setValue(_ value: Value, at slot: Slot, _ position: Int, _ retired: inout Retired) {
        let block = blocks[Int(slot.block)]
        retired.add(block[Int(slot.row), position])
        block[Int(slot.row), position] = value
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
        }
        directory.add(index, block)
        rowCount += directory.used(index, block)
        listBlock(index)
        return index
    }

    /// Lists a block with room, for the next record of its type and shape.
    mutating func listBlock(_ index: UInt32, isHeld: Bool = false) {
        let block = blocks[Int(index)]
        if directory.mustList(index, block) { directory.list(index, block, isHeld: isHeld) }
    }

    mutating func unlistBlock(_ index: UInt32) {
        if directory.isListed(index) { directory.unlist(index, blocks[Int(index)]) }
    }

    /// Frees a block without records, even if results hold it. Returns the block to the caller, who releases it.
    mutating func discardBlock(_ index: UInt32) -> RecordBlock {
        let block = blocks[Int(index)]
        directory.discard(index, block)
        blocks[Int(index)] = Self.noBlock
        borrowedBlocks[Int(index)] = BorrowedBlock(Self.noBlock)
        return block
    }

    /// The block that replaces a freed block.
    static let noBlock = RecordBlock(.none, .empty)

    /// Moves a record to a row of a shape that begins with the keys of its own shape. The caller sets the slot.
    mutating func moveRow(_ old: Slot, to shape: Shape, changed: Epoch, _ retired: inout Retired) -> Slot {
        let slot = makeRow(blocks[Int(old.block)].type, shape, changed: changed, &retired)
        let isMoving = isOwn(old.block)
        blocks[Int(slot.block)].take(Int(slot.row), from: blocks[Int(old.block)], Int(old.row), isMoving: isMoving)
        freeRow(old, &retired)
        return slot
    }

    /// Moves a record to a row of a shape that continues its own shape. Only the values of the further keys may be
    /// written there, because versions may share the other values. The caller sets the slot.
    mutating func extendRow(
        _ old: Slot, to shape: Shape, changed: Epoch, _ names: NameTable, _ retired: inout Retired
    ) -> Slot {
        guard shape.count >= Shape.growingFrom else { return moveRow(old, to: shape, changed: changed, &retired) }
        let block = blocks[Int(old.block)]
        let index = adoptBlock(
            RecordBlock(shape, extending: block, Int(old.row), owner: ObjectIdentifier(names)))
        freeRow(old, &retired)
        return Slot(block: index, row: 0, state: .existing, changed: changed)
    }

    /// Frees a row, and its block if no other row is used. The row becomes dead if the block is shared.
    mutating func freeRow(_ slot: Slot, _ retired: inout Retired) {
        rowCount -= 1
        let row = Int(slot.row)
        guard directory.used(slot.block, blocks[Int(slot.block)]) > 1 else {
            // Dead rows may have values that must not be freed here.
            let hasDeadRows = directory.hasDeadRows(slot.block, blocks[Int(slot.block)])
            let block = discardBlock(slot.block)
            // A block that shares its values frees none of them.
            if block.isOnlyOwner() { for value in block.row(row) { retired.add(value) } }
            if hasDeadRows { retired.blocks.append(block) }
            return
        }
        let isCleared = isOwn(slot.block)
        if isCleared { blocks[Int(slot.block)].clear(row, &retired) }
        directory.free(row, of: slot.block, isCleared: isCleared)
        listBlock(slot.block, isHeld: !isCleared)
    }

    /// Finds room for a record of a type and shape: a row of nulls in a block that only this version holds.
    mutating func makeRow(_ type: TypeID, _ shape: Shape, changed: Epoch, _ retired: inout Retired) -> Slot {
        let index = ownBlockWithRoom(type, shape)
        let row = takeRow(of: index, &retired)
        rowCount += 1
        // The block may have moved in order to grow.
        let block = blocks[Int(index)]
        borrowedBlocks[Int(index)] = BorrowedBlock(block)
        if !block.hasRoom(besides: directory.used(index, block)) { unlistBlock(index) }
        return Slot(block: index, row: UInt16(truncatingIfNeeded: row), state: .existing, changed: changed)
    }

    private mutating func ownBlockWithRoom(_ type: TypeID, _ shape: Shape) -> UInt32 {
        if let index = directory.blockWithRoom(type, shape), isOwn(index) { return index }
        return adoptBlock(RecordBlock(type, shape))
    }

    /// Takes an unused row of a block that only this version holds, or adds a row.
    private mutating func takeRow(of index: UInt32, _ retired: inout Retired) -> Int {
        let block = blocks[Int(index)]
        guard let row = directory.firstUnused(index) else { return block.addRow() }
        let isDead = !block.blank.contains(row)
        if isDead { block.clear(row, &retired) }
        block.takeRow(row)
        directory.use(row, of: index, isDead: isDead)
        return row
    }

    /// Writes a whole record, which replaces the old one.
    mutating func replace(
        _ record: RecordID, _ type: TypeID, _ shape: Shape, _ values: [Value], changed: Epoch, _ retired: inout Retired
    ) {
        let old = slot(of: record)
        if old.state == .existing { freeRow(old, &retired) }
        let slot = makeRow(type, shape, changed: changed, &retired)
        let block = blocks[Int(slot.block)]
        for (position, value) in values.enumerated() { block[Int(slot.row), position] = value }
        setSlot(record, slot)
    }

    /// Marks a record as deleted.
    mutating func delete(_ record: RecordID, changed: Epoch, _ retired: inout Retired) {
        let old = slot(of: record)
        if old.state == .existing { freeRow(old, &retired) }
        setSlot(record, Slot(state: .deleted, changed: changed))
    }

    /// Returns a record to the state `unknown`, as if nothing was ever written to it. References to the record stay
    /// valid.
    mutating func unwrite(_ record: RecordID, changed: Epoch, _ retired: inout Retired) {
        let old = slot(of: record)
        if old.state == .existing { freeRow(old, &retired) }
        setSlot(record, Slot(changed: changed))
    }

    // MARK: - Dead rows

    /// Removes the row of a record that a collection sweeps. The values and the block of the row go to `retired`.
    mutating func sweepRow(_ slot: Slot, _ retired: inout Retired) {
        rowCount -= 1
        let row = Int(slot.row)
        guard directory.used(slot.block, blocks[Int(slot.block)]) > 1 else {
            retired.blocks.append(discardBlock(slot.block))
            return
        }
        let isCleared = isOwn(slot.block)
        if isCleared { blocks[Int(slot.block)].clear(row, into: &retired.values) }
        directory.free(row, of: slot.block, isCleared: isCleared)
        listBlock(slot.block, isHeld: !isCleared)
    }

    /// Clears the dead rows of the blocks from `first` on, if only this version holds the block. Stops after about
    /// `limit` blocks or cleared rows; returns the next block, nil at the end.
    mutating func clearDeadRows(from first: Int, limit: Int, _ retired: inout Retired) -> Int? {
        var index = first
        var left = limit
        while index < blocks.count, left > 0, directory.deadRows > 0 {
            left -= 1
            var dead = directory.dead(UInt32(truncatingIfNeeded: index), blocks[index])
            if !dead.isEmpty, isOwn(UInt32(truncatingIfNeeded: index)) {
                directory.noteCleared(dead.count)
                left -= dead.count
                while let row = dead.popFirst() { blocks[index].clear(row, into: &retired.values) }
            }
            index += 1
        }
        return index < blocks.count && directory.deadRows > 0 ? index : nil
    }
}
