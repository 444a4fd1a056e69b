import BatonCompiler
import BatonProject

/// `baton compile --watch`
enum WatchCommand {
    static func perform(_ project: Project, _ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard let console = run.console else {
            run.fail("'--watch' needs a terminal or a file to write to")
            return
        }
        console.isWaited()
        var reporter = WatchReporter(run: run, arguments: arguments, console: console)
        var watch = ProjectWatch(
            project, watch: ProjectWatch.standard(stop: console.stop), displayed: run.displayed)
        watch.run { reporter.report($0) }
    }
}
