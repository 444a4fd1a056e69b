/// One version of a store's records: a value, in pages and blocks that copy on write.
///
/// Taking a version is a few retains; a change in a version that nobody else holds is made in place. A record is found
/// by its number in the pages, which say in which row of which block its values are.
struct Records: Sendable {
    /// Where a record is. 16 bytes, since there is one for every number.
    struct Slot: Sendable {
        var block: UInt32 = 0
        /// The collection that last took a record with this number away; a reference that was made before points at
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

        /// The version in which a field, the type or the existence changed last.
        var changed: Epoch {
            get { UInt64(changedHigh) << 32 | UInt64(changedLow) }
            set {
                changedLow = UInt32(truncatingIfNeeded: newValue)
                changedHigh = UInt16(truncatingIfNeeded: newValue >> 32)
            }
        }
    }

    enum State: UInt8, Sendable {
        /// Nothing was ever written.
        case unknown
        case existing
        /// Known not to exist: links to it read as null.
        case deleted
    }

    /// Whether objects of a type are of an abstract type, as answers have shown.
    struct TypeFact: Sendable, Hashable {
        let type: TypeID
        let abstractType: TypeID
    }

    static let pageSize = 1024
    /// Shared, since most stores have a page or none.
    private static let untouchedPage = Array(repeating: Slot(), count: pageSize)

    #if BATON_TSAN
        /// The first property, since they are let go of in order.
        var mark: VersionMark?
    #endif
    var pages: [[Slot]] = []
    /// Of each page the newest version in which one of its slots was written.
    var pagesChanged: [Epoch] = []
    private(set) var blocks: [RecordBlock] = []
    /// What readers need of each block, so that they count no references.
    private(set) var looks: [BorrowedBlock] = []
    /// The number of records that exist.
    var rowCount = 0
    /// What is said of a number beyond the pages.
    var vacant = Slot()
    /// The version in which one of the facts changed last.
    var factsChanged: Epoch = 0
    var epoch: Epoch = 0
    /// How often the store was emptied, and the version in which it was last.
    var generation = 0
    var emptied: Epoch = 0
    /// An update has given a record an `id` that is not its data ID.
    var idsMayDiffer = false
    /// The version in which everything was invalidated last.
    var invalidated: Epoch = 0
    /// The version in which any record, type or operation was invalidated last.
    var recordInvalidated: Epoch = 0
    /// Goes with every copy, so that it tells whether there are any.
    private var holders = Holders()
    /// One item: see `Rest`.
    private var boxed = [Rest()]

    private final class Holders: Sendable {}

    /// Stands in for a version that was let go of.
    static let nothing = Records()

    /// What most readers do not look at, in one piece of memory that copies on write: to take a version counts one
    /// reference for all of it, and not one for each part (benchmark `fragments.vs-foundation`).
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

    /// Says whether nobody else holds a copy, so that nothing has to be copied to change it.
    mutating func isHeldOnce() -> Bool { isKnownUniquelyReferenced(&holders) }

    /// Says whether both stand in the same memory, so that no value goes with one of them.
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

    /// Room for as many records as there are numbers.
    var capacity: Int { pages.count &* Self.pageSize }

    /// Room for as many values as the blocks have rows times fields.
    var valueCapacity: Int { blocks.reduce(0) { $0 + $1.count * $1.width } }

    // MARK: - The rest

    /// The blocks of a type and shape that have room.
    private(set) var open: [BlockKey: [UInt32]] {
        _read { yield rest.open }
        _modify { yield &rest.open }
    }
    /// The position of each block in its list of `open`; below 0 it is in none.
    private(set) var places: [Int32] {
        _read { yield rest.places }
        _modify { yield &rest.places }
    }
    /// Blocks whose records are about to move into others.
    var packing: Set<UInt32> {
        _read { yield rest.packing }
        _modify { yield &rest.packing }
    }
    /// Numbers of blocks that were given back.
    private(set) var spares: [UInt32] {
        _read { yield rest.spares }
        _modify { yield &rest.spares }
    }
    /// What a page without records is made of.
    var vacantPage: [Slot] {
        _read { yield rest.vacantPage }
        _modify { yield &rest.vacantPage }
    }
    /// Whether objects of types are of abstract types.
    var facts: [TypeFact: Bool] {
        _read { yield rest.facts }
        _modify { yield &rest.facts }
    }
    /// What servers said of fields without a value.
    var fieldErrors: FieldErrors {
        _read { yield rest.fieldErrors }
        _modify { yield &rest.fieldErrors }
    }
    /// The version in which a record was invalidated last, of those invalidated since everything was.
    var invalidatedRecords: [RecordID: Epoch] {
        _read { yield rest.invalidatedRecords }
        _modify { yield &rest.invalidatedRecords }
    }
    /// The versions in which types and operations were invalidated last, since everything was.
    var invalidations: Invalidations {
        _read { yield rest.invalidations }
        _modify { yield &rest.invalidations }
    }
    /// Which answers brought what the records hold.
    var stamps: FetchStamps {
        _read { yield rest.stamps }
        _modify { yield &rest.stamps }
    }
    /// Each record that an optimistic layer writes, as it is without layers.
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

