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

    @Test func aSpentBudgetSuggestsNothing() {
        Spelling.withBudget(SpellingBudget(3)) {
            #expect(Spelling.suggestions(for: "nane", among: ["name", "id"]) == ["name"])
            #expect(Spelling.suggestions(for: "nane", among: ["name", "id"]) == ["name"])
            #expect(Spelling.suggestions(for: "nane", among: ["name", "id"]).isEmpty)
        }
        #expect(Spelling.suggestions(for: "nane", among: ["name", "id"]) == ["name"])
    }
}
