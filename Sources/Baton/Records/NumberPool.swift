/// Numbers that are free to be given again, a bit each. The lowest is given first, so that the end of a table gets
/// free; nothing is sorted, since there may be very many.
struct NumberPool: Sendable {
    private(set) var count = 0
    private var words: [UInt64] = []
    /// No word before this one has a bit.
    private var first = 0

    mutating func insert(_ number: UInt32) {
        let word = Int(number) / 64
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(number % 64)
        first = min(first, word)
        count += 1
    }

    mutating func remove(_ number: UInt32) {
        words[Int(number) / 64] &= ~(1 << UInt64(number % 64))
        count -= 1
    }

    mutating func popFirst() -> UInt32? {
        guard count > 0 else { return nil }
        while words[first] == 0 { first += 1 }
        let bit = words[first].trailingZeroBitCount
        words[first] &= words[first] &- 1
        count -= 1
        return UInt32(truncatingIfNeeded: first * 64 + bit)
    }

    /// Gives the memory back of all from a number on, of which none is free.
    mutating func trim(to end: Int) {
        guard words.count > (end + 63) / 64 else { return }
        words = words[..<((end + 63) / 64)].map { $0 }
        first = min(first, words.count)
    }
}
