import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The stages over texts in memory; what they find is given back, not collected.
extension Compiler {
    /// A schema and what was said about it.
    package struct SchemaResult: Sendable {
        package var schema: Schema
        package var diagnostics: [Diagnostic]
        /// Whether documents can be validated against it: what is wrong in a schema would be wrong in each of them.
        /// What the levels lower is no hindrance.
        package var isUsable: Bool
    }

    /// Reads the schema from texts in SDL, or from answers to the introspection query, which begin with a brace. Where
    /// a text cannot be read to the end, nothing is said about what may only be missing. The levels decide what is
    /// usable; they are not applied to the diagnostics.
    package func loadSchema(
        _ files: [SourceFile],
        extensions: [SourceFile] = [],
        levels: WarningLevels = WarningLevels()
    ) -> SchemaResult {
        var diagnostics: [Diagnostic] = []
        var answers: Set<SourceID> = []
        func parse(_ file: SourceFile) -> Document {
            let isJSON = IntrospectionReader.recognizes(file)
            if isJSON { answers.insert(file.id) }
            let (document, found) = isJSON ? IntrospectionReader.read(file) : Parser.parseDocument(file, limits: limits)
            diagnostics += found
            return document
        }
        let documents = files.map(parse)
        let extensionDocuments = extensions.map(parse)
        let isWhole = !diagnostics.hasErrors
        let (schema, found) = SchemaBuilder.build(documents, extensions: extensionDocuments)
        // What could not be read is missing everywhere, which is no news.
        diagnostics += isWhole ? found : found.filter { !Self.absences.contains($0.id) }
        // Replacements are in GraphQL, and nobody edits an answer.
        for index in diagnostics.indices where answers.contains(diagnostics[index].span.source) {
            diagnostics[index].fix = nil
        }
        return SchemaResult(
            schema: schema,
            diagnostics: diagnostics.sortedByPosition(),
            isUsable: !diagnostics.contains { $0.severity == .error && !levels.lower($0) }
        )
    }

    /// What is reported of a schema when a part of it is missing.
    private static let absences: Set<DiagnosticID> = [
        .emptyType, .interfaceArgument, .missingArgument, .missingInterface, .missingInterfaceField, .missingQueryType,
        .unknownArgument, .unknownEnumValue, .unknownInputField, .unknownSchemaDirective, .unknownType,
    ]

    /// Reads documents from GraphQL and Swift sources, one for each text or literal, and checks names in Swift sources.
    package mutating func parse(_ files: [SourceFile]) -> (documents: [LoadedDocument], diagnostics: [Diagnostic]) {
        var loader = DocumentLoader(limits: limits, workers: workers)
        loader.load(files, into: &sources)
        return (loader.documents, loader.diagnostics + NamingRule.check(loader.documents))
    }

    /// Puts a schema and documents together.
    package func compilation(schema: Schema, documents: [LoadedDocument]) -> Compilation {
        Compilation(schema: schema, documents: documents, sources: sources, workers: workers)
    }

    // MARK: - The whole

    /// Artifacts, or what keeps them from being made.
    package struct Result: Sendable {
        /// Empty if there are errors.
        package var files: [GeneratedFile]
        /// Sorted by position.
        package var diagnostics: [Diagnostic]
    }

    /// Parses, validates and generates; all stages that can run report, and with an error there are no files.
    package mutating func compile(
        schema: Schema,
        documents files: [SourceFile],
        options: GenerationOptions = GenerationOptions()
    ) -> Result {
        let (documents, found) = parse(files)
        let compilation = compilation(schema: schema, documents: documents)
        var diagnostics = found + compilation.validate()
        var artifacts: [GeneratedFile] = []
        if !diagnostics.hasErrors {
            let result = compilation.generate(options)
            diagnostics += result.diagnostics
            if !diagnostics.hasErrors { artifacts = result.files }
        }
        return Result(files: artifacts, diagnostics: sorted(diagnostics))
    }
}
