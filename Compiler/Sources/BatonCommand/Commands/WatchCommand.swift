import BatonCompiler
import BatonProject

/// `baton compile --watch`
enum WatchCommand {
    static func perform(_ project: Project, _ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard let console = console(&run) else { return }
        var reporter = WatchReporter(run: run, arguments: arguments, console: console)
        var watch = ProjectWatch(
            project, watch: ProjectWatch.standard(stop: console.stop), displayed: run.displayed)
        watch.run { reporter.report($0) }
    }

    /// What a watch writes to, with its signals caught; nil if there is nothing, which is reported.
    static func console(_ run: inout CommandRun) -> WatchConsole? {
        guard let console = run.console else {
            run.fail("'--watch' needs a terminal or a file to write to")
            return nil
        }
        if !run.outcome.errors.isEmpty {
            console.write("", run.outcome.errors)
            run.outcome.errors = ""
        }
        console.isWaited()
        return console
    }
}
