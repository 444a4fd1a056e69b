import BatonCompiler
import BatonDiagnostics

/// The formats in which diagnostics are printed, by their names on the command line.
///
/// A new format is a case here, with its words for the help and with what `CommandRun.report` prints. Then `--format`
/// takes it.
enum DiagnosticFormat: String, CaseIterable {
    case text
    case json
    case github

    /// How the help of `--format` calls the format, after 'Diagnostics'.
    private var meaning: String {
        switch self {
        case .text: "as text on standard error"
        case .json: "as JSON"
        case .github: "for GitHub Actions"
        }
    }

    /// The summary of `--format` in the help.
    fileprivate static var summary: String {
        let others = allCases.filter { $0 != .text }.map(\.meaning)
        return "Diagnostics \(text.meaning), the default; on standard output \(others.joined(separator: " or "))."
    }
}

extension OptionDescription {
    static let format = OptionDescription(
        name: "--format",
        arity: .choice(DiagnosticFormat.allCases.map(\.rawValue)),
        summary: DiagnosticFormat.summary
    )
}

extension ParsedArguments {
    var format: DiagnosticFormat {
        value(.format).flatMap(DiagnosticFormat.init(rawValue:)) ?? .text
    }
}

extension CommandRun {
    /// Writes the diagnostics and sets the status by the most severe one. Text goes to standard error, other formats go
    /// to standard output. Errors come first. Text leaves out warnings without `--all`; the other formats always have
    /// all of them.
    mutating func report(_ compiler: Compiler, as format: DiagnosticFormat, _ arguments: ParsedArguments) {
        let diagnostics = compiler.diagnostics.errorsFirst()
        let sources = compiler.sources
        switch format {
        case .github:
            var renderer = GitHubRenderer(sources: sources)
            outcome.output += renderer.render(diagnostics)
        case .json:
            var renderer = JSONRenderer(sources: sources)
            print(renderer.render(diagnostics))
        case .text:
            guard !diagnostics.isEmpty else { break }
            let schema = compiler.serverSources
            let digest = DiagnosticDigest(diagnostics, in: sources, schema: schema, isWhole: arguments.has(.all))
            var renderer = TextRenderer(sources: sources, style: arguments.style(for: self))
            outcome.errors += renderer.render(digest)
            note(Self.summary(of: diagnostics))
        }
        for diagnostic in diagnostics where diagnostic.severity == .error {
            raise(Self.usageIDs.contains(diagnostic.id) ? .usageErrors : .inputErrors)
        }
    }

    /// The errors that are mistakes in the command line or the configuration.
    private static let usageIDs: Set<DiagnosticID> = [
        .configurationFile, .configurationKey, .configurationSyntax, .configurationValue, .fileNotFound,
        .patternInvalid,
        .artifactConflict, .artifactUnwritable, .patternUnmatched, .unknownScalar,
    ]

    private static func summary(of diagnostics: [Diagnostic]) -> String {
        let errors = diagnostics.filter { $0.severity == .error }.count
        let warnings = diagnostics.count - errors
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        if warnings == 0 { return count(errors, "error") }
        return errors == 0 ? count(warnings, "warning") : count(errors, "error") + ", " + count(warnings, "warning")
    }
}
