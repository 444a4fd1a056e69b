import BatonCompiler
import BatonDiagnostics

/// The state of one run: its working directory, and its output so far.
struct CommandRun {
    let workingDirectory: AbsolutePath
    /// The text that starts the program at a prompt, such as `swift run baton`.
    let program: String
    let terminal: Terminal
    private(set) var outcome = CommandLineTool.Outcome()

    init(workingDirectory: AbsolutePath, program: String, terminal: Terminal) {
        self.workingDirectory = workingDirectory
        self.program = program.printable
        self.terminal = terminal
    }

    func path(_ text: String) -> AbsolutePath { AbsolutePath(text, relativeTo: workingDirectory) }

    /// A path as messages show it.
    func displayed(_ path: AbsolutePath) -> String { path.displayed(in: workingDirectory).printable }

    /// Adds a line to standard output.
    mutating func print(_ line: String) {
        outcome.output += line.hasSuffix("\n") ? line : line + "\n"
    }

    /// Adds a line to standard error.
    mutating func note(_ line: String) {
        outcome.errors += line + "\n"
    }

    /// Reports that the command line is wrong.
    mutating func fail(_ message: String) {
        // The message may quote any text of the command line, so each line is escaped.
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
        note("baton: error: " + lines.joined(separator: "\n"))
        outcome.status = .usageErrors
    }

    /// Sets the status, unless the current status is more severe.
    mutating func raise(_ status: CommandLineTool.ExitStatus) {
        if status.rawValue > outcome.status.rawValue { outcome.status = status }
    }

    // MARK: - Diagnostics

    enum DiagnosticFormat: String, CaseIterable {
        case text
        case json
        case github
    }

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
