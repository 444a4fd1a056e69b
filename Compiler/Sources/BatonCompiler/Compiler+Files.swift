import BatonDiagnostics
import BatonSyntax

/// The reading of a project's files.
extension Compiler {
    /// Reads a configuration file. Reports an error in the file, and returns nil.
    package mutating func readConfiguration(_ path: AbsolutePath) -> Configuration? {
        let bytes: [UInt8]
        do {
            bytes = try InputFile.readText(path)
        } catch {
            report([
                Diagnostic(
                    .configurationFile,
                    "the configuration '\(displayed(path))' \(error.reason)",
                    at: .none
                )
            ])
            return nil
        }
        let file = addSource(path: displayed(path), bytes: bytes)
        let (configuration, found) = Configuration.read(file, directory: path.parent)
        report(found)
        levels = configuration.warnings.overridden(by: overrides.warnings)
        limits = overrides.limits(over: configuration.limits)
        return found.hasErrors ? nil : configuration
    }

    /// Reads schema and documents, and reports all mistakes in them. A broken schema or document still gives a result.
    package mutating func load(_ inputs: ProjectInputs) -> Compilation {
        var schemaPaths: Set<AbsolutePath> = []
        let before = collected.count
        let finder = FileFinder(base: inputs.base, extensions: ["graphql", "graphqls", "gql", "json"])
        let schemaFiles = read(inputs.schema, with: finder, emptiness: .isWithoutSchema, paths: &schemaPaths)
        let extensionFiles = read(
            inputs.schemaExtensions,
            with: finder,
            emptiness: inputs.isProject ? .isOdd : .isAMistake,
            paths: &schemaPaths
        )
        let isComplete = !collected[before...].hasErrors && !schemaFiles.isEmpty
        var isUsable = isComplete
        let result = loadSchema(schemaFiles, extensions: extensionFiles, names: inputs.names, levels: levels)
        // Without schema files, the missing query type is not reported as a second error.
        if !schemaFiles.isEmpty { report(result.diagnostics) }
        isUsable = isComplete && result.isUsable

        let leftOut = inputs.leftOut
        let documentFinder = FileFinder(base: inputs.base, extensions: ["graphql", "gql", "swift"]) { path in
            schemaPaths.contains(InputFile.identity(of: path)) || leftOut(path)
        }
        var documentPaths: Set<AbsolutePath> = []
        let beforeDocuments = collected.count
        let documentFiles = read(
            inputs.documents,
            with: documentFinder,
            emptiness: !inputs.isProject ? .isAMistake : inputs.areDocumentsChosen ? .isOdd : .isFine,
            paths: &documentPaths
        )
        let (documents, found) = parse(documentFiles)
        report(found)
        if !documents.isEmpty { serverSources = Set(schemaFiles.map(\.id)) }
        if documents.isEmpty, !inputs.documents.isEmpty, collected.count == beforeDocuments {
            report([
                Diagnostic(
                    .patternUnmatched,
                    severity: .warning,
                    "there is no operation and no fragment in the documents",
                    at: .none,
                    suggestion: "write one in a .graphql file, or in a Swift file as graphql(\"query ...\")"
                )
            ])
        }
        var compilation = compilation(schema: result.schema, documents: documents)
        compilation.isSchemaUsable = isUsable
        compilation.isProject = inputs.isProject
        compilation.layout = inputs.layout
        return compilation
    }

    /// The severity of a pattern or folder that matches no file.
    private enum Emptiness {
        case isFine
        case isOdd
        case isAMistake
        /// The entry names the schema, which must exist.
        case isWithoutSchema
    }

    private mutating func read(
        _ entries: [Configuration.Entry],
        with finder: FileFinder,
        emptiness: Emptiness,
        paths: inout Set<AbsolutePath>
    ) -> [SourceFile] {
        // Each file is read once, even if several paths and links lead to it.
        var found: Set<AbsolutePath> = []
        for entry in entries {
            switch finder.find(entry.text) {
            case .files(let files):
                found.formUnion(files)
                if files.isEmpty {
                    let isFile = FileKind(at: AbsolutePath(entry.text, relativeTo: finder.base)) == .file
                    reportEmpty(entry, emptiness, isLeftOut: isFile)
                }
            case .notFound:
                let advice = emptiness == .isWithoutSchema ? Self.schemaAdvice : nil
                report([
                    Diagnostic(.fileNotFound, "'\(entry.text)' does not exist", at: entry.span, suggestion: advice)
                ])
            case .invalid(let mistake):
                report([Diagnostic(.patternInvalid, mistake.message, at: entry.span)])
            }
        }
        var files: [SourceFile] = []
        for path in found.sorted() where paths.insert(InputFile.identity(of: path)).inserted {
            do {
                let bytes = try InputFile.readText(path)
                files.append(addSource(path: displayed(path), bytes: bytes))
            } catch {
                let file = addSource(path: displayed(path), bytes: [])
                report([Diagnostic(.fileUnreadable, "'\(displayed(path))' \(error.reason)", at: file.span)])
            }
        }
        return files
    }

    private mutating func reportEmpty(_ entry: Configuration.Entry, _ emptiness: Emptiness, isLeftOut: Bool) {
        switch emptiness {
        case .isFine: break
        case .isOdd, .isAMistake:
            report([
                Diagnostic(
                    .patternUnmatched,
                    severity: emptiness == .isOdd ? .warning : .error,
                    isLeftOut ? "'\(entry.text)' is left out of the documents" : "'\(entry.text)' finds no file",
                    at: entry.span,
                    suggestion: isLeftOut ? "it is part of the schema, of the output, or excluded" : nil
                )
            ])
        case .isWithoutSchema:
            report([
                Diagnostic(
                    .fileNotFound, "'\(entry.text)' finds no schema", at: entry.span, suggestion: Self.schemaAdvice)
            ])
        }
    }

    /// Advice on how to get a schema.
    private static let schemaAdvice =
        "put the server's schema there, in SDL or as the answer to the introspection query; the guide "
        + "'Compiling documents' says how to ask a server for it"
}
