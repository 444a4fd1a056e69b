// Removal of the records that a collection found unused, and of their memory.

extension Records {
    /// Removes a record, as if it had never been written. Older references to it point at nothing from now on.
    mutating func forget(_ record: RecordID, changed: Epoch, collection: UInt32, _ garbage: inout Garbage) {
        let old = slot(of: record)
        if old.state == .existing {
            if blocks[Int(old.block)].used > 1 {
                withBlock(of: old) { $0.clear(Int(old.row), into: &garbage.values) }
                list(old.block)
            } else {
                garbage.blocks.append(discard(old.block))
            }
            rowCount -= 1
        }
        put(Slot(changed: changed, collection: collection), at: Int(record.index))
        if !invalidatedRecords.isEmpty { invalidatedRecords[record] = nil }
        stamps.clear(record)
        if !fieldErrors.isEmpty { fieldErrors.remove(record) }
        garbage.records += 1
        if garbage.keepsOrigins { garbage.origins.append((record, old.changed)) }
    }

    /// Frees the number of an unknown record, so that another record may get it.
    mutating func letGo(_ record: RecordID, changed: Epoch, collection: UInt32) {
        if !invalidatedRecords.isEmpty { invalidatedRecords[record] = nil }
        stamps.clear(record)
        if !fieldErrors.isEmpty { fieldErrors.remove(record) }
        let index = Int(record.index)
        guard index < capacity else { return }
        put(Slot(changed: changed, collection: collection), at: index)
    }

    /// Takes over, for each number, the last collection that freed it; nothing else.
    mutating func keepCollections(of old: Records) {
        setVacant(changed: epoch, collection: old.vacant.collection)
        pages = old.pages.map { page in page.map { Slot(changed: epoch, collection: $0.collection) } }
        pagesChanged = pages.map { _ in epoch }
    }

    /// Notes that every unknown record counts as changed in this version.
    mutating func setVacant(changed: Epoch, collection: UInt32) {
        vacant = Slot(changed: changed, collection: collection)
        vacantPage = Array(repeating: vacant, count: Self.pageSize)
    }

    /// Frees the memory of a page without records.
    mutating func vacate(page: Int) {
        guard page < pages.count, pages[page].allSatisfy({ $0.state == .unknown }) else { return }
        stamps.vacate(page: page)
        pages[page] = vacantPage
        pagesChanged[page] = max(pagesChanged[page], vacant.changed)
    }

    /// Frees some pages without records at the end; returns false if there may be more. The pages of the first `count`
    /// numbers stay.
    mutating func trim(to count: Int, pages limit: Int) -> Bool {
        for _ in 0..<limit {
            guard pages.count * Self.pageSize >= count + Self.pageSize, let last = pages.last,
                last.allSatisfy({ $0.state == .unknown })
            else { return true }
            pages.removeLast()
            pagesChanged.removeLast()
        }
        return false
    }

    // MARK: - Packing

    /// Chooses the blocks whose records move into other blocks of their type and shape, if that frees at least half of
    /// the blocks with room. Returns false if there are none. Takes time linear in the blocks.
    mutating func choosePacking() -> Bool {
        for list in open.values where list.count > 2 {
            let used = list.reduce(0) { $0 + blocks[Int($1)].used }
            let needed = (used + RecordBlock.rows - 1) / RecordBlock.rows
            guard list.count >= 2 * needed else { continue }
            let fullestFirst = list.sorted { blocks[Int($0)].used > blocks[Int($1)].used }
            packing.formUnion(fullestFirst.dropFirst(needed))
        }
        for index in packing { unlist(index) }
        return !packing.isEmpty
    }

    /// Moves the records of some pages out of the chosen blocks. Reads see no change.
    mutating func pack(_ range: Range<Int>) {
        for page in range where page < pages.count {
            for index in 0..<Self.pageSize {
                let old = pages[page][index]
                guard old.state == .existing, packing.contains(old.block) else { continue }
                let block = blocks[Int(old.block)]
                let slot = makeRow(block.type, block.shape, changed: old.changed)
                move(old, to: slot)
                free(old)
                setSlot(RecordID(UInt32(truncatingIfNeeded: page * Self.pageSize + index)), slot)
            }
        }
    }

    /// Ends the packing. Chosen blocks that still have records can be used as before.
    mutating func endPacking() {
        let rest = packing
        packing = []
        for index in rest where blocks[Int(index)] !== Self.noBlock { list(index) }
    }
}

/// The values and blocks that a collection removed. They are freed while no lock is held, because freeing a converted
/// scalar runs the application's code.
struct Garbage: Sendable {
    var values: [Value] = []
    var blocks: [RecordBlock] = []
    /// The number of removed records.
    var records = 0
    /// The version in which the records were removed; 0 if none were.
    var version: Epoch = 0
    /// The freed numbers of records.
    var numbers: [RecordID] = []
    /// The freed numbers of storage keys.
    var keys: [StorageKeyID] = []
    /// True if the versions of the records' last writes are to be kept.
    var keepsOrigins = false
    var origins: [(record: RecordID, written: Epoch)] = []
    /// The identities of some of the freed numbers.
    var names: [(record: RecordID, id: DataID)] = []
    static let mostNames = 256
}
