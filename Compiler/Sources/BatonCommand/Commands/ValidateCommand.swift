import BatonCompiler

/// `baton validate`
enum ValidateCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard var compiler = arguments.compiler(for: &run) else { return }
        if let inputs = arguments.inputs(for: &run, &compiler) {
            let compilation = compiler.load(inputs)
            compiler.judge(compilation, ageLimits: inputs.ageLimits)
        } else if run.outcome.status != .success {
            return
        }
        run.report(compiler, as: arguments.format, arguments)
    }
}
