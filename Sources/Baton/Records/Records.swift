/// One version of a store's records: a value, in pages and blocks that copy on write.
///
/// To copy a version takes a few retains. A change in a version that nothing else holds is made in place. The pages
/// have a slot for each record number; the slot gives the block and the row of the record's values.
struct Records: Sendable {
    /// The location and the state of a record. It takes 16 bytes, because there is a slot for every number.
    struct Slot: Sendable {
        var block: UInt32 = 0
        /// The last collection that took a record with this number away. References that were made before it point at
        /// nothing.
        var collection: UInt32 = 0
        private var changedLow: UInt32 = 0
        private var changedHigh: UInt16 = 0
        private var rowInBlock: UInt8 = 0
        var state = State.unknown

        init(block: UInt32 = 0, row: UInt16 = 0, state: State = .unknown, changed: Epoch = 0, collection: UInt32 = 0) {
            self.block = block
            self.collection = collection
            self.state = state
            rowInBlock = UInt8(truncatingIfNeeded: row)
            self.changed = changed
        }

        var row: UInt16 { UInt16(rowInBlock) }

        /// The version in which a field, the type or the existence last changed.
        var changed: Epoch {
            get { UInt64(changedHigh) << 32 | UInt64(changedLow) }
            set {
                changedLow = UInt32(truncatingIfNeeded: newValue)
                changedHigh = UInt16(truncatingIfNeeded: newValue >> 32)
            }
        }
    }

    enum State: UInt8, Sendable {
        /// Nothing was ever written to the record.
        case unknown
        case existing
        /// The record is known not to exist; links to it read as null.
        case deleted
    }

    /// A relation between an object type and an abstract type, as answers have shown it.
    struct TypeFact: Sendable, Hashable {
        let type: TypeID
        let abstractType: TypeID
    }

    static let pageSize = 1024
    /// The page is shared, since most stores have no page or one page.
    private static let untouchedPage = Array(repeating: Slot(), count: pageSize)

    #if BATON_TSAN
        /// The mark is the first property, because properties are released in order.
        var mark: VersionMark?
    #endif
    var pages: [[Slot]] = []
    /// For each page, the newest version in which one of its slots was written.
    var pagesChanged: [Epoch] = []
    private(set) var blocks: [RecordBlock] = []
    /// The borrowed forms of the blocks, so that readers count no references.
    private(set) var looks: [BorrowedBlock] = []
    /// The number of existing records.
    var rowCount = 0
    /// The slot of every number beyond the pages.
    var vacant = Slot()
    /// The version in which a type fact last changed.
    var factsChanged: Epoch = 0
    var epoch: Epoch = 0
    /// The number of times that the store was emptied, and the version of the last time.
    var generation = 0
    var emptied: Epoch = 0
    /// True if an update has given a record an `id` that differs from its data ID.
    var idsMayDiffer = false
    /// The version in which the whole store was last invalidated.
    var invalidated: Epoch = 0
    /// The version in which any record, type or operation was last invalidated.
    var recordInvalidated: Epoch = 0
    /// An object that every copy of the version refers to. Its reference count tells whether there are copies.
    private var holders = Holders()
    /// An array of one item; see `Rest`.
    private var boxed = [Rest()]

    private final class Holders: Sendable {}

    /// Takes the place of a version that was released.
    static let nothing = Records()

    /// The properties that most readers do not need, in one piece of memory that copies on write. A copy of the version
    /// then counts one reference for all of them (benchmark `fragments.vs-foundation`).
    private struct Rest: Sendable {
        var open: [BlockKey: [UInt32]] = [:]
        var places: [Int32] = []
        var packing: Set<UInt32> = []
        var spares: [UInt32] = []
        var vacantPage = Records.untouchedPage
        var facts: [TypeFact: Bool] = [:]
        var fieldErrors = FieldErrors()
        var invalidatedRecords: [RecordID: Epoch] = [:]
        var invalidations = Invalidations()
        var stamps = FetchStamps()
        var covered: [RecordID: WholeRecord] = [:]
    }

