import BatonCompiler

extension ParsedArguments {
    var format: CommandRun.DiagnosticFormat {
        value(.format).flatMap(CommandRun.DiagnosticFormat.init(rawValue:)) ?? .text
    }

    /// What to read, from `--schema` and its companions or else from the configuration.
    ///
    /// Nil if that cannot be said; then it was reported.
    func inputs(for run: inout CommandRun, _ project: inout Project) -> ProjectInputs? {
        if has(.schema) {
            if has(.config) {
                run.fail("'--config' and '--schema' exclude each other")
                return nil
            }
            func entries(_ option: OptionDescription) -> [Configuration.Entry] {
                values(option).map { Configuration.Entry($0) }
            }
            return ProjectInputs(
                base: run.workingDirectory,
                schema: entries(.schema),
                schemaExtensions: entries(.schemaExtension),
                documents: entries(.documents)
            )
        }
        for option in [OptionDescription.schemaExtension, .documents] where has(option) {
            run.fail("'\(option.name)' needs '--schema'")
            return nil
        }
        return configuration(for: run, &project).map(ProjectInputs.init)
    }

    /// The configuration that `--config` names, or the one of the working folder.
    func configuration(for run: CommandRun, _ project: inout Project) -> Configuration? {
        project.readConfiguration(run.path(value(.config) ?? "baton.json"))
    }
}
