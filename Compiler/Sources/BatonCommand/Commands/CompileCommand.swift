import BatonCompiler

/// `baton compile`
enum CompileCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard var compiler = arguments.compiler(for: &run) else { return }
        let plan = plan(&run, arguments, &compiler)
        if let plan, !arguments.has(.check) {
            compiler.report(plan.artifacts.apply(displayed: run.displayed))
            compiler.report(plan.persisted?.apply(displayed: run.displayed) ?? [])
        }
        run.report(compiler, as: arguments.format, arguments)
        guard let plan, run.outcome.status == .success else { return }
        if arguments.has(.check) {
            check(plan.artifacts, plan.persisted, &run)
        } else if arguments.format == .text {
            summarize(plan.artifacts, plan.persisted, &run)
        }
    }

    /// The changes to the output folder and to the file of ids, or nil if there is an error.
    private static func plan(
        _ run: inout CommandRun,
        _ arguments: ParsedArguments,
        _ compiler: inout Compiler
    ) -> (artifacts: ArtifactPlan, persisted: PersistedFile?)? {
        guard let configuration = arguments.configuration(for: &run, &compiler) else { return nil }
        let inputs = ProjectInputs(configuration)
        let compilation = compiler.load(inputs)
        compiler.validate(compilation)
        guard let files = compiler.generate(compilation, configuration) else { return nil }
        let displayed = run.displayed
        var (plan, found) = ArtifactPlan.make(files, in: configuration.outputDirectory, displayed: displayed)
        compiler.keepStandingDocuments(&plan, inputs)
        var persisted: PersistedFile?
        var mistakes = found
        if let path = configuration.persistedFile {
            let made = PersistedFile.make(compiler.persistedTexts, at: path, displayed: displayed)
            persisted = made.file
            mistakes += made.diagnostics
        }
        compiler.report(mistakes)
        return mistakes.isEmpty && !compiler.hasErrors ? (plan, persisted) : nil
    }

    private static func check(_ plan: ArtifactPlan, _ persisted: PersistedFile?, _ run: inout CommandRun) {
        for file in plan.written {
            let state = plan.replaced.contains(file.name) ? "is out of date" : "is missing"
            run.note("\(run.displayed(plan.folder.appending(file.name))) \(state)")
        }
        for name in plan.removed { run.note("\(run.displayed(plan.folder.appending(name))) is left over") }
        let isFileChanged = persisted?.isChanged ?? false
        if let persisted, isFileChanged {
            run.note("\(run.displayed(persisted.path)) \(persisted.isThere ? "is out of date" : "is missing")")
        }
        let count = plan.written.count + plan.removed.count + (isFileChanged ? 1 : 0)
        guard count > 0 else { return }
        run.note(
            "\(count) artifact\(count == 1 ? " differs" : "s differ"); '\(run.program) compile' brings them up to date")
        run.raise(.inputErrors)
    }

    private static func summarize(_ plan: ArtifactPlan, _ persisted: PersistedFile?, _ run: inout CommandRun) {
        for file in plan.written { run.print("wrote \(run.displayed(plan.folder.appending(file.name)))") }
        for name in plan.removed { run.print("removed \(run.displayed(plan.folder.appending(name)))") }
        if let persisted, persisted.isChanged {
            run.print("added \(persisted.addedCount) to \(run.displayed(persisted.path))")
        }
        let kept = plan.kept.isEmpty ? "" : ", \(plan.kept.count) kept"
        run.print(
            "\(plan.written.count) written, \(plan.removed.count) removed, \(plan.unchangedCount) unchanged\(kept)")
    }
}
