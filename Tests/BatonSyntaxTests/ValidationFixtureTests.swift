import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonValidation
import Foundation
import Testing

@Suite struct ValidationFixtureTests {
    /// One folder for each rule.
    static let topics: [String] = {
        let folder = Fixture.root.appendingPathComponent("validation")
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).filter(\.hasDirectoryPath).map { "validation/" + $0.lastPathComponent }.sorted()
    }()

    static let schemaURL = Fixture.root.appendingPathComponent("validation/schema.graphql")
    static let schemaText = Result { Array(try Data(contentsOf: schemaURL)) }

    /// The texts of a fixture as a program: `schema...` replaces the shared schema, `extension...` extends it.
    static func validate(
        _ texts: [(name: String, bytes: [UInt8])]
    ) throws -> (diagnostics: [Diagnostic], sources: SourceSet) {
        var sources = SourceSet()
        var documents: [Document] = []
        var schemas: [Document] = []
        var extensions: [Document] = []
        var diagnostics: [Diagnostic] = []
        for (name, bytes) in texts {
            let parsed = Parser.parseDocument(sources.add(path: name, bytes: bytes))
            diagnostics += parsed.diagnostics
            if name.hasPrefix("schema") {
                schemas.append(parsed.document)
            } else if name.hasPrefix("extension") {
                extensions.append(parsed.document)
            } else {
                documents.append(parsed.document)
            }
        }
        if schemas.isEmpty {
            let source = sources.add(path: "schema.graphql", bytes: try schemaText.get())
            schemas = [Parser.parseDocument(source).document]
        }
        let built = SchemaBuilder.build(schemas, extensions: extensions)
        diagnostics += built.diagnostics
        diagnostics += Validator.validate(documents, built.schema)
        return (diagnostics.sortedByPosition(), sources)
    }

    @Test(arguments: topics.flatMap(Fixture.all))
    func validatorSaysWhatIsExpected(_ fixture: Fixture) throws {
        let (diagnostics, sources) = try Self.validate(try fixture.texts())
        var renderer = TextRenderer(sources: sources)
        let text = diagnostics.isEmpty ? "valid\n" : renderer.render(diagnostics)
        try FixtureRunner.check(fixture, Outcome(hasErrors: diagnostics.hasErrors, text: text))
    }
}
