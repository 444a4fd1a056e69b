import BatonCodegen
import BatonCompiler
import BatonProject

/// `baton compile`
enum CompileCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        let modes = [OptionDescription.check, .watch, .build].filter { arguments.has($0) }
        if modes.count > 1 {
            run.fail("'\(modes[0].name)' and '\(modes[1].name)' exclude each other")
            return
        }
        if arguments.has(.build) { return BuildCommand.perform(&run, arguments) }
        guard let (loaded, writes) = project(&run, arguments) else { return }
        var project = loaded
        if arguments.has(.watch) { return WatchCommand.perform(project, &run, arguments) }
        var round = project.round(isFresh: arguments.has(.check) || writes == .builders)
        project.addBuilders(to: &round)
        if writes == .builders { round.leaveOnlyBuilders() }
        if !arguments.has(.check) {
            round.compiler.report(project.apply(round, displayed: run.displayed))
        }
        run.report(round.compiler, as: arguments.format, arguments)
        guard let artifacts = round.artifacts, run.outcome.status == .success else { return }
        if arguments.has(.check) {
            check(artifacts, round.builders, round.persisted, &run)
        } else if arguments.format == .text {
            summarize(round, kept: artifacts, &run)
            summarize(former: round.formerArtifacts, &run)
        }
    }

    /// What the command writes.
    private enum Writes {
        case everything
        /// The build generates the artifacts, and never builders, which are another target's.
        case builders
    }

    /// The project of the configuration; nil if the command line is wrong, or if there is no configuration.
    private static func project(
        _ run: inout CommandRun, _ arguments: ParsedArguments
    ) -> (Project, Writes)? {
        guard var compiler = arguments.compiler(for: &run) else { return nil }
        guard let path = arguments.configurationPath(for: &run, &compiler) else {
            run.report(compiler, as: arguments.format, arguments)
            return nil
        }
        let generating = PackageManifest.targetsGenerating(from: path)
        let hasBuilders = compiler.readConfiguration(path)?.buildersDirectory != nil
        guard generating.isEmpty || hasBuilders && !arguments.has(.watch) else {
            refuse(generating, &run, arguments)
            return nil
        }
        let project = Project(
            workingDirectory: run.workingDirectory, configuration: path, overrides: compiler.overrides,
            program: run.identity, cache: generating.isEmpty ? arguments.cache(for: run) : nil)
        return (project, generating.isEmpty ? .everything : .builders)
    }

    /// Reports that the build generates, so that what is written here would be compiled besides.
    private static func refuse(_ targets: [String], _ run: inout CommandRun, _ arguments: ParsedArguments) {
        let names = targets.map { "'\($0)'" }.joined(separator: " and ")
        let validate = arguments.has(.watch) ? "validate --watch" : "validate"
        run.fail(
            "the build generates for \(targets.count == 1 ? "target" : "the targets") \(names), as Package.swift says, and "
                + "files that 'compile' writes would break it: '\(run.program) \(validate)' checks without writing, or "
                + "take the plugin out of Package.swift")
    }

    private static func check(
        _ artifacts: ArtifactPlan, _ builders: ArtifactPlan?, _ persisted: PersistedFile?, _ run: inout CommandRun
    ) {
        let plans = [artifacts, builders].compactMap(\.self)
        for plan in plans {
            for file in plan.written {
                let state = plan.replaced.contains(file.name) ? "is out of date" : "is missing"
                run.note("\(run.displayed(plan.folder.appending(file.name))) \(state)")
            }
            for name in plan.removed { run.note("\(run.displayed(plan.folder.appending(name))) is left over") }
        }
        let isFileChanged = persisted?.isChanged ?? false
        if let persisted, isFileChanged {
            run.note("\(run.displayed(persisted.path)) \(persisted.isThere ? "is out of date" : "is missing")")
        }
        let count = plans.reduce(isFileChanged ? 1 : 0) { $0 + $1.written.count + $1.removed.count }
        guard count > 0 else { return }
        run.note(
            "\(count) artifact\(count == 1 ? " differs" : "s differ"); '\(run.program) compile' brings them up to date")
        run.raise(.inputErrors)
    }

    /// Names the artifacts of an earlier `output`, which nothing removes.
    private static func summarize(former: [AbsolutePath], _ run: inout CommandRun) {
        for path in former { run.print("left over \(run.displayed(path))") }
        guard !former.isEmpty else { return }
        let subject = former.count == 1 ? "1 artifact stands" : "\(former.count) artifacts stand"
        run.print("\(subject) outside of 'output', from an earlier configuration; remove what is left over")
    }

    private static func list(_ plan: ArtifactPlan, _ run: inout CommandRun) {
        for file in plan.written { run.print("wrote \(run.displayed(plan.folder.appending(file.name)))") }
        for name in plan.removed { run.print("removed \(run.displayed(plan.folder.appending(name)))") }
    }

    /// Names what has changed, and counts it in one line.
    private static func summarize(_ round: Round, kept artifacts: ArtifactPlan, _ run: inout CommandRun) {
        for plan in round.plans { list(plan, &run) }
        // The warning 'artifact-kept' may be off, and names only the files whose documents it has found.
        for name in artifacts.kept { run.print("kept \(run.displayed(artifacts.folder.appending(name)))") }
        if let persisted = round.persisted, persisted.isChanged {
            run.print("added \(persisted.addedCount) to \(run.displayed(persisted.path))")
        }
        run.print(round.counts + (artifacts.kept.isEmpty ? "" : ", \(artifacts.kept.count) kept"))
    }
}
