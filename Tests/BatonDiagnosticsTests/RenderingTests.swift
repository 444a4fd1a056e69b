import BatonDiagnostics
import BatonSyntax
import BatonValidation
import Foundation
import Testing

@Suite struct RenderingTests {
    /// One diagnostic at a stretch of bytes of a text, in every format.
    private static func render(
        _ text: some Sequence<UInt8>,
        _ bytes: Range<UInt32>,
        path: String = "a.graphql",
        message: String = "m"
    ) -> (text: String, json: String, github: String) {
        var sources = SourceSet()
        let file = sources.add(path: path, bytes: Array(text))
        let span = Span(source: file.id, start: bytes.lowerBound, end: bytes.upperBound)
        let diagnostics = [Diagnostic(.syntax, message, at: span)]
        var plain = TextRenderer(sources: sources)
        var json = JSONRenderer(sources: sources)
        var github = GitHubRenderer(sources: sources)
        return (plain.render(diagnostics), json.render(diagnostics), github.render(diagnostics))
    }

    @Test(
        arguments: [
            ("ab cd", 3..<5, "1:4", "1:6"),
            ("\u{FEFF}ab", 3..<5, "1:1", "1:3"),
            ("\u{FEFF}ab", 0..<0, "1:1", "1:1"),
            ("\ta", 1..<2, "1:2", "1:3"),
            ("a\rb", 2..<3, "2:1", "2:2"),
            ("a\r\nb", 3..<4, "2:1", "2:2"),
            ("a\n\rb", 3..<4, "3:1", "3:2"),
            ("\u{E9}e\u{301}x", 5..<6, "1:4", "1:5"),
            ("\u{1F600}x", 4..<5, "1:2", "1:3"),
            ("a\u{2028}b", 4..<5, "1:3", "1:4"),
            ("ab\ncd", 1..<4, "1:2", "2:2"),
            ("ab", 2..<2, "1:3", "1:3"),
            ("ab\n", 3..<3, "2:1", "2:1"),
            ("ab", 90..<99, "1:3", "1:3"),
        ] as [(String, Range<UInt32>, String, String)])
    func columnsCountScalarsInEveryFormat(_ text: String, _ bytes: Range<UInt32>, _ start: String, _ end: String) {
        let rendered = Self.render(text.utf8, bytes)
        #expect(rendered.text.hasPrefix("a.graphql:\(start): error: m [syntax]\n"))
        let (first, last) = (start.split(separator: ":"), end.split(separator: ":"))
        let numbers = "\"line\":\(first[0]),\"column\":\(first[1]),\"endLine\":\(last[0]),\"endColumn\":\(last[1])"
        #expect(rendered.json.contains(numbers), "\(rendered.json)")
        let columns = first[0] == last[0] ? ",col=\(first[1]),endColumn=\(last[1])" : ""
        let properties = "file=a.graphql,line=\(first[0]),endLine=\(last[0])\(columns),title=syntax"
        #expect(rendered.github == "::error \(properties)::m\n")
    }

    @Test(
        arguments: [
            ("x\u{6F22}\u{5B57}y", 7..<8, "     ^"),
            ("x\u{6F22}\u{5B57}y", 1..<7, " ^~~~"),
            ("e\u{301}e\u{301}y", 6..<7, "  ^"),
            ("e\u{301}y", 0..<3, "^"),
            ("\u{1F600}y", 4..<5, "  ^"),
            ("\tx\ty", 3..<4, "\t \t^"),
            ("\u{1B}\u{9B}x", 3..<4, "  ^"),
            ("a{\nb", 1..<4, " ^"),
        ] as [(String, Range<UInt32>, String)])
    func caretsStandBelowTheirText(_ text: String, _ bytes: Range<UInt32>, _ pointer: String) {
        let lines = Self.render(text.utf8, bytes).text.split(separator: "\n")
        #expect(lines.last == "      | \(pointer)")
    }

    /// Every diagnostic is on its own line and sends no control character to the terminal, whatever text is in the
    /// file, its path or a name.
    @Test(arguments: [
        "\u{1B}[31m", "\u{7}", "\r", "\n", "\u{9B}2J", "\u{202E}", "\u{2066}", "\u{2028}", "\u{FEFF}", "\0",
    ])
    func noControlCharacterReachesATerminal(_ control: String) throws {
        let hostile = "a\(control)b"
        let rendered = Self.render(hostile.utf8, 0..<1, path: hostile, message: hostile)
        for (output, lineCount) in [(rendered.text, 3), (rendered.github, 1), (rendered.json + "\n", 1)] {
            #expect(output.split(separator: "\n", omittingEmptySubsequences: false).count == lineCount + 1)
            let isClean = output.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control: scalar == "\n"
                case .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
            #expect(isClean, "\(output.debugDescription)")
        }
        let object = try JSONSerialization.jsonObject(with: Data(rendered.json.utf8)) as? [String: [[String: Any]]]
        #expect(object?["diagnostics"]?.first?["path"] as? String == hostile)
        #expect(object?["diagnostics"]?.first?["message"] as? String == hostile)
    }

