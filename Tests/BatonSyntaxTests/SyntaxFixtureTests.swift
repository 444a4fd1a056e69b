import BatonDiagnostics
import BatonSchema
import BatonSyntax
import Foundation
import Testing

@Suite struct SyntaxFixtureTests {
    /// All folders of fixtures; a folder or file that is not claimed here fails.
    static let topics = ["lexer", "parser", "printer", "schema"]

    @Test(arguments: Fixture.all(in: "lexer"))
    func lexerGivesTheExpectedTokens(_ fixture: Fixture) throws {
        var sources = SourceSet()
        let source = sources.add(path: "document.graphql", bytes: try fixture.bytes())
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
        var renderer = TextRenderer(sources: sources)
        output += renderer.render(lexer.diagnostics.sortedByPosition())
        try FixtureRunner.check(fixture, Outcome(hasErrors: lexer.diagnostics.hasErrors, text: output))
    }

    @Test(arguments: Fixture.all(in: "parser"))
    func parserGivesTheExpectedTree(_ fixture: Fixture) throws {
        var sources = SourceSet()
        let source = sources.add(path: "document.graphql", bytes: try fixture.bytes())
        let (document, diagnostics) = Parser.parseDocument(source)
        var renderer = TextRenderer(sources: sources)
        let text = diagnostics.isEmpty ? Printer.print(document) : renderer.render(diagnostics)
        try FixtureRunner.check(fixture, Outcome(hasErrors: diagnostics.hasErrors, text: text))
    }

    @Test(arguments: Fixture.all(in: "printer"))
    func printerWritesBothStyles(_ fixture: Fixture) throws {
        var sources = SourceSet()
        let source = sources.add(path: "document.graphql", bytes: try fixture.bytes())
        let (document, diagnostics) = Parser.parseDocument(source)
        let text = Printer.print(document) + "\n" + Printer.print(document, .compact) + "\n"
        try FixtureRunner.check(fixture, Outcome(hasErrors: diagnostics.hasErrors, text: text))
    }

    @Test(arguments: Fixture.all(in: "schema"))
    func builderGivesTheExpectedSchema(_ fixture: Fixture) throws {
        var sources = SourceSet()
        var documents: [Document] = []
        var extensions: [Document] = []
        var diagnostics: [Diagnostic] = []
        for (name, bytes) in try fixture.texts() {
            let parsed = Parser.parseDocument(sources.add(path: name, bytes: bytes))
            diagnostics += parsed.diagnostics
            if name.hasPrefix("extension") {
                extensions.append(parsed.document)
            } else {
                documents.append(parsed.document)
            }
        }
        let built = SchemaBuilder.build(documents, extensions: extensions)
        diagnostics += built.diagnostics
        var renderer = TextRenderer(sources: sources)
        var text = renderer.render(diagnostics.sortedByPosition())
        if !diagnostics.hasErrors {
            text = Printer.print(built.schema.document) + text
            for type in built.schema.types where !type.isPredeclared && type.isAbstract {
                let names = built.schema.possibleTypes(of: type).map(\.name).joined(separator: ", ")
                text += "possible types of \(type.name): \(names)\n"
            }
            for type in built.schema.types where !type.isPredeclared {
                if type.isClientOnly { text += "client only: \(type.name)\n" }
                for field in type.fields where field.isClientOnly && !type.isClientOnly {
                    text += "client only: \(type.name).\(field.name)\n"
                }
            }
        }
        try FixtureRunner.check(fixture, Outcome(hasErrors: diagnostics.hasErrors, text: text))
    }

    /// Every text that parses is printed and parsed again, in both styles, and gives an equal tree.
    @Test(arguments: topics + ValidationFixtureTests.topics)
    func printedTreesParseToEqualTrees(_ topic: String) throws {
        for fixture in Fixture.all(in: topic) {
            for (name, bytes) in try fixture.texts() {
                let source = SourceFile(id: .predeclared, path: name, bytes: bytes)
                let (document, diagnostics) = Parser.parseDocument(source)
                if diagnostics.hasErrors { continue }
                for style in [Printer.Style.pretty, .compact] {
                    let printed = Printer.print(document, style)
                    let again = Parser.parseDocument(
                        SourceFile(id: .predeclared, path: name, bytes: Array(printed.utf8))
                    )
                    #expect(again.diagnostics.isEmpty, "\(fixture.testDescription) printed as:\n\(printed)")
                    #expect(again.document == document, "\(fixture.testDescription) printed as:\n\(printed)")
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
