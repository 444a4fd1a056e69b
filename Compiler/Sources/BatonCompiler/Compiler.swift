import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonTransforms
import BatonValidation

/// The entry point of the compiler. One value is one run, from the configuration to the artifacts.
///
///     configure   init(workingDirectory:overrides:), readConfiguration(_:)
///     load        load(_:) from files, or loadSchema and parse from texts in memory; gives a Compilation
///     use it      validate(_:), generate(_:_:), printedSchema(_:), printedOperations(_:)
///
/// The compiler assigns the ids of sources and collects diagnostics. It writes no files; `ArtifactPlan` does. Paths in
/// diagnostics are relative to the working directory.
package struct Compiler: Sendable {
    /// The texts to which the positions of diagnostics refer.
    package internal(set) var sources = SourceSet()
    /// The parser's limits for each text.
    package var limits: ParserLimits
    /// The sources of the server's schema if documents were loaded, and else no sources. The author of the documents
    /// cannot change these sources.
    package var serverSources: Set<SourceID> = []
    /// The sources of the server's schema.
    package internal(set) var schemaSources: Set<SourceID> = []
    /// The schema that `loadSchema` has read; nil if it is not usable.
    package var loadedSchema: LoadedSchema?
    /// The texts that count as the bytes of files, such as the unsaved ones of an editor.
    package var overlays: [AbsolutePath: [UInt8]] = [:]
    /// The texts that were parsed before; nil if what is parsed is not kept.
    package var knownTexts: KnownTexts?
    /// The texts that `generate` gave ids, by their ids.
    package internal(set) var persistedTexts: [String: String] = [:]
    package let workingDirectory: AbsolutePath
    /// The diagnostics as the stages reported them, before the levels of warnings are applied.
    package private(set) var collected: [Diagnostic] = []
    package let overrides: ProjectOverrides
    package var levels: WarningLevels
    /// The number of definitions that a worker generates at a time, about; `.max` generates all of them together.
    package var shareSize = 250
    let workers: Workers

    /// Makes a compiler that reads files.
    package init(workingDirectory: AbsolutePath, overrides: ProjectOverrides = ProjectOverrides()) {
        self.workingDirectory = workingDirectory
        self.overrides = overrides
        levels = overrides.warnings
        limits = overrides.limits()
        workers = .all
    }

    /// Makes a compiler of texts in memory, which reads no files.
    package init(limits: ParserLimits = ParserLimits(), workers: Workers = .all) {
        workingDirectory = AbsolutePath(absolute: "/")
        overrides = ProjectOverrides()
        levels = WarningLevels()
        self.limits = limits
        self.workers = workers
    }

    /// Adds a text; a path that ends with `.swift` makes it a Swift source.
    package mutating func addSource(path: String, bytes: [UInt8]) -> SourceFile {
        sources.add(path: path, bytes: bytes)
    }

    /// Adds a text in a string.
    package mutating func addSource(path: String, text: String) -> SourceFile {
        sources.add(path: path, text: text)
    }

    // MARK: - Diagnostics

    /// All diagnostics so far, with the levels of warnings applied, sorted by place; causes come before effects.
    package var diagnostics: [Diagnostic] { Self.causesFirst(sorted(levels.applied(to: collected))) }

    /// Puts wrong names of fragments first if a spread finds no fragment, because a wrong name may be the reason.
    private static func causesFirst(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard diagnostics.contains(where: { $0.id == .unknownFragment }) else { return diagnostics }
        return diagnostics.filter { $0.id == .fragmentName } + diagnostics.filter { $0.id != .fragmentName }
    }

    /// Whether a diagnostic so far is an error, with the levels of warnings applied.
    package var hasErrors: Bool { levels.applied(to: collected).hasErrors }

    /// Adds the diagnostics of a stage.
    package mutating func report(_ diagnostics: [Diagnostic]) {
        collected += diagnostics.map(Self.explainingLimits)
    }

    /// Takes away the diagnostics that a run over a part of a project must not report.
    package mutating func removeDiagnostics(where isRemoved: (Diagnostic) -> Bool) {
        collected.removeAll(where: isRemoved)
    }

    /// Adds where a limit of the parser can be changed, which the parser does not know.
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

    /// The text of a path in messages.
    package func displayed(_ path: AbsolutePath) -> String { path.displayed(in: workingDirectory) }

    /// Sorts by file in the order in which files were added, and then by the position in the file. A literal counts as
    /// part of its Swift file.
    package func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        var firstByPath: [String: Int] = [:]
        for (index, file) in sources.files.enumerated() where firstByPath[file.path] == nil {
            firstByPath[file.path] = index
        }
        func place(_ span: Span) -> (Int, Int) {
            guard let file = sources[span.source] else { return (-1, 0) }
            return (firstByPath[file.path] ?? 0, file.originalOffset(of: Int(span.start)))
        }
        let placed = diagnostics.sortedByPosition().enumerated().map { (place($1.span), $0, $1) }
        return placed.sorted { ($0.0.0, $0.0.1, $0.1) < ($1.0.0, $1.0.1, $1.1) }.map(\.2)
    }

    // MARK: - Validation

    /// Validates a compilation from which artifacts are made. Does nothing if its schema is not usable. The later
    /// stages apply the rules of Relay's directives and of names in the configuration.
    package mutating func validate(_ compilation: Compilation) {
        guard compilation.isSchemaUsable else { return }
        report(compilation.validate(ownRules: compilation.isProject ? .error : .warning))
    }

    /// Validates a compilation from which no artifacts are made, and the names that its inputs have from a
    /// configuration. Does nothing if its schema is not usable.
    ///
    /// The rules of Relay's directives apply to otherwise valid documents that use such a directive. Plain GraphQL is
    /// judged by the specification alone.
    package mutating func judge(_ compilation: Compilation, of inputs: ProjectInputs) {
        judgeDefinitions(compilation, of: inputs)
        judgeRelayUse(compilation)
    }

    /// The first and cheaper part of `judge`.
    package mutating func judgeDefinitions(_ compilation: Compilation, of inputs: ProjectInputs) {
        guard compilation.isSchemaUsable else { return }
        report(compilation.validate(ownRules: compilation.isProject ? .error : .warning, sendsLabels: true))
        report(compilation.ageLimits(inputs.ageLimits).diagnostics)
        report(compilation.unstored(inputs.unstored).diagnostics)
    }

    /// The second part of `judge`, which has nothing to say unless `needsRelayJudgement`.
    package mutating func judgeRelayUse(_ compilation: Compilation) {
        if needsRelayJudgement(compilation) { report(compilation.judge()) }
    }

    package func needsRelayJudgement(_ compilation: Compilation) -> Bool {
        compilation.isSchemaUsable && !hasErrors && compilation.usesRelay
    }
}
