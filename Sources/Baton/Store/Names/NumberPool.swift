/// A set of free numbers, with one bit for each number. The lowest number is given first, so that the end of a table
/// becomes free. Nothing is sorted, because there may be very many numbers.
struct NumberPool: Sendable {
    private(set) var count = 0
    private var words: [UInt64] = []
    /// The index of the first word that may have a bit.
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

    /// Frees the memory for the numbers from `end` on; none of them may be in the set.
    mutating func trim(to end: Int) {
        guard words.count > (end + 63) / 64 else { return }
        words = words[..<((end + 63) / 64)].map { $0 }
        first = min(first, words.count)
    }
}
