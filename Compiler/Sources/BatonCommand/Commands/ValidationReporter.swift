import BatonCompiler
import BatonDiagnostics
import BatonProject

/// Prints a line for each judgement after which something is different, and diagnostics when they are other ones.
struct ValidationReporter {
    private let run: CommandRun
    private let arguments: ParsedArguments
    private let console: WatchConsole
    private var isFirst = true
    /// The errors and warnings that were printed last.
    private var shown = ""
    private var hasErrors = false

    init(run: CommandRun, arguments: ParsedArguments, console: WatchConsole) {
        self.run = run
        self.arguments = arguments
        self.console = console
    }

    mutating func report(_ report: JudgedWatch.Report) {
        var printed = run
        printed.outcome = .init()
        printed.report(report.compiler, as: arguments.format, arguments)
        let text = printed.outcome.errors + printed.outcome.output
        let errors = report.compiler.diagnostics.count { $0.severity == .error }
        let files = report.changedFiles.map(\.printable)
        let start = isFirst ? ["watching"] : files.count > 2 ? ["\(files.count) files"] : files
        let state =
            switch errors {
            case 0: hasErrors ? "all errors are gone" : "no errors"
            case 1: "1 error"
            default: "\(errors) errors"
            }
        let line = (start.isEmpty ? "" : start.joined(separator: ", ") + ": ") + state
        let found = text == shown && !isFirst ? "" : text
        let time = " (\(Int(report.milliseconds.rounded())) ms)\n"
        switch arguments.format {
        case .text: console.write(line + time, found)
        case .json, .github: console.write(found, line + time)
        }
        (isFirst, hasErrors, shown) = (false, errors > 0, text)
    }
}
