/// The lengths of the elements of a row or a column.
enum Distribution {
    /// Gives each element without a share its own length, the first ones first, and divides the rest by shares. There
    /// is a gap between elements that have a length.
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
        var rest = length
        var lengths = Array(repeating: 0, count: shares.count)
        var isFirst = true
        for (index, share) in shares.enumerated() where share == 0 {
            let available = rest - (isFirst ? 0 : gap)
            guard available > 0 else { continue }
            lengths[index] = min(available, max(0, natural(index, available)))
            if lengths[index] > 0 { (rest, isFirst) = (available - lengths[index], false) }
        }
        let flexible = shares.filter { $0 > 0 }.count
        rest = max(0, rest - gap * (isFirst ? max(0, flexible - 1) : flexible))
        var sum = shares.reduce(0, +)
        for (index, share) in shares.enumerated() where share > 0 {
            lengths[index] = rest * share / sum
            rest -= lengths[index]
            sum -= share
        }
        return lengths
    }

    /// The length of elements with gaps between those that have a length.
    static func sum(of lengths: [Int], gap: Int) -> Int {
        let shown = lengths.filter { $0 > 0 }
        return shown.reduce(0, +) + gap * max(0, shown.count - 1)
    }
}
