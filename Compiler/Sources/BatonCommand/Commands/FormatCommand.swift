import BatonCompiler
import BatonDiagnostics

/// `baton format`
enum FormatCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard var compiler = arguments.compiler(for: &run) else { return }
        if arguments.operands.contains("-") {
            formatStandardInput(&run, arguments, &compiler)
        } else if arguments.has(.standardInputPath) {
            run.fail("'--stdin-path' needs '-'")
        } else {
            formatFiles(&run, arguments, &compiler)
        }
    }

    private static func formatStandardInput(
        _ run: inout CommandRun,
        _ arguments: ParsedArguments,
        _ compiler: inout Compiler
    ) {
        if arguments.operands.count > 1 {
            run.fail("'-' and files exclude each other")
            return
        }
        let text = run.readStandardInput()
        let formatted = compiler.format(text, path: arguments.value(.standardInputPath) ?? "<stdin>.graphql")
        run.report(compiler, as: .text, arguments)
        guard let formatted, run.outcome.status == .success else { return }
        if !arguments.has(.check) {
            run.outcome.output += String(decoding: formatted, as: UTF8.self)
        } else if formatted != text {
            run.note("standard input is not formatted")
            run.raise(.inputErrors)
        }
    }

    private static func formatFiles(
        _ run: inout CommandRun,
        _ arguments: ParsedArguments,
        _ compiler: inout Compiler
    ) {
        let paths = paths(&run, arguments, &compiler)
        if run.outcome.status != .success { return }
        let files = compiler.format(paths)
        var changed: [AbsolutePath] = []
        for file in files {
            guard let bytes = file.formatted else { continue }
            if !arguments.has(.check) {
                do {
                    try SourceRewriter.write(bytes, to: file.path)
                } catch {
                    let message = "'\(compiler.displayed(file.path))' cannot be written: \(error.reason)"
                    compiler.report([Diagnostic(.artifactUnwritable, message, at: .none)])
                    continue
                }
            }
            changed.append(file.path)
        }
        run.report(compiler, as: .text, arguments)
        summarize(changed, of: files, isCheck: arguments.has(.check), &run)
    }

    private static func summarize(
        _ changed: [AbsolutePath],
        of files: [Compiler.FormattedFile],
        isCheck: Bool,
        _ run: inout CommandRun
    ) {
        if isCheck {
            for path in changed { run.note("\(run.displayed(path)) is not formatted") }
            if changed.isEmpty { return }
            let subject = changed.count == 1 ? "1 file is" : "\(changed.count) files are"
            run.note("\(subject) not formatted; '\(run.program) format' formats them")
            run.raise(.inputErrors)
            return
        }
        for path in changed { run.print("formatted \(run.displayed(path))") }
        let broken = files.count { $0.isBroken }
        let unchanged = files.count - broken - changed.count
        let rest = broken > 0 ? ", \(broken) left as \(broken == 1 ? "it is" : "they are")" : ""
        run.print("\(changed.count) formatted, \(unchanged) unchanged\(rest)")
    }

    /// The files of the operands, or else those of the project's documents.
    private static func paths(
        _ run: inout CommandRun,
        _ arguments: ParsedArguments,
        _ compiler: inout Compiler
    ) -> [AbsolutePath] {
        var found: [AbsolutePath] = []
        if !arguments.operands.isEmpty {
            found = compiler.filesToFormat(arguments.operands)
        } else if let configuration = arguments.configuration(for: &run, &compiler) {
            found = compiler.filesToFormat(ProjectInputs(configuration))
        }
        if compiler.hasErrors { run.report(compiler, as: .text, arguments) }
        return found
    }
}

extension OptionDescription {
    static let standardInputPath = OptionDescription(
        name: "--stdin-path",
        arity: .one("PATH"),
        summary: "The path of the text on standard input: one that ends with '.swift' makes it a Swift source."
    )
}

extension CommandDescription {
    static let format = CommandDescription(
        words: ["format"],
        summary: "Formats documents, also those in Swift files.",
        discussion: [
            """
            Two spaces of indentation, one selection on each line, lines of at most 100 columns. Comments keep their place.
            Without a FILE, the documents of the project are formatted; a schema is formatted only if it is named. '-' formats
            standard input to standard output.
            """,
            """
            In Swift, the literals of 'graphql' that span several lines are formatted; those with escapes stay as they are.
            A file with a syntax error stays as it is, and the error is reported.
            """,
        ],
        operands: ("FILE", "Files, folders or patterns; '-' for standard input."),
        options: [.check, .config, .standardInputPath, .maximumNesting, .maximumTokens, .color],
        perform: FormatCommand.perform
    )
}
