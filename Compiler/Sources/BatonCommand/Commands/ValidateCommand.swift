import BatonCompiler
import BatonProject

/// `baton validate`
enum ValidateCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard var compiler = arguments.compiler(for: &run) else { return }
        if arguments.has(.watch) { return watch(&run, arguments, &compiler) }
        if let inputs = arguments.inputs(for: &run, &compiler) {
            let compilation = compiler.load(inputs)
            compiler.judge(compilation, of: inputs)
        } else if run.outcome.status != .success {
            return
        }
        run.report(compiler, as: arguments.format, arguments)
    }

    /// `--watch`
    private static func watch(_ run: inout CommandRun, _ arguments: ParsedArguments, _ compiler: inout Compiler) {
        for option in [OptionDescription.schema, .schemaExtension, .documents] where arguments.has(option) {
            run.fail("'--watch' watches the project of a configuration, and excludes '\(option.name)'")
            return
        }
        guard let path = arguments.configurationPath(for: &run, &compiler) else {
            run.report(compiler, as: arguments.format, arguments)
            return
        }
        guard let console = WatchCommand.console(&run) else { return }
        let project = Project(
            workingDirectory: run.workingDirectory, configuration: path, overrides: compiler.overrides,
            program: run.identity)
        var reporter = ValidationReporter(run: run, arguments: arguments, console: console)
        var watch = JudgedWatch(project, watch: ProjectWatch.standard(stop: console.stop))
        watch.run { reporter.report($0) }
    }
}
