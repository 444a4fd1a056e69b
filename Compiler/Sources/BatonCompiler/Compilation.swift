import BatonCodegen
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms
import BatonValidation

/// A schema with documents, from parsed text to generated files; touches no disk.
package struct Compilation {
    package let schema: Schema
    package let documents: [LoadedDocument]
    private let sources: SourceSet
    /// How artifacts spell the path of a source.
    private let artifactPath: @Sendable (String) -> String
    private let workers: Workers

    package init(
        schema: Schema,
        documents: [LoadedDocument],
        sources: SourceSet,
        workers: Workers = .all,
        artifactPath: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.schema = schema
        self.documents = documents
        self.sources = sources
        self.artifactPath = artifactPath
        self.workers = workers
    }

    /// Everything that is wrong with the documents, in no order; `ownRules` is how much it weighs if they break a rule that
    /// is Baton's alone.
    package func validate(ownRules: Severity = .error) -> [Diagnostic] {
        DocumentRules.check(documents, severity: ownRules, workers)
            + Validator.validate(documents.map(\.document), schema, workers: workers)
    }

    /// The documents with every name resolved; only what is valid is in it.
    package func program() -> Program {
        var builder = ProgramBuilder(schema: schema)
        for loaded in documents { builder.add(loaded.document, path: artifactPath(loaded.source.path)) }
        return builder.build()
    }

    /// The text that is sent for each operation, by name, in document order.
    package func operationTexts() -> [(name: String, kind: OperationKind, text: String)] {
        var pipeline = Pipeline(program())
        var printer = OperationTextPrinter(schema: schema)
        return pipeline.operations().map { compiled in
            (compiled.operation.name, compiled.operation.kind, printer.print(compiled.text))
        }
    }

    /// The generated files, for documents that are valid, and warnings; no files if there is an error after all.
    package func generate(
        _ options: GenerationOptions, ageLimits: AgeLimits = AgeLimits()
    ) -> (files: [GeneratedFile], diagnostics: [Diagnostic]) {
        let program = program()
        var pipeline = Pipeline(program, ageLimits: ageLimits)
        let fragments = pipeline.fragments()
        let operations = pipeline.operations()
        if pipeline.diagnostics.hasErrors { return ([], pipeline.diagnostics) }
        let sources = sources
        let artifactPath = artifactPath
        var generator = CodeGenerator(schema: schema, options: options, workers: workers) { span in
            sources[span.source].map { artifactPath($0.path) }
        }
        let files = generator.generate(program, operations: operations, fragments: fragments)
        return (files, pipeline.diagnostics + generator.diagnostics)
    }
}
