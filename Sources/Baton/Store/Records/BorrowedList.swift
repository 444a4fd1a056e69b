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

    /// The links of a list that was written as a list of links; nil for other lists.
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
