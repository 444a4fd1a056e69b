/// Some rows of a block: one bit for each.
struct RowSet: Sendable, Equatable {
    private var bits = SIMD2<UInt64>.zero

    var isEmpty: Bool { bits[0] | bits[1] == 0 }
    var count: Int { bits[0].nonzeroBitCount &+ bits[1].nonzeroBitCount }
    /// The first row; nil if there is none.
    var first: Int? {
        if bits[0] != 0 { return bits[0].trailingZeroBitCount }
        return bits[1] != 0 ? 64 + bits[1].trailingZeroBitCount : nil
    }

    func contains(_ row: Int) -> Bool { bits[row >> 6 & 1] & Self.bit(row) != 0 }
    mutating func insert(_ row: Int) { bits[row >> 6 & 1] |= Self.bit(row) }
    mutating func remove(_ row: Int) { bits[row >> 6 & 1] &= ~Self.bit(row) }

    /// Returns the rows that are not in another set.
    func subtracting(_ other: RowSet) -> RowSet {
        var result = self
        result.bits &= ~other.bits
        return result
    }

    /// Removes and returns the first row; nil if there is none.
    mutating func popFirst() -> Int? {
        guard let row = first else { return nil }
        remove(row)
        return row
    }

    private static func bit(_ row: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: row & 63) }
}
