/// Finds what was probably meant by a misspelled name.
///
/// The distance is Damerau-Levenshtein's; a name that differs only in case has distance 1. Names within
/// `floor(0.4 * length) + 1` are offered, nearest first, ties by name, at most five.
package enum Spelling {
    /// The names nearest to what was written.
    package static func suggestions(for written: String, among names: some Sequence<String>) -> [String] {
        let input = Array(written.utf8)
        let folded = input.map(lowercased)
        let threshold = input.count * 4 / 10 + 1
        var found: [(name: String, distance: Int)] = []
        for name in names {
            let candidate = name.utf8
            guard abs(candidate.count - input.count) <= threshold else { continue }
            let distance = distance(input, folded, Array(candidate), threshold: threshold)
            if let distance { found.append((name, distance)) }
        }
        found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return found.prefix(5).map(\.name)
    }

    /// A question such as "did you mean 'a', 'b' or 'c'?", or nil without suggestions.
    package static func question(for written: String, among names: some Sequence<String>) -> String? {
        question(naming: suggestions(for: written, among: names))
    }

    /// The same question about names that are already chosen.
    package static func question(naming names: [String]) -> String? {
        let quoted = names.map { "'\($0)'" }
        guard let last = quoted.last else { return nil }
        let others = quoted.dropLast().joined(separator: ", ")
        return others.isEmpty ? "did you mean \(last)?" : "did you mean \(others) or \(last)?"
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func distance(
        _ input: [UInt8],
        _ folded: [UInt8],
        _ candidate: [UInt8],
        threshold: Int
    ) -> Int? {
        if input == candidate { return 0 }
        let other = candidate.map(lowercased)
        if folded == other { return 1 }
        var before = [Int](repeating: 0, count: other.count + 1)
        var previous = Array(0...other.count)
        var current = previous
        for row in 1...max(1, folded.count) where row <= folded.count {
            current[0] = row
            var smallest = row
            for column in 1...max(1, other.count) where column <= other.count {
                let cost = folded[row - 1] == other[column - 1] ? 0 : 1
                var value = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + cost)
                if row > 1, column > 1, folded[row - 1] == other[column - 2], folded[row - 2] == other[column - 1] {
                    value = min(value, before[column - 2] + 1)
                }
                current[column] = value
                smallest = min(smallest, value)
            }
            if smallest > threshold { return nil }
            (before, previous, current) = (previous, current, before)
        }
        let result = previous[other.count]
        return result <= threshold ? result : nil
    }
}
