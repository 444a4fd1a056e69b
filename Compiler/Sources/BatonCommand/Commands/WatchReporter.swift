import BatonCompiler
import BatonProject

/// Prints a line for each round in which something changed, and errors once.
struct WatchReporter {
    let run: CommandRun
    let arguments: ParsedArguments
    let console: WatchConsole
    private var isFirst = true
    /// The errors and warnings that were printed last.
    private var shown = ""
    private var hasErrors = false

    init(run: CommandRun, arguments: ParsedArguments, console: WatchConsole) {
        self.run = run
        self.arguments = arguments
        self.console = console
    }

    mutating func report(_ report: ProjectWatch.Report) {
        let round = report.round
        var printed = run
        printed.outcome = .init()
        printed.report(round.compiler, as: arguments.format, arguments)
        let isFailure = printed.outcome.status != .success || round.artifacts == nil
        let text = printed.outcome.errors + printed.outcome.output
        defer {
            (isFirst, hasErrors, shown) = (false, isFailure, text)
        }
        var lines: [String] = []
        if isFirst {
            lines.append("watching")
        } else if !round.changedFiles.isEmpty {
            lines.append(changed(round.changedFiles))
        }
        if isFailure {
            if !isFirst, text == shown, hasErrors { return }
            lines.append("nothing is written until it compiles")
        } else {
            let isQuiet = round.plans.allSatisfy(\.isEmpty) && round.changedFiles.isEmpty && !hasErrors && !isFirst
            if isQuiet, text == shown { return }
            if hasErrors { lines.append("all errors are gone") }
            lines.append(round.counts)
        }
        let how = report.isUnannounced ? " without an event" : ""
        let line = lines.joined(separator: ": ") + "\(how) (\(Int(report.milliseconds.rounded())) ms)\n"
        let found = text == shown && !isFirst ? "" : text
        switch arguments.format {
        case .text: console.write(line, found)
        case .json, .github: console.write(found, line)
        }
    }

    private func changed(_ paths: [AbsolutePath]) -> String {
        let names = paths.sorted().map(run.displayed)
        return names.count <= 2 ? names.joined(separator: ", ") : "\(names.count) files"
    }
}
