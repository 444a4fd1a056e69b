import BatonCodegen
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms
import BatonValidation

/// The schema and documents that a `Compiler` loaded, and the stages that lead from them to generated files.
///
/// No stage reads or writes files.
package struct Compilation: Sendable {
    package let schema: Schema
    package let documents: [LoadedDocument]
    /// Whether documents can be validated against the schema.
    package internal(set) var isSchemaUsable = true
    /// Whether the documents belong to a project, so that Swift is generated for them.
    var isProject = true
    /// Converts the path of a source to its path in artifacts.
    var artifactPath: @Sendable (String) -> String = { $0 }
    /// The layout of the texts that are sent.
    package var layout = OperationTextPrinter.Layout.lines
    /// The number of definitions that a worker generates at a time, about.
    var shareSize = Int.max
    /// Whether a document of the project uses a directive that is Relay's alone, if these are not all documents.
    package var projectUsesRelay: Bool?
    private let sources: SourceSet
    let workers: Workers

    init(schema: Schema, documents: [LoadedDocument], sources: SourceSet, workers: Workers) {
        self.schema = schema
        self.documents = documents
        self.sources = sources
        self.workers = workers
    }

    /// Returns all mistakes in the documents, in no order. `ownRules` is the severity of violations of Baton's own
    /// rules. `sendsLabels` is false if the labels of `@defer` and `@stream` are not sent as they are written, because
    /// the compiler puts the names of definitions before them, as it does for Relay's documents.
    package func validate(ownRules: Severity = .error, sendsLabels: Bool = false) -> [Diagnostic] {
        let usesRelay = projectUsesRelay ?? usesRelay
        let settings = ValidationSettings(labelScope: sendsLabels && !usesRelay ? .operation : .definition)
        let found = Validator.validate(documents.map(\.document), schema, settings: settings, workers: workers)
        // A root field that the specification's rule on subscriptions refuses is not reported again by Baton's rule.
        let refused = Set(found.lazy.filter { $0.id == .subscriptionRoot }.map(\.span))
        let own = DocumentRules.check(
            documents, schema, severity: ownRules, usesRelay: usesRelay, refusedRoots: refused, workers)
        return own + NamingRule.naming(found, in: documents)
    }

    /// The mistakes in the use of Relay's directives, for valid documents. They include mistakes that show only in the
    /// texts of requests.
    func judge() -> [Diagnostic] {
        let (mistakes, texts) = Pipeline.judge(program())
        // Other refusals of a text are reported when artifacts are made from the text.
        return mistakes + SentTexts.check(texts, schema, workers, reporting: .conflicts)
    }

    /// The documents with every name resolved; the documents must be valid.
    package func program() -> Program {
        var builder = ProgramBuilder(schema: schema)
        for loaded in documents { builder.add(loaded.document, path: artifactPath(loaded.source.path)) }
        return builder.build()
    }

    /// The text of the request for an operation.
    package struct SentText: Sendable {
        package let name: String
        package let kind: OperationKind
        package let text: String
    }

    /// The names of all operations, in document order.
    package var operationNames: [String] { program().operationNames }

    /// The text of the request for each operation, in document order; no texts if a stage reports an error. An
    /// operation with only client fields has no text.
    ///
    /// - Parameter names: Limits the stages to these operations and to their fragments; nil for all operations.
    package func operationTexts(
        named names: Set<String>? = nil
    ) -> (texts: [SentText], diagnostics: [Diagnostic]) {
        let program = program()
        var pipeline = Pipeline(names.map(program.limited) ?? program)
        if pipeline.diagnostics.hasErrors { return ([], pipeline.diagnostics) }
        // Fragments that the named operations reach may add queries of their own.
        let operations = pipeline.operations().filter { names?.contains($0.operation.name) ?? true }
        if pipeline.diagnostics.hasErrors { return ([], pipeline.diagnostics) }
        let refused = SentTexts.check(operations.map(\.text), schema, workers)
        if !refused.isEmpty { return ([], pipeline.diagnostics + refused) }
        var printer = OperationTextPrinter(schema: schema, layout: layout)
        let texts = operations.filter { !$0.text.isEmpty }.map { compiled in
            SentText(
                name: compiled.operation.name, kind: compiled.operation.kind, text: printer.print(compiled.text))
        }
        return (texts, pipeline.diagnostics)
    }

    /// The names of the queries that read and write the store alone.
    package var updatableQueries: Set<String> {
        Set(
            documents.flatMap(\.document.definitions).compactMap { definition in
                guard case .operation(let operation) = definition,
                    operation.directives.contains(where: { $0.name.text == "updatable" })
                else { return nil }
                return operation.name?.text
            })
    }

    /// A part of a project to generate, in documents that have this part and what it reaches.
    package struct Part: Sendable {
        package var wanted: DefinitionNames
        /// The other definitions of the project.
        package var standing: StandingDefinitions

        package init(wanted: DefinitionNames, standing: StandingDefinitions) {
            self.wanted = wanted
            self.standing = standing
        }
    }

    /// What was generated.
    package struct Generation: Sendable {
        /// No files if a stage reports an error.
        package var files: [GeneratedFile] = []
        /// The texts that have ids, by their ids.
        package var texts: [String: String] = [:]
        package var diagnostics: [Diagnostic] = []
        /// The names of the types of the schema that the files of each definition use.
        package var usedTypes: [GeneratedFile.Owner: [String]] = [:]
        /// Whether a type has another name than it wants.
        package var hasRenamedTypes = false
        /// The number of shares in which a large project was generated; 1 for a project that was generated as a whole.
        package var shares = 1
        /// The places at which the reader of a fragment depends on the operations that reach it.
        package var emptied: Set<Span> = []
    }

    /// Generates valid documents, or a part of them.
    package func generate(
        _ options: GenerationOptions, ageLimits: AgeLimits = AgeLimits(), part: Part? = nil
    ) -> Generation {
        let program = program()
        if part == nil, let shares = GenerationShares(program, documents, options, size: shareSize),
            let whole = shares.generate(
                workers,
                { program, wanted in
                    generate(program, options, ageLimits, Part(wanted: wanted, standing: StandingDefinitions()), .one)
                })
        {
            return whole
        }
        return generate(program, options, ageLimits, part, workers)
    }

    private func generate(
        _ program: Program, _ options: GenerationOptions, _ ageLimits: AgeLimits, _ part: Part?, _ workers: Workers
    ) -> Generation {
        var pipeline = Pipeline(program, ageLimits: ageLimits, wanted: part?.wanted)
        if pipeline.diagnostics.hasErrors { return Generation(diagnostics: pipeline.diagnostics) }
        let fragments = pipeline.fragments(workers)
        let operations = pipeline.operations(workers)
        if pipeline.diagnostics.hasErrors { return Generation(diagnostics: pipeline.diagnostics) }
        let refused = SentTexts.check(operations.map(\.text), schema, workers)
        if !refused.isEmpty { return Generation(diagnostics: pipeline.diagnostics + refused) }
        let sources = sources
        let artifactPath = artifactPath
        var generator = CodeGenerator(
            schema: schema, options: options, workers: workers,
            bytesOfSource: { span in sources[span.source].flatMap { $0.derivation == nil ? $0.bytes : nil } },
            pathOfSource: { span in sources[span.source].map { artifactPath($0.path) } })
        let updatableQueries = pipeline.updatableQueries()
        let files = generator.generate(
            pipeline.program, operations: operations, updatableQueries: updatableQueries,
            fragments: fragments, standing: part?.standing ?? StandingDefinitions())
        return Generation(
            files: files, texts: generator.texts, diagnostics: pipeline.diagnostics + generator.diagnostics,
            usedTypes: generator.usedTypes, hasRenamedTypes: generator.hasRenamedTypes, emptied: pipeline.emptied)
    }
}
