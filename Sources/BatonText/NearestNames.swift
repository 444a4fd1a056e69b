/// The names that a misspelled name may mean, of those that are added.
///
/// The distance between names is Damerau-Levenshtein's; names that differ only in case have distance 1. At most five
/// names within a limit are kept, nearest first, then by name. If a name has distance 1 or less, names with a larger
/// distance are left out.
///
/// The compiler and the runtime both find names so. The compiler asks about a name that is certainly wrong, so its
/// limit is wide.
package struct NearestNames {
    private let limit: Int
    private var measure: Measure
    private var found: [(distance: Int, name: String)] = []

    /// Makes a search. Without a limit it is `floor(0.4 * length) + 1`.
    package init(to written: String, limit: Int? = nil) {
        measure = Measure(written)
        self.limit = limit ?? written.utf8.count * 4 / 10 + 1
    }

    /// Adds a name that may be meant, once.
    package mutating func add(_ name: String) {
        // With five names found, another name must be as near as the last of them.
        let limit = found.count < 5 ? limit : found[4].distance
        guard let distance = measure.distance(to: name, limit: limit) else { return }
        let place = found.firstIndex { (distance, name) < $0 } ?? found.count
        if place < 5 { found.insert((distance, name), at: place) }
        if found.count > 5 { found.removeLast() }
    }

    /// The nearest of the names that were added.
    package var names: [String] {
        // If a name has distance 1, the names with a larger distance were hardly meant.
        let isCertain = found.first.map { $0.distance <= 1 } ?? false
        return found.filter { !isCertain || $0.distance <= 1 }.map(\.name)
    }

    /// Whether two names differ in one letter, or only in case.
    package static func areAlmostEqual(_ one: String, _ other: String) -> Bool {
        var measure = Measure(one)
        return measure.distance(to: other, limit: 1) != nil
    }
}

/// Measures the distance of many names to one name. It reuses its buffers, because thousands of names may be
/// compared for each of thousands of mistakes.
private struct Measure {
    private let input: [UInt8]
    private let folded: [UInt8]
    private let letters: UInt64
    private var candidate: [UInt8] = []
    private var before: [Int] = []
    private var previous: [Int] = []
    private var current: [Int] = []

    init(_ written: String) {
        input = Array(written.utf8)
        folded = input.map(Self.lowercased)
        letters = Self.letters(of: folded)
    }

    /// The distance, or nil if it is beyond the limit.
    mutating func distance(to name: String, limit: Int) -> Int? {
        let bytes = name.utf8
        guard abs(bytes.count - input.count) <= limit else { return nil }
        candidate.removeAll(keepingCapacity: true)
        candidate.append(contentsOf: bytes)
        for index in candidate.indices { candidate[index] = Self.lowercased(candidate[index]) }
        // One step can replace one letter that only the first name has by one that only the second name has. The
        // distance is therefore at least the larger count of such letters.
        let others = Self.letters(of: candidate)
        let missing = max((letters & ~others).nonzeroBitCount, (others & ~letters).nonzeroBitCount)
        guard missing <= limit else { return nil }
        // The common beginning and the common end cost nothing; in most cases they are nearly the whole name.
        let shorter = min(folded.count, candidate.count)
        var start = 0
        while start < shorter, folded[start] == candidate[start] { start += 1 }
        if start == folded.count, start == candidate.count {
            return bytes.elementsEqual(input) ? 0 : limit > 0 ? 1 : nil
        }
        var end = 0
        while end < shorter - start, folded[folded.count - 1 - end] == candidate[candidate.count - 1 - end] {
            end += 1
        }
        return measure(start..<(folded.count - end), start..<(candidate.count - end), limit: limit)
    }

    /// The distance between parts of both names; only cells within `limit` of the diagonal are computed.
    private mutating func measure(_ left: Range<Int>, _ right: Range<Int>, limit: Int) -> Int? {
        if left.isEmpty || right.isEmpty {
            let count = max(left.count, right.count)
            return count <= limit ? count : nil
        }
        let beyond = limit + 1
        let width = right.count + 1
        for row in [\Measure.before, \.previous, \.current] where self[keyPath: row].count <= width {
            self[keyPath: row] = Array(repeating: 0, count: width + 1)
        }
        for column in 0..<width { previous[column] = column }
        for row in 0..<left.count {
            let first = max(0, row - limit)
            let last = min(right.count, row + beyond)
            guard first < last else { return nil }
            current[first] = first == 0 ? row + 1 : beyond
            var smallest = current[first]
            let letter = folded[left.lowerBound + row]
            for column in first..<last {
                let other = candidate[right.lowerBound + column]
                var value = min(
                    previous[column + 1] + 1, current[column] + 1, previous[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == candidate[right.lowerBound + column - 1],
                    folded[left.lowerBound + row - 1] == other
                {
                    value = min(value, before[column - 1] + 1)
                }
                current[column + 1] = value
                smallest = min(smallest, value)
            }
            current[last + 1 < width ? last + 1 : width] = beyond
            if smallest > limit { return nil }
            swap(&before, &previous)
            swap(&previous, &current)
        }
        return previous[right.count] <= limit ? previous[right.count] : nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// The set of the bytes, each modulo 64.
    private static func letters(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    }
}
