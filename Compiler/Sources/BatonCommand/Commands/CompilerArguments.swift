import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSyntax

extension ParsedArguments {
    /// The style of text: as `--color` chooses, or else as the terminal of the run allows.
    func style(for run: CommandRun) -> TextStyle {
        switch value(.color) {
        case "always": .colored
        case "never": .plain
        default: run.terminal.showsColors ? .colored : .plain
        }
    }

    /// A compiler for the run's folder, with the warning levels and limits of the command line. Reports invalid levels
    /// or limits, and returns nil.
    func compiler(for run: inout CommandRun) -> Compiler? {
        var overrides = ProjectOverrides()
        guard let levels = warningLevels(&run) else { return nil }
        overrides.warnings = levels
        if has(.maximumNesting) {
            guard let value = integer(.maximumNesting, in: ParserLimits.nestingChoices, &run) else { return nil }
            overrides.nesting = value
        }
        if has(.maximumTokens) {
            guard let value = integer(.maximumTokens, in: ParserLimits.tokenChoices, &run) else { return nil }
            overrides.tokens = value
        }
        return Compiler(workingDirectory: run.workingDirectory, overrides: overrides)
    }

    /// Where tables of projects are kept: where `--cache` says, or else where the run does; nil for nowhere.
    func cache(for run: CommandRun) -> ProjectCache? {
        switch value(.cache) {
        case nil: run.cache
        case "off": nil
        case .some(let folder): ProjectCache(folder: run.path(folder))
        }
    }

    private func integer(_ option: OptionDescription, in choices: ClosedRange<Int>, _ run: inout CommandRun) -> Int? {
        let text = value(option) ?? ""
        if let value = Int(text), choices.contains(value) { return value }
        run.fail("'\(option.name)' must be from \(choices.lowerBound) to \(choices.upperBound), not '\(text)'")
        return nil
    }

    private func warningLevels(_ run: inout CommandRun) -> WarningLevels? {
        var levels = WarningLevels()
        for text in values(.warning) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let level = WarningLevels.Level(rawValue: parts[1]) else {
                run.fail("'--warning' needs ID=off, ID=warning or ID=error, not '\(text)'")
                return nil
            }
            switch DiagnosticID.findWarning(parts[0]) {
            case .found(let id): levels[id] = level
            case .alwaysError:
                run.fail("'--warning' cannot change '\(parts[0])', which is always an error")
                return nil
            case .unknown(let question):
                run.fail("there is no warning '\(parts[0])'" + (question.map { "; " + $0 } ?? ""))
                return nil
            }
        }
        return levels
    }

    /// The inputs of `--schema`, `--schema-extension` and `--documents`, or else those of the configuration.
    ///
    /// Reports invalid inputs, and returns nil.
    func inputs(for run: inout CommandRun, _ compiler: inout Compiler) -> ProjectInputs? {
        if has(.schema) {
            if has(.config) {
                run.fail("'--config' and '--schema' exclude each other")
                return nil
            }
            func entries(_ option: OptionDescription) -> [Configuration.Entry] {
                values(option).map { Configuration.Entry($0) }
            }
            var inputs = ProjectInputs(
                base: run.workingDirectory,
                schema: entries(.schema),
                schemaExtensions: entries(.schemaExtension),
                documents: entries(.documents)
            )
            inputs.isProject = false
            return inputs
        }
        for option in [OptionDescription.schemaExtension, .documents] where has(option) {
            run.fail("'\(option.name)' needs '--schema'")
            return nil
        }
        return configuration(for: &run, &compiler).map(ProjectInputs.init)
    }

    /// The configuration of `--config`, or else the nearest one from the working directory upwards, or else the only
    /// one below it. A note on standard error names a configuration outside of the working directory.
    func configuration(for run: inout CommandRun, _ compiler: inout Compiler) -> Configuration? {
        configurationPath(for: &run, &compiler).flatMap { compiler.readConfiguration($0) }
    }

    /// The path of that configuration; nil if there is none or more than one below, which is reported.
    func configurationPath(for run: inout CommandRun, _ compiler: inout Compiler) -> AbsolutePath? {
        if let named = value(.config) { return run.path(named) }
        var path = Configuration.nearest(to: run.workingDirectory)
        if path == nil {
            let below = Configuration.below(run.workingDirectory)
            guard below.count == 1 else {
                compiler.report([Self.missingConfiguration(below.map(run.displayed), program: run.program)])
                return nil
            }
            path = below.first
        }
        if let path, path.parent != run.workingDirectory, format == .text { run.note("using \(run.displayed(path))") }
        return path
    }

    private static func missingConfiguration(_ below: [String], program: String) -> Diagnostic {
        let nowhere = "there is no 'baton.json' in this folder or one above it"
        guard !below.isEmpty else {
            return Diagnostic(.configurationFile, nowhere, at: .none, suggestion: "'\(program) init' writes one")
        }
        let named = below.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
        let more = below.count > 8 ? " and \(below.count - 8) more" : ""
        return Diagnostic(
            .configurationFile, "\(nowhere), and below it are several: \(named)\(more)", at: .none,
            suggestion: "name one with '--config'")
    }
}