    private var rest: Rest {
        @inline(__always) _read { yield boxed[0] }
        @inline(__always) _modify {
            #if BATON_TSAN
                boxed.withUnsafeMutableBufferPointer { _ in }
                VersionMark.comeAfterReaders()
            #endif
            yield &boxed[0]
        }
    }

    /// Returns true if there is no other copy, so that changes need not copy anything.
    mutating func isHeldOnce() -> Bool { isKnownUniquelyReferenced(&holders) }

    /// Returns true if both versions share their memory, so that no value is freed with one of them.
    func sharesValues(with other: borrowing Records) -> Bool {
        func place<Item>(_ array: [Item]) -> UnsafePointer<Item>? { array.withUnsafeBufferPointer { $0.baseAddress } }
        return place(blocks) == place(other.blocks) && place(boxed) == place(other.boxed)
    }

    struct BlockKey: Hashable {
        let type: TypeID
        let shape: ObjectIdentifier

        init(_ type: TypeID, _ shape: Shape) {
            self.type = type
            self.shape = ObjectIdentifier(shape)
        }
    }

    /// The number of records that the pages have room for.
    var capacity: Int { pages.count &* Self.pageSize }

    // MARK: - Properties in `Rest`

    /// The blocks with room, by type and shape.
    private(set) var open: [BlockKey: [UInt32]] {
        _read { yield rest.open }
        _modify { yield &rest.open }
    }
    /// The position of each block in its list of `open`; below 0 if it is in none.
    private(set) var places: [Int32] {
        _read { yield rest.places }
        _modify { yield &rest.places }
    }
    /// The blocks whose records move into other blocks.
    var packing: Set<UInt32> {
        _read { yield rest.packing }
        _modify { yield &rest.packing }
    }
    /// The numbers of freed blocks.
    private(set) var spares: [UInt32] {
        _read { yield rest.spares }
        _modify { yield &rest.spares }
    }
    /// The slots of a page without records.
    var vacantPage: [Slot] {
        _read { yield rest.vacantPage }
        _modify { yield &rest.vacantPage }
    }
    /// The known relations between object types and abstract types.
    var facts: [TypeFact: Bool] {
        _read { yield rest.facts }
        _modify { yield &rest.facts }
    }
    /// The server's errors for fields without a value.
    var fieldErrors: FieldErrors {
        _read { yield rest.fieldErrors }
        _modify { yield &rest.fieldErrors }
    }
    /// The version in which a record was last invalidated. Invalidations before the last one of the whole store are not
    /// kept.
    var invalidatedRecords: [RecordID: Epoch] {
        _read { yield rest.invalidatedRecords }
        _modify { yield &rest.invalidatedRecords }
    }
    /// The versions in which types and operations were last invalidated, since the last invalidation of the whole
    /// store.
    var invalidations: Invalidations {
        _read { yield rest.invalidations }
        _modify { yield &rest.invalidations }
    }
    /// The answers that brought the fields of the records.
    var stamps: FetchStamps {
        _read { yield rest.stamps }
        _modify { yield &rest.stamps }
    }
    /// The base of each record that an optimistic layer writes.
    var covered: [RecordID: WholeRecord] {
        _read { yield rest.covered }
        _modify { yield &rest.covered }
    }

    // MARK: - Reading

