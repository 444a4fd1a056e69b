/// A set of records, with one bit for each record.
struct ChangedRecords {
    private var words: [UInt64]

    /// True if the set contains all numbers beyond the capacity.
    private let beyond: Bool

    init(capacity: Int, beyond: Bool) {
        self.beyond = beyond
        words = Array(repeating: 0, count: (capacity + 63) / 64)
    }

    mutating func insert(_ record: RecordID) {
        words[Int(record.index) >> 6] |= 1 << UInt64(record.index & 63)
    }

    @inline(__always)
    func contains(_ record: RecordID) -> Bool {
        let word = Int(record.index) >> 6
        return word < words.count ? words[word] & (1 << UInt64(record.index & 63)) != 0 : beyond
    }

    /// Returns the records of the set; nil if there are more than `limit`, or if the set contains the numbers beyond
    /// the capacity.
    func few(atMost limit: Int) -> [RecordID]? {
        guard !beyond else { return nil }
        var found: [RecordID] = []
        for (index, word) in words.enumerated() where word != 0 {
            var word = word
            while word != 0 {
                if found.count == limit { return nil }
                found.append(RecordID(UInt32(truncatingIfNeeded: index &* 64 &+ word.trailingZeroBitCount)))
                word &= word &- 1
            }
        }
        return found
    }
}
