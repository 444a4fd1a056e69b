import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The way into the compiler: one value is one run, from configuration to artifacts.
///
///     configure   init(workingDirectory:overrides:), readConfiguration(_:)
///     load        load(_:) from files, or loadSchema and parse from texts in memory; gives a Compilation
///     use it      validate(_:), generate(_:_:), printedSchema(_:), printedOperations(_:)
///
/// It hands out the ids of its sources and collects what is to be said. Nothing here writes; `ArtifactPlan` does. Paths
/// in diagnostics are relative to the working directory.
package struct Compiler: Sendable {
    /// The texts that the diagnostics point into.
    package internal(set) var sources = SourceSet()
    /// What the parser refuses, in each text.
    package internal(set) var limits: ParserLimits
    /// The server's schema, unless it is all there is: what documents are checked against and nobody here can change.
    package internal(set) var serverSources: Set<SourceID> = []
    package let workingDirectory: AbsolutePath
    /// As the stages reported it; the levels of warnings are applied when it is asked for.
    private(set) var collected: [Diagnostic] = []
    let overrides: ProjectOverrides
    var levels: WarningLevels
    let workers: Workers

    /// A compiler of files.
    package init(workingDirectory: AbsolutePath, overrides: ProjectOverrides = ProjectOverrides()) {
        self.workingDirectory = workingDirectory
        self.overrides = overrides
        levels = overrides.warnings
        limits = overrides.limits()
        workers = .all
    }

    /// A compiler of texts in memory, which touches no file.
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

    /// Adds a text that is at hand as a string.
    package mutating func addSource(path: String, text: String) -> SourceFile {
        sources.add(path: path, text: text)
    }

    // MARK: - What was found

    /// All that was found so far, with the levels that were chosen for warnings, sorted by place.
    package var diagnostics: [Diagnostic] { sorted(levels.applied(to: collected)) }

    /// Whether anything that was found so far keeps artifacts from being made.
    package var hasErrors: Bool { levels.applied(to: collected).hasErrors }

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

    /// By the file that a person sees, in the order in which files were added, then by the position in it.
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

    /// Validates what was loaded, as far as that can be done.
    ///
    /// Age limits are judged too where nothing is generated: `generate` reports its own.
    package mutating func validate(_ compilation: Compilation, ageLimits: [String: Configuration.AgeLimit] = [:]) {
        guard compilation.isSchemaUsable else { return }
        report(compilation.validate(ownRules: compilation.isProject ? .error : .warning))
        report(compilation.ageLimits(ageLimits).diagnostics)
    }
}
