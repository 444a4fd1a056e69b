import BatonDiagnostics
import BatonSchema
import BatonSyntax
import FixtureSupport
import Testing

@Suite struct SchemaFixtureTests {
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

    @Test(.disabled(if: FixtureRunner.isRecording, "recording writes files beside the fixtures"))
    func everyFixtureFileIsClaimed() throws {
        #expect(try FixtureFolder.schema.unclaimedFiles() == [])
    }
}
