import BatonDiagnostics
import Testing

struct SpellingTests {
    @Test(arguments: [
        ("hero", ["heroes", "here", "villain", "hreo", "HERO"], "HERO,here,hreo"),
        ("a", ["b", "ab", "abc"], "ab,b"),
        ("name", ["Name", "NAME", "nmae", "game", "names"], "NAME,Name,game,names,nmae"),
        ("characters", ["characteristic", "character", "chars"], "character"),
        ("x", ["a", "b", "c", "d", "e", "f"], "a,b,c,d,e"),
        ("", ["a", "bc"], "a"),
    ])
    func spellingOffersTheNearestNames(_ written: String, _ names: [String], _ expected: String) {
        #expect(Spelling.suggestions(for: written, among: names).joined(separator: ",") == expected)
    }

    @Test func questionsNameUpToFive() {
        #expect(Spelling.question(naming: []) == nil)
        #expect(Spelling.question(naming: ["a"]) == "did you mean 'a'?")
        #expect(Spelling.question(naming: ["a", "b", "c"]) == "did you mean 'a', 'b' or 'c'?")
    }

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

    private static func plainSuggestions(for written: String, among names: [String]) -> [String] {
        let limit = written.utf8.count * 4 / 10 + 1
        let near = names.map { (distance(written, $0), $0) }.filter { $0.0 <= limit }
        let nearest = near.filter { $0.0 <= 1 }
        return (nearest.isEmpty ? near : nearest).sorted { $0 < $1 }.prefix(5).map(\.1)
    }

    @Test func theDistanceIsThatOfTheWholeTable() {
        var random = SystemRandomNumberGenerator()
        func word() -> String {
            String((0..<Int.random(in: 1...9, using: &random)).map { _ in "abCc".randomElement(using: &random) ?? "a" })
        }
        for _ in 0..<300 {
            let written = word()
            let names = Array(Set((0..<12).map { _ in word() })).sorted()
            let expected = Self.plainSuggestions(for: written, among: names)
            #expect(Spelling.suggestions(for: written, among: names) == expected, "'\(written)' among \(names)")
        }
    }

    @Test func aSpentBudgetSuggestsNothing() {
        Spelling.withBudget(SpellingBudget(3)) {
            #expect(Spelling.suggestions(for: "nane", among: ["name", "id"]) == ["name"])
            #expect(Spelling.suggestions(for: "nane", among: ["name", "id"]) == ["name"])
            #expect(Spelling.suggestions(for: "nane", among: ["name", "id"]).isEmpty)
        }
        #expect(Spelling.suggestions(for: "nane", among: ["name", "id"]) == ["name"])
    }
}
