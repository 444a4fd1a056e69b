import BatonDiagnostics
import BatonSchema
import BatonSyntax
import FixtureSupport
import Foundation
import Testing

extension Fixture {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")

    static func all(in topic: String) -> [Fixture] { all(in: topic, of: root) }
}

@Suite struct SyntaxFixtureTests {
    /// All folders of fixtures; a folder or file that is not claimed here fails.
    static let topics = ["lexer", "parser", "printer", "schema"]

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

    @Test(arguments: Fixture.all(in: "schema"))
    func builderGivesTheExpectedSchema(_ fixture: Fixture) throws {
        let problems = try FixtureRunner.check(fixture) { texts in
            var sources = SourceSet()
            var documents: [Document] = []
            var extensions: [Document] = []
            var diagnostics: [Diagnostic] = []
            for text in texts {
                let parsed = Parser.parseDocument(sources.add(path: text.name, bytes: text.bytes))
                diagnostics += parsed.diagnostics
                if text.name.hasPrefix("extension") {
                    extensions.append(parsed.document)
                } else {
                    documents.append(parsed.document)
                }
            }
            let built = SchemaBuilder.build(documents, extensions: extensions)
            diagnostics += built.diagnostics
            return Outcome(diagnostics.sortedByPosition(), sources) { rendered in
                diagnostics.hasErrors ? rendered : Self.text(of: built.schema, rendered)
            }
        }
        #expect(problems == [])
    }

    /// The first text of an input; lexer and parser look at one.
    private static func onlySource(_ texts: [Fixture.Text]) -> (SourceFile, SourceSet) {
        var sources = SourceSet()
        return (sources.add(path: "document.graphql", bytes: texts.first?.bytes ?? []), sources)
    }

    private static func text(of schema: Schema, _ rendered: String) -> String {
        var text = Printer.print(schema.document) + rendered
        for type in schema.types where !type.isPredeclared && type.isAbstract {
            let names = schema.possibleTypes(of: type).map(\.name).joined(separator: ", ")
            text += "possible types of \(type.name): \(names)\n"
        }
        for type in schema.types where !type.isPredeclared {
            if type.isClientOnly { text += "client only: \(type.name)\n" }
            for field in type.fields where field.isClientOnly && !type.isClientOnly {
                text += "client only: \(type.name).\(field.name)\n"
            }
        }
        return text
    }

    /// Every text that parses is printed and parsed again, in both styles, and gives an equal tree.
    @Test(arguments: topics + ValidationFixtureTests.topics)
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
        let known = Set(Self.topics + ValidationFixtureTests.topics)
        let folders = try #require(FileManager.default.enumerator(at: Fixture.root, includingPropertiesForKeys: nil))
        for case let url as URL in folders {
            if url.standardizedFileURL == ValidationFixtureTests.schemaURL.standardizedFileURL { continue }
            if url.hasDirectoryPath || url.lastPathComponent == ".gitkeep" { continue }
            let folder = url.deletingLastPathComponent().path
            let topic = String(folder.dropFirst(Fixture.root.path.count + 1))
            if topic == "crashes" { continue }
            #expect(known.contains(topic), "nothing claims \(url.path)")
            let hasPartner =
                url.pathExtension == "graphql"
                || url.pathExtension == "expected"
                    && FileManager.default.fileExists(
                        atPath: url.deletingPathExtension().appendingPathExtension("graphql").path
                    )
            #expect(hasPartner, "nothing claims \(url.path)")
        }
    }
}
