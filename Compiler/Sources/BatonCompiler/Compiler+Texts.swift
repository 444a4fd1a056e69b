import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The stages over texts in memory; they return their diagnostics instead of collecting them.
extension Compiler {
    /// A schema and the diagnostics about it.
    package struct SchemaResult: Sendable {
        package var schema: Schema
        package var diagnostics: [Diagnostic]
        /// Whether documents can be validated against the schema.
        ///
        /// This is false if the schema has an error, because the error would appear again in each document. An error
        /// that the levels lower to a warning does not count.
        /// the levels lower to a warning does not count.
        package var isUsable: Bool
    }

    /// Reads a schema from texts in SDL or from answers to the introspection query.
    ///
    /// A text that begins with a brace is an answer. If a text cannot be parsed to its end, the builder reports no
    /// missing parts. A file of extensions may be empty.
    ///
    /// The levels determine `isUsable`; they are not applied to the diagnostics.
    package func loadSchema(
        _ files: [SourceFile],
        extensions: [SourceFile] = [],
        names: SchemaNames = SchemaNames(),
        levels: WarningLevels = WarningLevels()
    ) -> SchemaResult {
        var diagnostics: [Diagnostic] = []
        var answers: Set<SourceID> = []
        func parse(_ file: SourceFile, mayBeEmpty: Bool) -> Document {
            let isJSON = IntrospectionReader.recognizes(file)
            if isJSON { answers.insert(file.id) }
            let (document, found) =
                isJSON
                ? IntrospectionReader.read(file)
                : Parser.parseDocument(file, limits: limits, mayBeEmpty: mayBeEmpty)
            diagnostics += found
            return document
        }
        let documents = files.map { parse($0, mayBeEmpty: false) }
        let extensionDocuments = extensions.map { parse($0, mayBeEmpty: true) }
        let (schema, found) = SchemaBuilder.build(
            documents, extensions: extensionDocuments, names: names, isWhole: !diagnostics.hasErrors)
        diagnostics += found
        // The fixes are in GraphQL, and introspection answers are not edited by hand.
        for index in diagnostics.indices where answers.contains(diagnostics[index].span.source) {
            diagnostics[index].fix = nil
        }
        return SchemaResult(
            schema: schema,
            diagnostics: diagnostics.sortedByPosition(),
            isUsable: !diagnostics.contains { $0.severity == .error && !levels.lower($0) }
        )
    }

    /// Parses GraphQL and Swift sources into documents, one for each text or literal, and checks names in Swift
    /// sources.
    package mutating func parse(_ files: [SourceFile]) -> (documents: [LoadedDocument], diagnostics: [Diagnostic]) {
        var loader = DocumentLoader(limits: limits, workers: workers)
        loader.load(files, into: &sources, known: &knownTexts)
        return (loader.documents, loader.diagnostics + NamingRule.check(loader.documents))
    }

    package func compilation(schema: Schema, documents: [LoadedDocument]) -> Compilation {
        var compilation = Compilation(schema: schema, documents: documents, sources: sources, workers: workers)
        compilation.shareSize = shareSize
        return compilation
    }

    // MARK: - All stages

    /// The artifacts of all stages, with the diagnostics.
    package struct Result: Sendable {
        /// The files; empty if there are errors.
        package var files: [GeneratedFile]
        /// The diagnostics, sorted by position.
        package var diagnostics: [Diagnostic]
    }

    /// Parses, validates and generates. Every stage that can run reports its diagnostics. After an error there are no
    /// files.
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
