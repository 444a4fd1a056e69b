import BatonDiagnostics
import BatonSchema
import BatonSyntax
import Foundation
import Testing

@Suite struct DiagnosticsTests {
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

    @Test func jsonHasTheDocumentedShape() throws {
        var sources = SourceSet()
        let file = sources.add(path: "a \"b\".graphql", text: "{\n  h\u{E9}ro\t}")
        let span = Span(source: file.id, start: 4, end: 9)
        let diagnostics = [
            Diagnostic(.unknownField, "tab \t and \u{1}", at: span, notes: [.init("n", at: .none)], suggestion: "s"),
            Diagnostic(.syntax, severity: .warning, "m", at: .none),
        ]
        var renderer = JSONRenderer(sources: sources)
        let text = renderer.render(diagnostics)
        #expect(
            text == #"{"diagnostics":[{"id":"unknown-field","severity":"error","message":"tab \t and \u0001","#
                + #""path":"a \"b\".graphql","line":2,"column":3,"endLine":2,"endColumn":7,"suggestion":"s","#
                + #""notes":[{"message":"n"}]},{"id":"syntax","severity":"warning","message":"m","notes":[]}]}"#
        )
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }

    @Test func fixesSayWhatToChange() throws {
        var sources = SourceSet()
        let file = sources.add(path: "a.graphql", text: "a,b\nc" + String(repeating: "d", count: 100))
        func span(_ start: UInt32, _ end: UInt32) -> Span { Span(source: file.id, start: start, end: end) }
        let fixes: [Diagnostic.Fix] = [
            .init("x", at: span(0, 1)), .init("", at: span(1, 2)), .init(" & ", at: span(3, 3)),
            .init("y", at: span(0, 100)), .init("", at: span(0, 5)),
        ]
        let diagnostics = fixes.map { Diagnostic(.syntax, "m", at: span(0, 1), fix: $0) }
        var text = TextRenderer(sources: sources)
        let lines = text.render(diagnostics).split(separator: "\n").filter { $0.contains("fix: ") }
        #expect(
            lines == [
                "  fix: replace 'a' with 'x'", "  fix: a.graphql:1:2: remove ','", "  fix: a.graphql:1:4: insert ' & '",
                "  fix: replace this with 'y'", #"  fix: remove 'a,b\nc'"#,
            ]
        )
        var json = JSONRenderer(sources: sources)
        #expect(
            json.render([diagnostics[1]]).contains(
                #""fix":{"replacement":"","path":"a.graphql","line":1,"column":2,"endLine":1,"endColumn":3},"notes""#))
    }

    @Test(arguments: [("a", 500), ("a", 50_000), ("\u{E9}", 5_000), ("\u{1F600}", 5_000)])
    func longLinesAreCutAroundTheirMistake(_ letter: String, _ count: Int) {
        var sources = SourceSet()
        let around = String(repeating: letter, count: count)
        let file = sources.add(path: "a.graphql", text: around + "?" + around)
        var renderer = TextRenderer(sources: sources)
        let start = UInt32(around.utf8.count)
        let span = Span(source: file.id, start: start, end: start + 1)
        let lines = renderer.render([Diagnostic(.syntax, "m", at: span)]).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first == "a.graphql:1:\(count + 1): error: m [syntax]")
        // An emoji takes two cells, as does what stands below it.
        let width = letter == "\u{1F600}" ? 2 : 1
        #expect(lines.allSatisfy { $0.count < 140 * width })
        let columns = lines.dropFirst().map { $0.prefix { $0 != "?" && $0 != "^" } }
        let cells = columns.map { $0.reduce(0) { $0 + ($1 == Character(letter) ? width : 1) } }
        #expect(cells.count == 2 && cells.first == cells.last)
    }

    @Test func typeReferencesPrintAndTakeApart() throws {
        var type = TypeReference(TypeID(7))
        #expect(type.description(naming: "A") == "A")
        type = try #require(type.required?.listed?.required)
        #expect(type.description(naming: "A") == "[A!]!")
        #expect(type.isNonNull && type.isList && type.listDepth == 1 && type.named == TypeID(7))
        #expect(type.item?.description(naming: "A") == "A!")
        #expect(type.required == type)
        #expect(type.nullable.shape == .list(try #require(TypeReference(TypeID(7)).required)))
        var deep: TypeReference? = TypeReference(TypeID(0))
        for _ in 0..<TypeReference.maximumDepth { deep = deep?.listed }
        #expect(deep?.listDepth == TypeReference.maximumDepth)
        #expect(deep?.listed == nil)
    }
}
