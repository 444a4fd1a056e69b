import BatonDiagnostics
import BatonSchema
import BatonSyntax
import FixtureSupport
import Testing

@Suite struct PublicSchemaTests {
    @Test(arguments: Corpus.all)
    func publicSchemasLoadWithoutErrors(_ corpus: Corpus) throws {
        var sources = SourceSet()
        let clock = ContinuousClock()
        var parsed: (document: Document, diagnostics: [Diagnostic]) = (Document(definitions: []), [])
        let parsing = try clock.measure { parsed = try corpus.schemaDocument(into: &sources) }
        var built = SchemaBuilder.build([])
        let building = clock.measure { built = SchemaBuilder.build([parsed.document]) }
        let diagnostics = parsed.diagnostics + built.diagnostics
        var renderer = TextRenderer(sources: sources)
        #expect(!diagnostics.hasErrors, "\(renderer.render(diagnostics.filter { $0.severity == .error }))")
        #expect(built.schema.queryType != nil)
        print("\(corpus.name): \(built.schema.types.count) types, parsed in \(parsing), built in \(building)")
    }
}
