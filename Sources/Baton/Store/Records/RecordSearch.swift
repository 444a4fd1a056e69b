/// Searches links for some records.
struct RecordSearch {
    private let targets: Set<RecordID>
    var isEmpty: Bool { targets.isEmpty }
    /// The range of the numbers of the targets. Most other records are outside, because records that were numbered one
    /// after the other have close numbers.
    private let lowest: UInt32
    private let span: UInt32

    init(_ targets: Set<RecordID>) {
        self.targets = targets
        lowest = targets.lazy.map(\.index).min() ?? 0
        span = (targets.lazy.map(\.index).max() ?? 0) - lowest
    }

    @inline(__always)
    func contains(_ record: RecordID) -> Bool {
        record.index &- lowest <= span && targets.contains(record)
    }

    /// Returns true if a value links to one of the records, at any depth.
    func isIn(_ value: borrowing Value) -> Bool {
        switch value {
        case .link(let record): contains(record)
        case .links(let records): records.contains { contains($0) }
        case .list(let values): values.contains { isIn($0) }
        default: false
        }
    }
}
