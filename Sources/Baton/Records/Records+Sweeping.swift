// How records go when a collection has found that nothing needs them, and how their memory goes back.

extension Records {
    /// Takes a record away, as if it had never been written; references to it from before point at nothing from now on.
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

    /// Notes that a number without a record may be given to another from now on.
    mutating func letGo(_ record: RecordID, changed: Epoch, collection: UInt32) {
        if !invalidatedRecords.isEmpty { invalidatedRecords[record] = nil }
        stamps.clear(record)
        if !fieldErrors.isEmpty { fieldErrors.remove(record) }
        let index = Int(record.index)
        guard index < capacity else { return }
        put(Slot(changed: changed, collection: collection), at: index)
    }

    /// Takes over which numbers were given to other records; nothing else.
    mutating func keepCollections(of old: Records) {
        setVacant(changed: epoch, collection: old.vacant.collection)
        pages = old.pages.map { page in page.map { Slot(changed: epoch, collection: $0.collection) } }
        pagesChanged = pages.map { _ in epoch }
    }

    /// Says of every number without a record that it changed in this version, from now on.
    mutating func setVacant(changed: Epoch, collection: UInt32) {
        vacant = Slot(changed: changed, collection: collection)
        vacantPage = Array(repeating: vacant, count: Self.pageSize)
    }

    /// Gives the memory of a page back if it has no records.
    mutating func vacate(page: Int) {
        guard page < pages.count, pages[page].allSatisfy({ $0.state == .unknown }) else { return }
        stamps.vacate(page: page)
        pages[page] = vacantPage
        pagesChanged[page] = max(pagesChanged[page], vacant.changed)
    }

    /// Gives some pages at the end back that have no records; false if there may be more. Those of the numbers up to
    /// `count` stay.
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

    /// Chooses the blocks whose records are to move into others of their type and shape, if at least half of the blocks
    /// with room can be given back so; false if there are none. Takes time linear in the blocks.
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

    /// Moves the records of some pages out of the blocks that were chosen. It changes nothing that can be read.
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

    /// What was chosen and still has records can be used as before.
    mutating func endPacking() {
        let rest = packing
        packing = []
        for index in rest where blocks[Int(index)] !== Self.noBlock { list(index) }
    }
}

/// What a collection took away, to be freed while no lock is held: freeing a converted scalar runs the application's
/// code.
struct Garbage: Sendable {
    var values: [Value] = []
    var blocks: [RecordBlock] = []
    /// The number of records.
    var records = 0
    /// The version in which they went; 0 for none.
    var version: Epoch = 0
    /// Numbers that are given to others.
    var numbers: [RecordID] = []
    /// Numbers of storage keys that are given to others.
    var keys: [StorageKeyID] = []
    /// Somebody wants to know in which versions the records were written last.
    var keepsOrigins = false
    var origins: [(record: RecordID, written: Epoch)] = []
    /// What some of the numbers stood for.
    var names: [(record: RecordID, id: DataID)] = []
    static let mostNames = 256
}
