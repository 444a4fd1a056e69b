/// A whole version, without reference counts. Valid as long as the version is held.
struct BorrowedRecords {
    private let pages: UnsafePointer<[Records.Slot]>?
    private let pageCount: Int
    private let blocks: UnsafePointer<BorrowedBlock>?
    private let blockCount: Int

    init(pages: [[Records.Slot]], blocks: [BorrowedBlock]) {
        self.pages = pages.withUnsafeBufferPointer { $0.baseAddress }
        pageCount = pages.count
        self.blocks = blocks.withUnsafeBufferPointer { $0.baseAddress }
        blockCount = blocks.count
    }

    /// Returns a record. Valid as long as this version is held.
    @inline(__always)
    func row(of record: RecordID) -> BorrowedRow {
        let index = Int(record.index)
        guard let pages, index / RecordPages.pageSize < pageCount else { return BorrowedRow(.unknown) }
        let slot = pages[index / RecordPages.pageSize][index % RecordPages.pageSize]
        guard slot.state == .existing, let blocks, Int(slot.block) < blockCount else { return BorrowedRow(slot.state) }
        return BorrowedRow(blocks[Int(slot.block)], row: Int(slot.row))
    }

    /// Returns the slot of a record.
    @inline(__always)
    func slot(of record: RecordID) -> Records.Slot {
        let index = Int(record.index)
        guard let pages, index / RecordPages.pageSize < pageCount else { return Records.Slot() }
        return pages[index / RecordPages.pageSize][index % RecordPages.pageSize]
    }

    /// Returns the slot of a record in place; nil beyond the pages.
    @inline(__always)
    func slotPointer(of record: RecordID) -> UnsafePointer<Records.Slot>? {
        let index = Int(record.index)
        guard let pages, index / RecordPages.pageSize < pageCount else { return nil }
        // A page has a slot for each of its numbers.
        return pages[index / RecordPages.pageSize].withUnsafeBufferPointer { $0.baseAddress }
            .map { $0 + index % RecordPages.pageSize }
    }

    /// Returns a block by its number, which must be in a slot of this version.
    @inline(__always)
    func block(_ number: UInt32) -> BorrowedBlock {
        guard let blocks, Int(number) < blockCount else { preconditionFailure("a slot points at no block") }
        return blocks[Int(number)]
    }
}