    /// The object type of an existing record; `TypeID.none` of any other.
    func type(of record: RecordID) -> TypeID { block(of: record)?.type ?? .none }

    /// The keys of an existing record; none of any other.
    func shape(of record: RecordID) -> Shape { block(of: record)?.shape ?? .empty }

    private func block(of record: RecordID) -> RecordBlock? {
        let slot = slot(of: record)
        return slot.state == .existing ? blocks[Int(slot.block)] : nil
    }

    /// The value under a key; nil if it is missing.
    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        let slot = slot(of: record)
        guard slot.state == .existing else { return nil }
        let block = blocks[Int(slot.block)]
        return block.shape.position(of: key).map { block[Int(slot.row), $0] }
    }

    /// The values of an existing record in the order of its shape; none of any other.
    func values(of record: RecordID) -> [Value] {
        let slot = slot(of: record)
        return slot.state == .existing ? Array(blocks[Int(slot.block)].row(Int(slot.row))) : []
    }

    /// A look at a record, which is valid while this version is held.
    @inline(__always)
    func row(of record: RecordID) -> BorrowedRow {
        let slot = slot(of: record)
        guard slot.state == .existing else { return BorrowedRow(slot.state) }
        return BorrowedRow(looks[Int(slot.block)], row: Int(slot.row))
    }

    /// A look at all of it, which is valid while this version is held.
    var borrowed: BorrowedRecords { BorrowedRecords(pages: pages, blocks: looks) }

    /// The records that have changed since a version. Costs a page for each page that has changed, and a load for every
    /// other.
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

    /// A value of an existing record.
    @inline(__always)
    func value(at slot: Slot, _ position: Int) -> Value { blocks[Int(slot.block)][Int(slot.row), position] }

    /// The values of an existing record.
    func values(at slot: Slot) -> UnsafeBufferPointer<Value> { blocks[Int(slot.block)].row(Int(slot.row)) }

    /// Every record that exists or is known to be deleted, by number.
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

    /// Says where a record is from now on.
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

    /// Changes a slot of a page that there is.
    mutating func put(_ slot: Slot, at index: Int) {
        let page = index / Self.pageSize
        #if BATON_TSAN
            comeAfterReaders()
            pages[page].withUnsafeMutableBufferPointer { _ in VersionMark.comeAfterReaders() }
        #endif
        pages[page][index % Self.pageSize] = slot
        pagesChanged[page] = max(pagesChanged[page], slot.changed)
    }

    /// Changes the slots of a page that there is, of which one at least becomes different.
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

    /// Changes the block of an existing record, in place if nobody else holds it.
    mutating func withBlock<Result>(of slot: Slot, _ body: (RecordBlock) -> Result) -> Result {
        let index = Int(slot.block)
        own(index)
        return body(blocks[index])
    }

    #if BATON_TSAN
        /// Makes the arrays those of this version alone, and then says that what readers did with them is over.
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

    /// Takes over a whole block; the number under which its rows are found.
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

    /// Remembers a block that has room, for the next record of its type and shape.
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

    /// Gives a block without records back; the block, for the caller to let go.
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

    /// In the place of a block that was given back.
    static let noBlock = RecordBlock(.none, .empty)

    /// Moves the values of one row to the first places of another.
    mutating func move(_ from: Slot, to: Slot) {
        own(Int(from.block))
        own(Int(to.block))
        let source = blocks[Int(from.block)]
        let target = blocks[Int(to.block)]
        for position in 0..<min(source.width, target.width) {
            swap(&source[Int(from.row), position], &target[Int(to.row), position])
        }
    }

    /// Gives a row back, and its block if that was the last.
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
        // It may have moved to get larger.
        looks[Int(index)] = BorrowedBlock(blocks[Int(index)])
        if !blocks[Int(index)].hasRoom { unlist(index) }
        return Slot(block: index, row: UInt16(truncatingIfNeeded: row), state: .existing, changed: changed)
    }

    /// Writes a record as a whole, over what was there.
    mutating func replace(_ record: RecordID, _ type: TypeID, _ shape: Shape, _ values: [Value], changed: Epoch) {
        let old = slot(of: record)
        if old.state == .existing { free(old) }
        let slot = makeRow(type, shape, changed: changed)
        withBlock(of: slot) { block in
            for (position, value) in values.enumerated() { block[Int(slot.row), position] = value }
        }
        setSlot(record, slot)
    }

    /// Makes a record known not to exist.
    mutating func delete(_ record: RecordID, changed: Epoch) {
        let old = slot(of: record)
        if old.state == .existing { free(old) }
        setSlot(record, Slot(state: .deleted, changed: changed))
    }

    /// Makes a record one of which nothing was ever written; references to it stay good.
    mutating func unwrite(_ record: RecordID, changed: Epoch) {
        let old = slot(of: record)
        if old.state == .existing { free(old) }
        setSlot(record, Slot(changed: changed))
    }
}
