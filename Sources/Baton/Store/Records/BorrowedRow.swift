/// The properties of a block that a reader needs, without reference counts. Valid as long as a version that holds the
/// block is held.
struct BorrowedBlock: @unchecked Sendable {
    let object: Unmanaged<RecordBlock>
    let values: UnsafeMutablePointer<Value>
    let kinds: UnsafeMutablePointer<Value.Kinds>
    let width: Int
    fileprivate let count: Int
    let shape: ObjectIdentifier
    let type: TypeID

    init(_ block: RecordBlock) {
        object = .passUnretained(block)
        values = block.values
        kinds = block.kinds
        width = block.width
        count = block.count
        shape = ObjectIdentifier(block.shape)
        type = block.type
    }

    /// Returns true if this matches the current state of the block.
    func isBorrowed(from block: RecordBlock) -> Bool {
        values == block.values && width == block.width && count == block.count && type == block.type
            && shape == ObjectIdentifier(block.shape)
    }
}

/// A record of a version, without reference counts. Valid as long as the version is held.
///
/// A row never changes while anything but one version holds its block, and the reader holds another version or the
/// block itself. With arrays each field would cost three loads and three checks, and a full read would take half as
/// long again (benchmark `read.vs-foundation`). A position out of range has no value.
@usableFromInline
struct BorrowedRow {
    let values: UnsafePointer<Value>?
    private let count: Int
    let shape: ObjectIdentifier
    let type: TypeID
    let state: Records.State

    /// Makes a record without values.
    init(_ state: Records.State) {
        values = nil
        count = 0
        // The identity of no shape. A global constant would check at each access whether it is initialized.
        shape = ObjectIdentifier(Shape.self)
        type = .none
        self.state = state
    }

    @inline(__always)
    init(_ block: BorrowedBlock, row: Int) {
        precondition(row < block.count)
        values = UnsafePointer(block.values + row &* block.width)
        count = block.width
        shape = block.shape
        type = block.type
        state = .existing
    }

    /// Returns the value at a position of the record's shape; nil out of range.
    @inline(__always)
    func value(at position: Int) -> UnsafePointer<Value>? {
        guard let values, position >= 0, position < count else { return nil }
        return values + position
    }
}

/// A list of a version, without reference counts. Valid as long as the version is held.
struct BorrowedList {
    private let records: UnsafePointer<RecordID>?
    private let values: UnsafePointer<Value>?
    let count: Int
    let isList: Bool

    static var none: BorrowedList { BorrowedList(.null) }

    @inline(__always)
    init(_ value: borrowing Value) {
        switch value {
        case .links(let links):
            records = links.withUnsafeBufferPointer { $0.baseAddress }
            values = nil
            count = links.count
            isList = true
        case .list(let items):
            records = nil
            values = items.withUnsafeBufferPointer { $0.baseAddress }
            count = items.count
            isList = true
        default:
            records = nil
            values = nil
            count = 0
            isList = false
        }
    }

    /// Returns the record that an item links to; nil if the item is no link.
    @inline(__always)
    func record(at index: Int) -> RecordID? {
        guard index >= 0, index < count else { return nil }
        if let records { return records[index] == .none ? nil : records[index] }
        if let values, case .link(let record) = values[index] { return record }
        return nil
    }

    /// True if the list was written as a list of links.
    var isLinks: Bool { isList && values == nil }

    /// The links of a list that was written as such.
    var links: UnsafeBufferPointer<RecordID>? {
        @inline(__always) get { isLinks ? UnsafeBufferPointer(start: records, count: count) : nil }
    }

    /// Returns the record that an item links to; `RecordID.none` if the item is null or out of range.
    @inline(__always)
    func link(at index: Int) -> RecordID {
        guard let records, index >= 0, index < count else { return .none }
        return records[index]
    }

    /// Returns an item of a list without links; null in a list of links.
    func value(at index: Int) -> Value {
        guard let values, index >= 0, index < count else { return .null }
        return values[index]
    }

    /// Returns a pointer to an item of a list without links; nil out of range.
    @inline(__always)
    func pointer(at index: Int) -> UnsafePointer<Value>? {
        guard let values, index >= 0, index < count else { return nil }
        return values + index
    }

    /// Returns an item that is itself a list.
    func list(at index: Int) -> BorrowedList {
        guard let values, index >= 0, index < count else { return .none }
        return BorrowedList(values[index])
    }
}

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
