import BatonCompiler
import BatonDiagnostics
import BatonProject

/// `baton compile --build`, which the build plugin runs
enum BuildCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        let list = run.path(arguments.value(.build) ?? "")
        guard let bytes = try? InputFile.read(list), let outputs = BuildOutputs(list: bytes) else {
            run.fail("'\(run.displayed(list))' is no list of files for a build")
            return
        }
        guard var compiler = arguments.compiler(for: &run) else { return }
        guard let path = arguments.configurationPath(for: &run, &compiler) else {
            run.report(compiler, as: arguments.format, arguments)
            return
        }
        if let own = compiler.readConfiguration(path)?.ownOutputDirectory,
            let first = BuildOutputs.generatedFiles(in: own).first
        {
            run.fail(
                "'\(run.displayed(own.appending(first)))' would be compiled besides what the build generates: remove the "
                    + "generated files of this folder, or do not use the plugin")
            return
        }
        // Everything that is written stands beside the list, from which whole paths are shown.
        let folder = list.parent
        var overrides = compiler.overrides
        overrides.artifactFolder = folder.appending("artifacts")
        var project = Project(
            workingDirectory: folder, configuration: path, overrides: overrides, program: run.identity,
            cache: ProjectCache(folder: folder.appending("cache")))
        var round = project.round()
        let displayed = round.compiler.displayed
        if let artifacts = round.artifacts {
            round.compiler.report(project.apply(round, displayed: displayed))
            if !round.compiler.hasErrors {
                round.compiler.report(
                    outputs.write(from: artifacts.folder, base: path.parent, displayed: displayed))
            }
        }
        run.report(round.compiler, as: arguments.format, arguments)
    }
}
