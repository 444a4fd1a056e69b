import BatonCompiler
import BatonDiagnostics

/// What a command works with: where it runs, and what it has said so far.
struct CommandRun {
    let workingDirectory: AbsolutePath
    /// What a person types to run the program, such as `swift run baton`.
    let program: String
    let terminal: Terminal
    private(set) var outcome = CommandLineTool.Outcome()

    init(workingDirectory: AbsolutePath, program: String, terminal: Terminal) {
        self.workingDirectory = workingDirectory
        self.program = program.printable
        self.terminal = terminal
    }

    func path(_ text: String) -> AbsolutePath { AbsolutePath(text, relativeTo: workingDirectory) }

    /// A path as it is shown to people.
    func displayed(_ path: AbsolutePath) -> String { path.displayed(in: workingDirectory).printable }

    /// A line of the result.
    mutating func print(_ line: String) {
        outcome.output += line.hasSuffix("\n") ? line : line + "\n"
    }

    /// A line for the person at the terminal.
    mutating func note(_ line: String) {
        outcome.errors += line + "\n"
    }

    /// Says that the command line cannot be carried out.
    mutating func fail(_ message: String) {
        // What was typed may hold anything, and a usage text follows on lines of its own.
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
        note("baton: error: " + lines.joined(separator: "\n"))
        outcome.status = .usageErrors
    }

    /// Raises the status; a status that weighs more stays.
    mutating func raise(_ status: CommandLineTool.ExitStatus) {
        if status.rawValue > outcome.status.rawValue { outcome.status = status }
    }

    // MARK: - Diagnostics

    enum DiagnosticFormat: String, CaseIterable {
        case text
        case json
        case github
    }

    /// Writes what was found, as text to standard error or in another format to standard output, and sets the status by
    /// the worst of it. Errors come first; text leaves warnings out unless all are asked for, which is no matter of
    /// tools.
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

    /// Errors that are mistakes of the command line or the configuration.
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