    @inline(__always)
    func slot(of record: RecordID) -> Slot {
        let index = Int(record.index)
        let page = index / Self.pageSize
        return page < pages.count ? pages[page][index % Self.pageSize] : vacant
    }

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
        return BorrowedRow(looks[Int(slot.block)], row: Int(slot.row))
    }

    /// A borrowed form of the version. Valid as long as this version is held.
    var borrowed: BorrowedRecords { BorrowedRecords(pages: pages, blocks: looks) }

    /// Returns the records that have changed since a version. Costs a page for each changed page, and a load for every
    /// other page.
    func changed(since epoch: Epoch) -> ChangedRecords {
        var changed = ChangedRecords(capacity: capacity, beyond: vacant.changed > epoch)
        for page in pages.indices where pagesChanged[page] > epoch {
            for (index, slot) in pages[page].enumerated() where slot.changed > epoch {
                changed.insert(RecordID(UInt32(truncatingIfNeeded: page &* Self.pageSize &+ index)))
            }
        }
        return changed
    }

    func block(at slot: Slot) -> RecordBlock { blocks[Int(slot.block)] }

    /// Returns a value of an existing record.
    @inline(__always)
    func value(at slot: Slot, _ position: Int) -> Value { blocks[Int(slot.block)][Int(slot.row), position] }

    /// Returns the values of an existing record.
    func values(at slot: Slot) -> UnsafeBufferPointer<Value> { blocks[Int(slot.block)].row(Int(slot.row)) }

    /// Every existing and every deleted record, by number.
    var known: [RecordID] {
        (0..<capacity).map { RecordID(UInt32(truncatingIfNeeded: $0)) }.filter { state(of: $0) != .unknown }
    }

    func fact(_ type: TypeID, is abstractType: TypeID) -> Bool? {
        facts[TypeFact(type: type, abstractType: abstractType)]
    }

    mutating func learn(_ fact: TypeFact, _ holds: Bool) -> Bool {
        guard facts[fact] != holds else { return false }
        facts[fact] = holds
        return true
    }

    // MARK: - Writing

    /// Sets the slot of a record.
    mutating func setSlot(_ record: RecordID, _ slot: Slot) {
        let index = Int(record.index)
        let page = index / Self.pageSize
        if pages.count <= page {
            pagesChanged.append(contentsOf: repeatElement(vacant.changed, count: page + 1 - pages.count))
            pages.append(contentsOf: repeatElement(vacantPage, count: page + 1 - pages.count))
        }
        var slot = slot
        slot.collection = pages[page][index % Self.pageSize].collection
        put(slot, at: index)
    }

    /// Sets a slot of an existing page.
    mutating func put(_ slot: Slot, at index: Int) {
        let page = index / Self.pageSize
        #if BATON_TSAN
            comeAfterReaders()
            pages[page].withUnsafeMutableBufferPointer { _ in VersionMark.comeAfterReaders() }
        #endif
        pages[page][index % Self.pageSize] = slot
        pagesChanged[page] = max(pagesChanged[page], slot.changed)
    }

    /// Changes the slots of an existing page. At least one of them must become different.
    @inline(__always)
    mutating func withPage(
        _ page: Int, changed: Epoch, _ body: (inout UnsafeMutableBufferPointer<Slot>) -> Void
    ) {
        #if BATON_TSAN
            comeAfterReaders()
            pages[page].withUnsafeMutableBufferPointer { _ in VersionMark.comeAfterReaders() }
        #endif
        pages[page].withUnsafeMutableBufferPointer(body)
        pagesChanged[page] = max(pagesChanged[page], changed)
    }

    /// Changes the block of an existing record, in place if nothing else holds the block.
    mutating func withBlock<Result>(of slot: Slot, _ body: (RecordBlock) -> Result) -> Result {
        let index = Int(slot.block)
        own(index)
        return body(blocks[index])
    }

    #if BATON_TSAN
        /// Makes the arrays unique to this version, then tells the sanitizer that the readers' accesses are over.
        private mutating func comeAfterReaders() {
            pages.withUnsafeMutableBufferPointer { _ in }
            pagesChanged.withUnsafeMutableBufferPointer { _ in }
            blocks.withUnsafeMutableBufferPointer { _ in }
            looks.withUnsafeMutableBufferPointer { _ in }
            VersionMark.comeAfterReaders()
        }
    #endif

    private mutating func own(_ index: Int) {
        #if BATON_TSAN
            comeAfterReaders()
        #endif
        if !isKnownUniquelyReferenced(&blocks[index]) {
            blocks[index] = blocks[index].copy()
            looks[index] = BorrowedBlock(blocks[index])
        }
        #if BATON_TSAN
            VersionMark.comeAfterReaders()
        #endif
    }

    /// Adopts a whole block and returns its number.
    mutating func adopt(_ block: RecordBlock) -> UInt32 {
        let index = spares.popLast() ?? UInt32(truncatingIfNeeded: blocks.count)
        if Int(index) < blocks.count {
            blocks[Int(index)] = block
            looks[Int(index)] = BorrowedBlock(block)
        } else {
            blocks.append(block)
            looks.append(BorrowedBlock(block))
            places.append(-1)
        }
        rowCount += block.used
        list(index)
        return index
    }

    /// Lists a block with room, for the next record of its type and shape.
    mutating func list(_ index: UInt32) {
        let block = blocks[Int(index)]
        guard places[Int(index)] < 0, block.hasRoom, !block.isForOneRecord else { return }
        if !packing.isEmpty, packing.contains(index) { return }
        let key = BlockKey(block.type, block.shape)
        places[Int(index)] = Int32(truncatingIfNeeded: open[key, default: []].count)
        open[key, default: []].append(index)
    }

    mutating func unlist(_ index: UInt32) {
        let place = Int(places[Int(index)])
        let key = BlockKey(blocks[Int(index)].type, blocks[Int(index)].shape)
        guard place >= 0, let last = open[key]?.last else { return }
        open[key]?[place] = last
        places[Int(last)] = Int32(truncatingIfNeeded: place)
        open[key]?.removeLast()
        if open[key]?.isEmpty == true { open[key] = nil }
        places[Int(index)] = -1
    }

    /// Frees a block without records; returns it to the caller, who releases it.
    @discardableResult
    mutating func discard(_ index: UInt32) -> RecordBlock {
        unlist(index)
        if !packing.isEmpty { packing.remove(index) }
        let block = blocks[Int(index)]
        blocks[Int(index)] = Self.noBlock
        looks[Int(index)] = BorrowedBlock(Self.noBlock)
        spares.append(index)
        return block
    }

    /// The block in place of a freed block.
    static let noBlock = RecordBlock(.none, .empty)

    /// Moves the values of one row to the first positions of another.
    mutating func move(_ from: Slot, to: Slot) {
        own(Int(from.block))
        own(Int(to.block))
        let source = blocks[Int(from.block)]
        let target = blocks[Int(to.block)]
        for position in 0..<min(source.width, target.width) {
            swap(&source[Int(from.row), position], &target[Int(to.row), position])
        }
    }

    /// Frees a row, and its block if no other row is used.
    mutating func free(_ slot: Slot) {
        rowCount -= 1
        if blocks[Int(slot.block)].used > 1 {
            withBlock(of: slot) { $0.clear(Int(slot.row)) }
            list(slot.block)
        } else {
            discard(slot.block)
        }
    }

    /// Finds room for a record of a type and shape: a row of nulls.
    mutating func makeRow(_ type: TypeID, _ shape: Shape, changed: Epoch) -> Slot {
        let index = open[BlockKey(type, shape)]?.last ?? adopt(RecordBlock(type, shape))
        own(Int(index))
        let row = blocks[Int(index)].takeRow()
        rowCount += 1
        // The block may have moved in order to grow.
        looks[Int(index)] = BorrowedBlock(blocks[Int(index)])
        if !blocks[Int(index)].hasRoom { unlist(index) }
        return Slot(block: index, row: UInt16(truncatingIfNeeded: row), state: .existing, changed: changed)
    }

    /// Writes a whole record, which replaces the old one.
    mutating func replace(_ record: RecordID, _ type: TypeID, _ shape: Shape, _ values: [Value], changed: Epoch) {
        let old = slot(of: record)
        if old.state == .existing { free(old) }
        let slot = makeRow(type, shape, changed: changed)
        withBlock(of: slot) { block in
            for (position, value) in values.enumerated() { block[Int(slot.row), position] = value }
        }
        setSlot(record, slot)
    }

    /// Marks a record as deleted.
    mutating func delete(_ record: RecordID, changed: Epoch) {
        let old = slot(of: record)
        if old.state == .existing { free(old) }
        setSlot(record, Slot(state: .deleted, changed: changed))
    }

    /// Returns a record to the state `unknown`, as if nothing was ever written to it. References to the record stay
    /// valid.
    mutating func unwrite(_ record: RecordID, changed: Epoch) {
        let old = slot(of: record)
        if old.state == .existing { free(old) }
        setSlot(record, Slot(changed: changed))
    }
}