    @Test func anyBytesGiveValidJSONAndOneLineForEachDiagnostic() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let name = String(decoding: bytes, as: UTF8.self)
            let start = UInt32.random(in: 0...40, using: &generator)
            let rendered = Self.render(bytes, start..<UInt32.random(in: start...45), path: name, message: name)
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(rendered.json.utf8)) }
            #expect(rendered.text.utf8.count { $0 == 0x0A } == 3, "\(bytes)")
            #expect(rendered.github.utf8.count { $0 == 0x0A } == 1, "\(bytes)")
        }
    }

    @Test func gitHubGetsPlaceTitleAndEverythingElseAsMessage() {
        var sources = SourceSet()
        let file = sources.add(path: "a,b:c%d.graphql", text: "ab\ncd")
        func span(_ start: UInt32, _ end: UInt32) -> Span { Span(source: file.id, start: start, end: end) }
        let diagnostics = [
            Diagnostic(
                .unknownField,
                "100% 'x', y: z",
                at: span(0, 2),
                notes: [.init("first here", at: span(3, 4)), .init("n", at: .none)],
                suggestion: "did you mean 'a'?",
                fix: .init("a", at: span(0, 2))
            ),
            Diagnostic(.unusedFragment, severity: .warning, "m", at: .none, fix: .init("", at: span(0, 1))),
        ]
        var renderer = GitHubRenderer(sources: sources)
        #expect(
            renderer.render(diagnostics) == """
                ::error file=a%2Cb%3Ac%25d.graphql,line=1,endLine=1,col=1,endColumn=3,title=unknown-field::\
                100%25 'x', y: z%0Ahelp: did you mean 'a'?%0Afix: 'a'%0A\
                a,b:c%25d.graphql:2:1: note: first here%0Anote: n
                ::warning title=unused-fragment::m%0Afix: remove this

                """
        )
    }

    @Test func coloursAddEscapeSequencesAndNothingElse() {
        var sources = SourceSet()
        let file = sources.add(path: "a.graphql", text: "ab cd\n")
        let span = Span(source: file.id, start: 0, end: 2)
        let diagnostics = [Severity.error, .warning].map { severity in
            Diagnostic(
                .syntax,
                severity: severity,
                "m",
                at: span,
                notes: [.init("n", at: span), .init("n", at: .none)],
                suggestion: "s",
                fix: .init("x", at: Span(source: file.id, start: 3, end: 5))
            )
        }
        var plain = TextRenderer(sources: sources)
        var colored = TextRenderer(sources: sources, style: .colored)
        let text = colored.render(diagnostics)
        #expect(text.contains("\u{1B}[1;31merror:\u{1B}[0m"))
        #expect(text.contains("\u{1B}[1;33m^~\u{1B}[0m"))
        #expect(text.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.render(diagnostics))
    }

    /// The cost of thousands of mistakes is linear in their number, whether they are in one line or in as many lines.
    @Test(arguments: [" ", "\n"]) func manyDiagnosticsAreAllShown(_ separator: String) {
        var sources = SourceSet()
        let count = 5_000
        let file = sources.add(path: "a.graphql", text: String(repeating: "a" + separator, count: count))
        let diagnostics = (0..<UInt32(count)).map { (index: UInt32) -> Diagnostic in
            let start = 2 * index
            return Diagnostic(.syntax, "m", at: Span(source: file.id, start: start, end: start + 1))
        }
        var renderer = TextRenderer(sources: sources)
        let lines = renderer.render(diagnostics).split(separator: "\n")
        #expect(lines.count == 3 * count)
        let place = separator == "\n" ? "\(count):1" : "1:\(2 * count - 1)"
        #expect(lines[lines.count - 3] == "a.graphql:\(place): error: m [syntax]")
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

    @Test func fixesNameTheirReplacement() throws {
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
        // An emoji takes two cells, and so do the carets below it.
        let width = letter == "\u{1F600}" ? 2 : 1
        #expect(lines.allSatisfy { $0.count < 140 * width })
        let columns = lines.dropFirst().map { $0.prefix { $0 != "?" && $0 != "^" } }
        let cells = columns.map { $0.reduce(0) { $0 + ($1 == Character(letter) ? width : 1) } }
        #expect(cells.count == 2 && cells.first == cells.last)
    }
}
