/// The lengths of the elements of a row or a column.
enum Distribution {
    /// Gives each element without a share its own length, the first ones first, and divides the rest by shares.
    ///
    /// - Parameters:
    ///   - shares: the share of each element in what is left over.
    ///   - length: the length of all.
    ///   - gap: the empty cells between two elements.
    ///   - natural: returns the length that an element takes of what is there.
    @MainActor
    static func lengths(
        of shares: [Int], within length: Int, gap: Int, natural: (_ index: Int, _ rest: Int) -> Int
    ) -> [Int] {
        var rest = max(0, length - gap * max(0, shares.count - 1))
        var lengths = Array(repeating: 0, count: shares.count)
        for (index, share) in shares.enumerated() where share == 0 {
            lengths[index] = min(rest, max(0, natural(index, rest)))
            rest -= lengths[index]
        }
        var sum = shares.reduce(0, +)
        for (index, share) in shares.enumerated() where share > 0 {
            lengths[index] = rest * share / sum
            rest -= lengths[index]
            sum -= share
        }
        return lengths
    }
}
