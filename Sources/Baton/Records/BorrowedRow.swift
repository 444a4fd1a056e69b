/// What a reader needs of a block, without counting references; valid while a version is held that holds the block.
struct BorrowedBlock: @unchecked Sendable {
    fileprivate let values: UnsafeMutablePointer<Value>
    fileprivate let width: Int
    fileprivate let count: Int
    let shape: ObjectIdentifier
    let type: TypeID

    init(_ block: RecordBlock) {
        values = block.values
        width = block.width
        count = block.count
        shape = ObjectIdentifier(block.shape)
        type = block.type
    }

    /// Says whether it is a look at the block as it is now.
    func isLook(at block: RecordBlock) -> Bool {
        values == block.values && width == block.width && count == block.count && type == block.type
            && shape == ObjectIdentifier(block.shape)
    }
}

/// A look at a record of a version, without counting references; valid while the version is held.
///
/// A block never changes while two versions hold it, and a reader holds one. Through arrays each field costs three
/// loads and three checks; then reading everything takes half as long again (benchmark `read.vs-foundation`). A
/// position outside gives nothing.
@usableFromInline
struct BorrowedRow {
    let values: UnsafePointer<Value>?
    private let count: Int
    let shape: ObjectIdentifier
    let type: TypeID
    let state: Records.State

    /// A record without values.
    init(_ state: Records.State) {
        values = nil
        count = 0
        // That of no shape: a global takes a look each time at whether it was made.
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

    /// The value at a position of the record's shape; nil outside.
    @inline(__always)
    func value(at position: Int) -> UnsafePointer<Value>? {
        guard let values, position >= 0, position < count else { return nil }
        return values + position
    }

    /// Says something that depends on the first value.
    @inline(__always)
    var firstByte: UInt8 {
        guard let values, count > 0 else { return 0 }
        return UnsafeRawPointer(values).load(as: UInt8.self)
    }
}

/// A look at a list of a version; valid while the version is held.
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

    /// The record to which an item links; nil if it is none.
    @inline(__always)
    func record(at index: Int) -> RecordID? {
        guard index >= 0, index < count else { return nil }
        if let records { return records[index] == .none ? nil : records[index] }
        if let values, case .link(let record) = values[index] { return record }
        return nil
    }

    /// It was written as a list of records.
    var isLinks: Bool { isList && values == nil }

    /// The record to which an item links, `RecordID.none` if it is null or there is none.
    @inline(__always)
    func link(at index: Int) -> RecordID {
        guard let records, index >= 0, index < count else { return .none }
        return records[index]
    }

    /// An item that is no record; null if it is one.
    func value(at index: Int) -> Value {
        guard let values, index >= 0, index < count else { return .null }
        return values[index]
    }

    /// An item that is no record; nil outside.
    @inline(__always)
    func pointer(at index: Int) -> UnsafePointer<Value>? {
        guard let values, index >= 0, index < count else { return nil }
        return values + index
    }

    /// An item that is a list itself.
    func list(at index: Int) -> BorrowedList {
        guard let values, index >= 0, index < count else { return .none }
        return BorrowedList(values[index])
    }
}

/// A look at a version as a whole; valid while the version is held.
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

    /// A look at a record, which is valid while this version is held.
    @inline(__always)
    func row(of record: RecordID) -> BorrowedRow {
        let index = Int(record.index)
        guard let pages, index / Records.pageSize < pageCount else { return BorrowedRow(.unknown) }
        let slot = pages[index / Records.pageSize][index % Records.pageSize]
        guard slot.state == .existing, let blocks, Int(slot.block) < blockCount else { return BorrowedRow(slot.state) }
        return BorrowedRow(blocks[Int(slot.block)], row: Int(slot.row))
    }

    /// Loads the values of the next records of a list, so that they are in the cache when they are read soon: the loads
    /// of several records overlap, those of one after the other do not. A third of the time to read lists of links
    /// (benchmark `read.vs-foundation`).
    func warm(_ list: BorrowedList, from index: Int) -> UInt8 {
        var sum: UInt8 = 0
        for index in index..<min(index &+ 8, list.count) {
            if let record = list.record(at: index) { sum &+= row(of: record).firstByte }
        }
        return sum
    }
}
