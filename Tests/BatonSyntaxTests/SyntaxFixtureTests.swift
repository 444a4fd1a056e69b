import BatonDiagnostics
import BatonSyntax
import FixtureSupport
import Testing

@Suite struct SyntaxFixtureTests {
    @Test(arguments: Fixture.all(in: "lexer"))
    func lexerGivesTheExpectedTokens(_ fixture: Fixture) throws {
        let problems = try FixtureRunner.check(fixture) { texts in
            let (source, sources) = Self.onlySource(texts)
            var lexer = Lexer(source: source)
            var output = ""
            while true {
                let token = lexer.next()
                output += "\(token.start)..\(token.end) \(token.kind)"
                switch token.kind {
                case .name, .int, .float: output += " \(lexer.text(of: token))"
                case .string, .blockString:
                    output += " " + Printer.print(Value.string(StringValue(lexer.stringValue(of: token))))
                default: break
                }
                output += "\n"
                if token.kind == .endOfFile { break }
            }
            return Outcome(lexer.diagnostics.sortedByPosition(), sources) { output + $0 }
        }
        #expect(problems == [])
    }

    @Test(arguments: Fixture.all(in: "parser"))
    func parserGivesTheExpectedTree(_ fixture: Fixture) throws {
        let problems = try FixtureRunner.check(fixture) { texts in
            let (source, sources) = Self.onlySource(texts)
            let (document, diagnostics) = Parser.parseDocument(source)
            return Outcome(diagnostics, sources) { diagnostics.isEmpty ? Printer.print(document) : $0 }
        }
        #expect(problems == [])
    }

    @Test(arguments: Fixture.all(in: "printer"))
    func printerWritesBothStyles(_ fixture: Fixture) throws {
        let problems = try FixtureRunner.check(fixture) { texts in
            let (source, sources) = Self.onlySource(texts)
            let (document, diagnostics) = Parser.parseDocument(source)
            let text = Printer.print(document) + "\n" + Printer.print(document, .compact) + "\n"
            return Outcome(diagnostics, sources) { _ in text }
        }
        #expect(problems == [])
    }

    /// The first text of an input. The lexer and the parser read one text.
    private static func onlySource(_ texts: [Fixture.Text]) -> (SourceFile, SourceSet) {
        var sources = SourceSet()
        return (sources.add(path: "document.graphql", bytes: texts.first?.bytes ?? []), sources)
    }

    /// Every text of the front end that parses is printed and parsed again, in both styles, and gives an equal tree.
    @Test(arguments: FixtureFolder.frontEnd.flatMap(\.topics))
    func printedTreesParseToEqualTrees(_ topic: String) throws {
        for fixture in Fixture.all(in: topic) {
            for text in try fixture.inputs().flatMap(\.texts) {
                let source = SourceFile(id: .predeclared, path: text.name, bytes: text.bytes)
                let (document, diagnostics) = Parser.parseDocument(source)
                if diagnostics.hasErrors { continue }
                for style in [Printer.Style.pretty, .compact] {
                    let printed = Printer.print(document, style)
                    let again = Parser.parseDocument(
                        SourceFile(id: .predeclared, path: text.name, bytes: Array(printed.utf8))
                    )
                    #expect(again.diagnostics.isEmpty, "\(fixture) printed as:\n\(printed)")
                    #expect(again.document == document, "\(fixture) printed as:\n\(printed)")
                }
            }
        }
    }

    @Test(.disabled(if: FixtureRunner.isRecording, "recording writes files beside the fixtures"))
    func everyFixtureFileIsClaimed() throws {
        #expect(try FixtureFolder.syntax.unclaimedFiles() == [])
    }
}
