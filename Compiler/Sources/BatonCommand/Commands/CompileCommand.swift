import BatonCompiler

/// `baton compile`
enum CompileCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard var compiler = arguments.compiler(for: &run) else { return }
        let plan = plan(&run, arguments, &compiler)
        if let plan, !arguments.has(.check) { compiler.report(plan.apply(displayed: run.displayed)) }
        run.report(compiler, as: arguments.format, arguments)
        guard let plan, run.outcome.status == .success else { return }
        if arguments.has(.check) {
            check(plan, &run)
        } else if arguments.format == .text {
            summarize(plan, &run)
        }
    }

    /// The changes to the output folder, or nil if there is an error.
    private static func plan(
        _ run: inout CommandRun,
        _ arguments: ParsedArguments,
        _ compiler: inout Compiler
    ) -> ArtifactPlan? {
        guard let configuration = arguments.configuration(for: &run, &compiler) else { return nil }
        let compilation = compiler.load(ProjectInputs(configuration))
        compiler.validate(compilation)
        guard let files = compiler.generate(compilation, configuration) else { return nil }
        let displayed = run.displayed
        let (plan, found) = ArtifactPlan.make(files, in: configuration.outputDirectory, displayed: displayed)
        compiler.report(found)
        return found.isEmpty ? plan : nil
    }

    private static func check(_ plan: ArtifactPlan, _ run: inout CommandRun) {
        for file in plan.written {
            let state = plan.replaced.contains(file.name) ? "is out of date" : "is missing"
            run.note("\(run.displayed(plan.folder.appending(file.name))) \(state)")
        }
        for name in plan.removed { run.note("\(run.displayed(plan.folder.appending(name))) is left over") }
        guard !plan.isEmpty else { return }
        let count = plan.written.count + plan.removed.count
        run.note(
            "\(count) artifact\(count == 1 ? " differs" : "s differ"); '\(run.program) compile' brings them up to date")
        run.raise(.inputErrors)
    }

    private static func summarize(_ plan: ArtifactPlan, _ run: inout CommandRun) {
        for file in plan.written { run.print("wrote \(run.displayed(plan.folder.appending(file.name)))") }
        for name in plan.removed { run.print("removed \(run.displayed(plan.folder.appending(name)))") }
        run.print("\(plan.written.count) written, \(plan.removed.count) removed, \(plan.unchangedCount) unchanged")
    }
}
