import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonValidation
import FixtureSupport
import Testing

@Suite struct PublicDocumentTests {
    /// The whole corpus is validated together, with each error counted for its file.
    @Test(arguments: Corpus.all)
    func publicDocumentsGetTheExpectedVerdicts(_ corpus: Corpus) throws {
        var sources = SourceSet()
        let schema = SchemaBuilder.build([try corpus.schemaDocument(into: &sources).document]).schema
        let files = try corpus.documents(into: &sources)
        let clock = ContinuousClock()
        var documents: [Document] = []
        var diagnostics: [Diagnostic] = []
        let parsing = clock.measure {
            for file in files {
                let parsed = Parser.parseDocument(file)
                documents.append(parsed.document)
                diagnostics += parsed.diagnostics
            }
        }
        let validating = clock.measure { diagnostics += Validator.validate(documents, schema) }
        var renderer = TextRenderer(sources: sources)
        let verdicts = try corpus.verdicts()
        var wrong = 0
        for file in files {
            let errors = diagnostics.filter { $0.span.source == file.id && $0.severity == .error }
            guard let isValid = verdicts[file.path], isValid != errors.isEmpty else { continue }
            wrong += 1
            Issue.record("\(corpus.name)/\(file.path) is \(isValid ? "valid" : "invalid")\n\(renderer.render(errors))")
        }
        #expect(wrong == 0)
        print("\(corpus.name): \(files.count) documents, parsed in \(parsing), validated in \(validating)")
    }
}
