/// A set of records, with one bit for each record. Pages of bits are made when they are needed.
struct RecordSet: Sendable {
    private static let wordsOfPage = 64
    private var pages: [[UInt64]] = []

    /// Adds a record; returns false if the set had it.
    @inline(__always)
    @discardableResult
    mutating func insert(_ record: RecordID) -> Bool {
        let word = Int(record.index) / 64
        let page = word / Self.wordsOfPage
        if page >= pages.count || pages[page].isEmpty { addPage(page) }
        let bit: UInt64 = 1 << UInt64(record.index % 64)
        let old = pages[page][word % Self.wordsOfPage]
        guard old & bit == 0 else { return false }
        pages[page][word % Self.wordsOfPage] = old | bit
        return true
    }

    @inline(never)
    private mutating func addPage(_ page: Int) {
        if page >= pages.count { pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count)) }
        pages[page] = Array(repeating: 0, count: Self.wordsOfPage)
    }

    mutating func remove(_ record: RecordID) {
        guard contains(record) else { return }
        let word = Int(record.index) / 64
        pages[word / Self.wordsOfPage][word % Self.wordsOfPage] &= ~(1 << UInt64(record.index % 64))
    }

    /// Removes the records of another set.
    mutating func subtract(_ other: RecordSet) {
        for page in pages.indices.prefix(other.pages.count) where !pages[page].isEmpty && !other.pages[page].isEmpty {
            for word in pages[page].indices { pages[page][word] &= ~other.pages[page][word] }
        }
    }

    @inline(__always)
    func contains(_ record: RecordID) -> Bool {
        let word = Int(record.index) / 64
        let page = word / Self.wordsOfPage
        guard page < pages.count, !pages[page].isEmpty else { return false }
        return pages[page][word % Self.wordsOfPage] & (1 << UInt64(record.index % 64)) != 0
    }

    /// The number of records; takes time linear in the pages.
    var count: Int { pages.reduce(0) { $0 + $1.reduce(0) { $0 + $1.nonzeroBitCount } } }
}
