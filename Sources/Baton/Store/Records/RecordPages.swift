/// The slots of all records by number, in pages that copy on write.
struct RecordPages: Sendable {
    typealias Slot = Records.Slot

    static let pageSize = 1024
    /// The page of a new store. All stores share it, since most stores have no page or one page.
    static let untouchedPage = Array(repeating: Slot(), count: pageSize)

    private(set) var slots: [[Slot]] = []
    /// For each page, the newest version in which one of its slots was written.
    private var changed: [Epoch] = []
    /// The slot of every number beyond the pages.
    var vacant = Slot()

    init() {}

    /// Makes pages without records. Each number keeps the last collection that freed it, and counts as changed.
    init(emptying old: RecordPages, at epoch: Epoch) {
        vacant = Slot(changed: epoch, collection: old.vacant.collection)
        slots = old.slots.map { page in page.map { Slot(changed: epoch, collection: $0.collection) } }
        changed = slots.map { _ in epoch }
    }

    /// The number of pages.
    var count: Int { slots.count }
    /// The number of records that the pages have room for.
    var capacity: Int { slots.count &* Self.pageSize }

    subscript(page: Int) -> [Slot] { slots[page] }

    /// The slot of a record.
    subscript(record: RecordID) -> Slot {
        @inline(__always) get {
            let index = Int(record.index)
            let page = index / Self.pageSize
            return page < slots.count ? slots[page][index % Self.pageSize] : vacant
        }
    }

    /// Calls `body` with every slot of the pages, by number. Tests look at all slots after each step of theirs, so the
    /// loop is one that is fast in a debug build.
    func forEachSlot(_ body: (RecordID, Slot) -> Void) {
        for page in slots.indices {
            slots[page].withUnsafeBufferPointer { slots in
                guard let first = slots.baseAddress else { return }
                let number = UInt32(truncatingIfNeeded: page &* Self.pageSize)
                var index: UInt32 = 0
                while index < slots.count {
                    body(RecordID(number &+ index), first[Int(index)])
                    index &+= 1
                }
            }
        }
    }

    /// Returns the records that have changed since a version. Costs a page for each changed page, and a load for every
    /// other page.
    func changed(since epoch: Epoch) -> ChangedRecords {
        var found = ChangedRecords(capacity: capacity, beyond: vacant.changed > epoch)
        for page in slots.indices where changed[page] > epoch {
            for (index, slot) in slots[page].enumerated() where slot.changed > epoch {
                found.insert(RecordID(UInt32(truncatingIfNeeded: page &* Self.pageSize &+ index)))
            }
        }
        return found
    }

    // MARK: - Writing

    func hasSlot(of record: RecordID) -> Bool { Int(record.index) / Self.pageSize < slots.count }

    /// Adds pages without records up to that of a record.
    mutating func grow(to record: RecordID, _ vacantPage: [Slot]) {
        let missing = Int(record.index) / Self.pageSize + 1 - slots.count
        changed.append(contentsOf: repeatElement(vacant.changed, count: missing))
        slots.append(contentsOf: repeatElement(vacantPage, count: missing))
    }

    /// Sets the slot of a record, but keeps the last collection that freed its number.
    mutating func set(_ record: RecordID, _ slot: Slot) {
        let index = Int(record.index)
        var slot = slot
        slot.collection = slots[index / Self.pageSize][index % Self.pageSize].collection
        put(slot, at: index)
    }

    /// Sets a slot of an existing page.
    mutating func put(_ slot: Slot, at index: Int) {
        let page = index / Self.pageSize
        slots[page][index % Self.pageSize] = slot
        changed[page] = max(changed[page], slot.changed)
    }

    /// Changes the slots of an existing page. At least one of them must become different.
    @inline(__always)
    mutating func withPage(
        _ page: Int, changed epoch: Epoch, _ body: (inout UnsafeMutableBufferPointer<Slot>) -> Void
    ) {
        slots[page].withUnsafeMutableBufferPointer(body)
        changed[page] = max(changed[page], epoch)
    }

    // MARK: - Freeing

    func isVacant(page: Int) -> Bool { slots[page].allSatisfy { $0.state == .unknown } }

    /// Frees the memory of a page without records.
    mutating func vacate(page: Int, _ vacantPage: [Slot]) {
        slots[page] = vacantPage
        changed[page] = max(changed[page], vacant.changed)
    }

    /// Frees some pages without records at the end; returns false if there may be more. The pages of the first `count`
    /// numbers stay.
    mutating func trim(to count: Int, pages limit: Int) -> Bool {
        for _ in 0..<limit {
            guard capacity >= count + Self.pageSize, isVacant(page: slots.count - 1) else { return true }
            slots.removeLast()
            changed.removeLast()
        }
        return false
    }
}
