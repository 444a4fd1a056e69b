import BatonCompiler

/// `baton validate`
enum ValidateCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        var project = Project(workingDirectory: run.workingDirectory)
        if let inputs = arguments.inputs(for: &run, &project) {
            let input = project.load(inputs)
            project.validate(input)
        } else if run.outcome.status != .success {
            return
        }
        run.report(project.diagnostics, project.sources, as: arguments.format)
    }
}
