import BatonDiagnostics
import BatonSyntax
import Foundation
import Testing

@Suite struct ParserLimitTests {
    /// Texts nested as deep as asked, by the kind of nesting.
    static let nested: [@Sendable (Int) -> String] = [
        { String(repeating: "{a", count: $0) + String(repeating: "}", count: $0) },
        { String(repeating: "{...on A", count: $0) + "{a}" + String(repeating: "}", count: $0) },
        { "{a(b:" + String(repeating: "[", count: $0) + String(repeating: "]", count: $0) + ")}" },
        { "{a(b:" + String(repeating: "{c:", count: $0) + "1" + String(repeating: "}", count: $0) + ")}" },
        { "query($a:" + String(repeating: "[", count: $0) + "A" + String(repeating: "]", count: $0) + "){a}" },
    ]

    /// Parses, prints and frees on a thread with the stack that secondary threads have on other platforms.
    private static func parseOnThread(_ text: String, _ limits: ParserLimits) async -> [Diagnostic] {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                let source = SourceFile(id: .predeclared, path: "", bytes: Array(text.utf8))
                let parsed = Parser.parseDocument(source, limits: limits)
                let printed = parsed.diagnostics.isEmpty ? Printer.print(parsed.document, .compact) : ""
                continuation.resume(returning: printed == "never" ? [] : parsed.diagnostics)
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
    }

    @Test(arguments: 0..<5)
    func nestingUpToTheLimitParses(_ kind: Int) async {
        let limits = ParserLimits()
        let text = Self.nested[kind](limits.nesting - 3)
        #expect(await Self.parseOnThread(text, limits).isEmpty)
    }

    @Test(arguments: 0..<5, [201, 100_000])
    func nestingBeyondTheLimitIsOneError(_ kind: Int, _ depth: Int) async {
        let diagnostics = await Self.parseOnThread(Self.nested[kind](depth), ParserLimits())
        #expect(diagnostics.map(\.id) == [.nestingLimit])
        #expect(diagnostics.first?.message == "the document is nested more than 200 levels deep")
    }

    @Test func tokensBeyondTheLimitAreOneError() async {
        let text = "{ a b c d e f }"
        #expect(await Self.parseOnThread(text, ParserLimits(tokens: 8)).isEmpty)
        let diagnostics = await Self.parseOnThread(text, ParserLimits(tokens: 7))
        #expect(diagnostics.map(\.id) == [.tokenLimit])
    }

    @Test func mistakesBeyondTheLimitAreOneMore() async {
        let text = "{ a " + String(repeating: "% ? ", count: 100_000) + "}"
        let diagnostics = await Self.parseOnThread(text, ParserLimits(mistakes: 50))
        #expect(diagnostics.count == 51)
        #expect(diagnostics.last?.id == .mistakeLimit)
        #expect(diagnostics.last?.message == "there are more than 50 mistakes, the rest of the text is not read")
    }

    @Test func aRangeIsParsedInPlace() {
        let text = "let query = graphql(\"{ a ? }\")"
        var sources = SourceSet()
        let source = sources.add(path: "A.swift", text: text)
        let (document, diagnostics) = Parser.parseDocument(source, range: 21..<28)
        #expect(document.span.range == 21..<28)
        var renderer = TextRenderer(sources: sources)
        let rendered = renderer.render(diagnostics)
        #expect(rendered.hasPrefix("A.swift:1:26: error: unexpected '?' [invalid-character]\n"))
    }

    @Test func derivedTextIsReportedWhereItStandsInTheFile() {
        // The Swift literal "{\n ? }" is unescaped to six bytes.
        let original = "let a = \"{\\n ? }\""
        var sources = SourceSet()
        let derivation = SourceFile.Derivation(
            original: sources.add(path: "A.swift", text: original),
            segments: [
                .init(derived: 0, original: 9), .init(derived: 1, original: 10), .init(derived: 2, original: 12),
            ]
        )
        let source = sources.add(path: "A.swift", bytes: Array("{\n ? }".utf8), derivation: derivation)
        var renderer = TextRenderer(sources: sources)
        let rendered = renderer.render(Parser.parseDocument(source).diagnostics)
        #expect(rendered.hasPrefix("A.swift:1:14: error: unexpected '?' [invalid-character]\n"))
    }
}
