import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonValidation
import FixtureSupport
import Foundation
import Testing

@Suite struct ValidationFixtureTests {
    static let schemaURL = FixtureFolder.validation.url.appendingPathComponent("validation/schema.graphql")
    /// The schema of fixtures without a schema of their own. It is built once, and its source is the first of every
    /// set.
    static let sharedSchema = Result {
        let bytes = Array(try Data(contentsOf: schemaURL))
        var sources = SourceSet()
        let document = Parser.parseDocument(sources.add(path: "schema.graphql", bytes: bytes)).document
        return (bytes: bytes, document: document, schema: SchemaBuilder.build([document]).schema)
    }

    /// The texts of a fixture as a program: `schema...` replaces the shared schema, `extension...` extends it.
    static func validate(
        _ texts: [Fixture.Text]
    ) throws -> (diagnostics: [Diagnostic], sources: SourceSet) {
        let shared = try sharedSchema.get()
        var sources = SourceSet()
        _ = sources.add(path: "schema.graphql", bytes: shared.bytes)
        var documents: [Document] = []
        var schemas: [Document] = []
        var extensions: [Document] = []
        var diagnostics: [Diagnostic] = []
        for text in texts {
            let parsed = Parser.parseDocument(sources.add(path: text.name, bytes: text.bytes))
            diagnostics += parsed.diagnostics
            if text.name.hasPrefix("schema") {
                schemas.append(parsed.document)
            } else if text.name.hasPrefix("extension") {
                extensions.append(parsed.document)
            } else {
                documents.append(parsed.document)
            }
        }
        var schema = shared.schema
        if !schemas.isEmpty || !extensions.isEmpty {
            let built = SchemaBuilder.build(schemas.isEmpty ? [shared.document] : schemas, extensions: extensions)
            diagnostics += built.diagnostics
            schema = built.schema
        }
        diagnostics += Validator.validate(documents, schema)
        return (diagnostics.sortedByPosition(), sources)
    }

    /// An id without a fixture would have no test of its exact message. The ids of limits have other tests.
    @Test func everyIDHasAFixture() throws {
        let count = try FixtureCount(FixtureFolder.frontEnd)
        count.printAtExit()
        let limits = ["nesting-limit", "token-limit", "mistake-limit", "merging-limit", "fragment-limit"]
        let seen = Set(count.diagnostics.keys).union(limits)
        let all = DiagnosticID.syntaxIDs + DiagnosticID.schemaIDs + DiagnosticID.validationIDs
        #expect(Set(all.map(\.rawValue)).count == all.count)
        #expect(Set(all.map(\.rawValue)).symmetricDifference(seen).sorted() == [])
    }

    @Test(arguments: FixtureFolder.validation.fixtures)
    func validatorGivesTheExpectedDiagnostics(_ fixture: Fixture) throws {
        let problems = try FixtureRunner.check(fixture) { texts in
            let (diagnostics, sources) = try Self.validate(texts)
            return Outcome(diagnostics, sources) { diagnostics.isEmpty ? "valid\n" : $0 }
        }
        #expect(problems == [])
    }

    @Test(.disabled(if: FixtureRunner.isRecording, "recording writes files beside the fixtures"))
    func everyFixtureFileIsClaimed() throws {
        #expect(try FixtureFolder.validation.unclaimedFiles(besides: [Self.schemaURL, MutationTests.crashes]) == [])
    }
}
