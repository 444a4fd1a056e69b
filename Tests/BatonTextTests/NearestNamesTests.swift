import BatonText
import RandomCases
import Testing

@Suite struct NearestNamesTests {
    /// The distance by the usual algorithm, with the whole table. Names that differ in case alone have the distance 1.
    private static func distance(_ written: String, _ name: String) -> Int {
        let (left, right) = (Array(written.lowercased().utf8), Array(name.lowercased().utf8))
        if left == right { return written == name ? 0 : 1 }
        var table = [[Int]](repeating: Array(0...right.count), count: left.count + 1)
        for row in 0...left.count { table[row][0] = row }
        for row in 1..<(left.count + 1) {
            for column in 1..<(right.count + 1) {
                let cost = left[row - 1] == right[column - 1] ? 0 : 1
                var value = min(
                    table[row - 1][column] + 1, table[row][column - 1] + 1, table[row - 1][column - 1] + cost)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    value = min(value, table[row - 2][column - 2] + 1)
                }
                table[row][column] = value
            }
        }
        return table[left.count][right.count]
    }

    private static func plain(_ written: String, _ limit: Int?, among names: [String]) -> [String] {
        let limit = limit ?? written.utf8.count * 4 / 10 + 1
        let near = names.map { (distance(written, $0), $0) }.filter { $0.0 <= limit }
        let nearest = near.filter { $0.0 <= 1 }
        return (nearest.isEmpty ? near : nearest).sorted { $0 < $1 }.prefix(5).map(\.1)
    }

    @Test func theDistanceIsThatOfTheWholeTable() {
        for seed in RandomCases.seeds(300) { Self.compare(seed) }
    }

    private static func compare(_ seed: Int) {
        var random = SeededGenerator(seed: seed)
        func word() -> String { String((0..<(1 + random.below(9))).map { _ in random.pick(Array("abCc")) }) }
        let written = word()
        let names = Array(Set((0..<12).map { _ in word() })).sorted()
        for limit in [nil, 0, 1, 2, 4] {
            var nearest = NearestNames(to: written, limit: limit)
            for name in names { nearest.add(name) }
            #expect(nearest.names == plain(written, limit, among: names), "seed \(seed): '\(written)' among \(names)")
        }
        for name in names {
            #expect(NearestNames.areAlmostEqual(written, name) == (distance(written, name) <= 1))
        }
    }
}
