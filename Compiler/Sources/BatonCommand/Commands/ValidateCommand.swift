import BatonCompiler

/// `baton validate`
enum ValidateCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard var project = arguments.project(for: &run) else { return }
        if let inputs = arguments.inputs(for: &run, &project) {
            let input = project.load(inputs)
            project.validate(input, ageLimits: inputs.ageLimits)
        } else if run.outcome.status != .success {
            return
        }
        run.report(project, as: arguments.format, arguments)
    }
}
