import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// One run of the compiler over files: reads configuration, schema and documents, and collects what is to be said.
///
/// Nothing here writes; `ArtifactPlan` does. Paths in diagnostics are relative to the working directory.
package struct Project {
    package let workingDirectory: AbsolutePath
    package private(set) var compiler: Compiler
    /// As the stages reported it; the levels of warnings are applied when it is asked for.
    private var collected: [Diagnostic] = []
    /// The server's schema, unless it is all there is: what documents are checked against and nobody here can change.
    package private(set) var serverSources: Set<SourceID> = []
    private let overrides: ProjectOverrides
    private var levels: WarningLevels

    package init(workingDirectory: AbsolutePath, overrides: ProjectOverrides = ProjectOverrides()) {
        self.workingDirectory = workingDirectory
        self.overrides = overrides
        levels = overrides.warnings
        compiler = Compiler(limits: overrides.limits())
    }

    /// All that was found so far, with the levels that were chosen for warnings, sorted by place.
    package var diagnostics: [Diagnostic] { compiler.sorted(levels.applied(to: collected)) }

    /// Whether anything that was found so far keeps artifacts from being made.
    package var hasErrors: Bool { levels.applied(to: collected).hasErrors }

    /// The texts that the diagnostics point into.
    package var sources: SourceSet { compiler.sources }

    /// Adds what a later stage found.
    package mutating func report(_ diagnostics: [Diagnostic]) {
        collected += diagnostics.map(Self.explainingLimits)
    }

    /// The parser knows its limits, but not where they are chosen.
    private static func explainingLimits(_ diagnostic: Diagnostic) -> Diagnostic {
        var diagnostic = diagnostic
        switch diagnostic.id {
        case .nestingLimit where diagnostic.suggestion == nil:
            let most = ParserLimits.nestingChoices.upperBound
            diagnostic.suggestion = "'limits.nesting' or '--max-nesting' can raise the limit to \(most)"
        case .tokenLimit where diagnostic.suggestion == nil:
            diagnostic.suggestion = "'limits.tokens' or '--max-tokens' can raise the limit"
        default: break
        }
        return diagnostic
    }

    /// A path as it is shown.
    package func displayed(_ path: AbsolutePath) -> String { path.displayed(in: workingDirectory) }

    // MARK: - Configuration

    /// The configuration in a file, or nil if anything in it is wrong.
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
        let file = compiler.addSource(path: displayed(path), bytes: bytes)
        let (configuration, found) = Configuration.read(file, directory: path.parent)
        report(found)
        levels = configuration.warnings.overridden(by: overrides.warnings)
        compiler.limits = overrides.limits(over: configuration.limits)
        return found.hasErrors ? nil : configuration
    }

    // MARK: - Sources

    /// What was read from files.
    package struct Input {
        package var schema: Schema
        package var documents: [LoadedDocument]
        /// Whether documents can be validated against the schema.
        package var isSchemaUsable: Bool
        /// Whether the documents are those of a project, for which Swift is made.
        package var isProject = true
    }

    /// Reads schema and documents, which may both be broken; what can be said about them was reported.
    package mutating func load(_ inputs: ProjectInputs) -> Input {
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
        let result = compiler.loadSchema(schemaFiles, extensions: extensionFiles, levels: levels)
        // Without any file the missing query type is no news.
        if !schemaFiles.isEmpty { report(result.diagnostics) }
        isUsable = isComplete && result.isUsable

        let globs = inputs.exclude.compactMap { try? Glob($0.text) }
        let output = inputs.output
        let base = inputs.base
        let documentFinder = FileFinder(base: base, extensions: ["graphql", "gql", "swift"]) { path in
            if schemaPaths.contains(InputFile.identity(of: path)) { return true }
            if let output, path.isInside(output) || FileKind(at: path.appending("baton.json")) == .file { return true }
            return globs.contains { $0.matches(path, relativeTo: base) }
        }
        var documentPaths: Set<AbsolutePath> = []
        let beforeDocuments = collected.count
        let documentFiles = read(
            inputs.documents,
            with: documentFinder,
            emptiness: !inputs.isProject ? .isAMistake : inputs.areDocumentsChosen ? .isOdd : .isFine,
            paths: &documentPaths
        )
        let (documents, found) = compiler.parse(documentFiles)
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
        return Input(
            schema: result.schema,
            documents: documents,
            isSchemaUsable: isUsable,
            isProject: inputs.isProject
        )
    }

    /// Validates what was loaded, as far as that can be done.
    ///
    /// Age limits are judged too where nothing is generated: `generate` reports its own.
    package mutating func validate(_ input: Input, ageLimits: [String: Configuration.AgeLimit] = [:]) {
        guard input.isSchemaUsable else { return }
        let compilation = compilation(input)
        report(compilation.validate(ownRules: input.isProject ? .error : .warning))
        report(compilation.ageLimits(ageLimits).diagnostics)
    }

    func compilation(_ input: Input, artifactPath: @escaping @Sendable (String) -> String = { $0 }) -> Compilation {
        Compilation(
            schema: input.schema,
            documents: input.documents,
            sources: compiler.sources,
            artifactPath: artifactPath
        )
    }

    /// What to say when a pattern or folder has no file.
    private enum Emptiness {
        case isFine
        case isOdd
        case isAMistake
        /// There must be a schema.
        case isWithoutSchema
    }

    private mutating func read(
        _ entries: [Configuration.Entry],
        with finder: FileFinder,
        emptiness: Emptiness,
        paths: inout Set<AbsolutePath>
    ) -> [SourceFile] {
        // A file is read once, however many paths and links lead to it.
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
                report([Diagnostic(.fileNotFound, "'\(entry.text)' does not exist", at: entry.span)])
            case .invalid(let mistake):
                report([Diagnostic(.patternInvalid, mistake.message, at: entry.span)])
            }
        }
        var files: [SourceFile] = []
        for path in found.sorted() where paths.insert(InputFile.identity(of: path)).inserted {
            do {
                let bytes = try InputFile.readText(path)
                files.append(compiler.addSource(path: displayed(path), bytes: bytes))
            } catch {
                let file = compiler.addSource(path: displayed(path), bytes: [])
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
            report([Diagnostic(.fileNotFound, "'\(entry.text)' finds no schema", at: entry.span)])
        }
    }

    // MARK: - Artifacts

    /// The artifacts, or nil if anything that was reported so far or is found now is an error.
    package mutating func generate(_ input: Input, _ configuration: Configuration) -> [GeneratedFile]? {
        reportUnknownScalars(configuration, input)
        let ageLimits = self.compilation(input).ageLimits(input.isSchemaUsable ? configuration.maxAge : [:])
        report(ageLimits.diagnostics)
        guard !hasErrors else { return nil }
        // Headers name sources relative to the configuration, so that artifacts do not depend on where the compiler is
        // run.
        let workingDirectory = workingDirectory
        let compilation = compilation(input) { path in
            AbsolutePath(path, relativeTo: workingDirectory).relative(to: configuration.directory)
        }
        let result = compilation.generate(options(configuration), ageLimits: ageLimits.limits)
        report(result.diagnostics)
        return hasErrors ? nil : result.files
    }

    private mutating func reportUnknownScalars(_ configuration: Configuration, _ input: Input) {
        guard input.isSchemaUsable else { return }
        let scalars = input.schema.types.filter { $0.kind == .scalar }
        let names = scalars.filter { !$0.isPredeclared }.map(\.name)
        for (name, scalar) in configuration.scalars where !scalars.contains(where: { $0.name == name }) {
            report([
                Diagnostic(
                    .unknownScalar,
                    severity: .warning,
                    "the schema has no scalar '\(name)'",
                    at: scalar.span,
                    suggestion: Spelling.question(for: name, among: names)
                )
            ])
        }
    }

    private func options(_ configuration: Configuration) -> GenerationOptions {
        let scalars = configuration.scalars.mapValues { scalar in
            ScalarMapping(
                type: scalar.type,
                module: scalar.module == configuration.module ? nil : scalar.module,
                conversion: scalar.conversion,
                conversionModule: scalar.conversionModule == configuration.module ? nil : scalar.conversionModule
            )
        }
        return GenerationOptions(access: configuration.access, scalars: scalars)
    }
}
