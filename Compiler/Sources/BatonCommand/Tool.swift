import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonSyntax
import Foundation

/// The command line tool; gives the exit status and leaves ending the process to `main`.
struct Tool {
    /// The folder to which paths on the command line are relative; absolute.
    let currentFolder: String
    /// Takes text for standard output.
    let output: (String) -> Void
    /// Takes text for standard error.
    let errors: (String) -> Void

    private static let commands = ["compile", "help", "init", "print", "validate"]
    private static let inputLists: Set<String> = ["--schema", "--schema-extension", "--documents"]

    func run(_ arguments: [String]) -> Int32 {
        do throws(Options.Problem) {
            return try dispatch(arguments)
        } catch {
            errors("error: \(error.message)\n")
            if let suggestion = error.suggestion { errors("  help: \(suggestion)\n") }
            errors("'baton --help' says how it is used\n")
            return Project.Failure.configuration.rawValue
        }
    }

    private func dispatch(_ arguments: [String]) throws(Options.Problem) -> Int32 {
        guard let command = arguments.first else {
            errors(Help.overview)
            return Project.Failure.configuration.rawValue
        }
        let rest = Array(arguments.dropFirst())
        let wantsHelp = rest.contains("--help") || rest.contains("-h")
        switch command {
        case "--help", "-h", "help": return help(rest.first)
        case "--version":
            output("baton \(Help.version)\n")
            return 0
        case "compile": return wantsHelp ? say(Help.compile) : try compile(rest)
        case "validate": return wantsHelp ? say(Help.validate) : try validate(rest)
        case "print": return wantsHelp ? say(Help.print) : try print(rest)
        case "init": return wantsHelp ? say(Help.initialize) : try initialize(rest)
        default:
            throw Options.Problem(
                message: "unknown command '\(command)'",
                suggestion: Spelling.question(for: command, among: Self.commands)
            )
        }
    }

    private func say(_ text: String) -> Int32 {
        output(text)
        return 0
    }

    private func help(_ command: String?) -> Int32 {
        switch command {
        case "compile": say(Help.compile)
        case "validate": say(Help.validate)
        case "print": say(Help.print)
        case "init": say(Help.initialize)
        default: say(Help.overview)
        }
    }

    // MARK: - Commands

    private func compile(_ arguments: [String]) throws(Options.Problem) -> Int32 {
        let options = try Options(arguments, .init(flags: ["--check"], values: ["--config", "--format"]))
        let isJSON = try wantsJSON(options)
        var project = Project.load(
            configuration: options.values["--config"] ?? "baton.json",
            currentFolder: currentFolder
        )
        let files = project.generate()
        report(project, isJSON: isJSON)
        if let failure = project.failure { return failure.rawValue }

        let folder = ArtifactFolder(path: project.output)
        let changes = folder.changes(for: files)
        let shown = FilePath.relative(project.output, to: currentFolder)
        if options.flags.contains("--check") {
            for change in changes { errors("error: \(shown)/\(change.name) would be \(change.kind.rawValue)\n") }
            if !isJSON, changes.isEmpty { output("\(files.count) files are up to date\n") }
            return changes.isEmpty ? 0 : Project.Failure.input.rawValue
        }
        do throws(ArtifactFolder.WriteError) {
            try folder.apply(changes, files)
        } catch {
            errors("error: cannot write '\(error.path)': \(error.reason)\n")
            return Project.Failure.configuration.rawValue
        }
        if !isJSON {
            for change in changes { output("\(change.kind.rawValue) \(shown)/\(change.name)\n") }
            output("\(files.count) files, \(changes.count) changed\n")
        }
        return 0
    }

    private func validate(_ arguments: [String]) throws(Options.Problem) -> Int32 {
        let options = try Options(
            arguments,
            .init(values: ["--config", "--format"], lists: Self.inputLists)
        )
        let isJSON = try wantsJSON(options)
        let project = try load(options)
        report(project, isJSON: isJSON)
        if let failure = project.failure { return failure.rawValue }
        if !isJSON { output("no errors\n") }
        return 0
    }

    private func print(_ arguments: [String]) throws(Options.Problem) -> Int32 {
        let grammar = Options.Grammar(values: ["--config", "--format"], lists: Self.inputLists, takesWords: true)
        let options = try Options(arguments, grammar)
        let isJSON = try wantsJSON(options)
        let what = options.words.first
        guard what == "schema" || what == "operations" else {
            throw Options.Problem(message: "say what to print: 'schema' or 'operations'")
        }
        if what == "schema", options.words.count > 1 {
            throw Options.Problem(message: "unexpected argument '\(options.words[1])'")
        }
        let project = try load(options)
        report(project, isJSON: false)
        if let failure = project.failure { return failure.rawValue }
        guard let compilation = project.compilation else { return Project.Failure.configuration.rawValue }
        if what == "schema" {
            output(Printer.print(compilation.schema.document))
            return 0
        }
        let names = options.words.dropFirst()
        let all = compilation.operationTexts()
        let unknown = names.filter { name in !all.contains { $0.name == name } }
        for name in unknown {
            errors("error: there is no operation '\(name)'\n")
            if let question = Spelling.question(for: name, among: all.map(\.name)) { errors("  help: \(question)\n") }
        }
        if !unknown.isEmpty { return Project.Failure.input.rawValue }
        let chosen = all.filter { names.isEmpty || names.contains($0.name) }
        output(isJSON ? OperationList.json(chosen) : OperationList.text(chosen))
        return 0
    }

    private func initialize(_ arguments: [String]) throws(Options.Problem) -> Int32 {
        let options = try Options(arguments, .init(values: ["--config"]))
        let name = options.values["--config"] ?? "baton.json"
        let path = FilePath.join(currentFolder, name)
        if FileManager.default.fileExists(atPath: path) {
            errors("error: '\(name)' is there already\n")
            return Project.Failure.configuration.rawValue
        }
        let text = """
            {
              "schema": ["schema.graphql"],
              "documents": ["**/*.swift", "**/*.graphql"],
              "output": "__generated__",
              "access": "internal",
              "scalars": {}
            }

            """
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            errors("error: cannot write '\(name)': \(error.localizedDescription)\n")
            return Project.Failure.configuration.rawValue
        }
        output("created \(name); put the schema where it says, then run 'baton compile'\n")
        return 0
    }

    // MARK: - Parts of several commands

    private func load(_ options: Options) throws(Options.Problem) -> Project {
        if options.lists.isEmpty {
            return Project.load(
                configuration: options.values["--config"] ?? "baton.json",
                currentFolder: currentFolder
            )
        }
        if options.values["--config"] != nil {
            throw Options.Problem(message: "'--config' and '--schema' exclude each other")
        }
        guard let schema = options.lists["--schema"] else {
            throw Options.Problem(message: "'--schema' is missing")
        }
        return Project.load(
            schema: schema,
            schemaExtensions: options.lists["--schema-extension"] ?? [],
            documents: options.lists["--documents"] ?? [],
            currentFolder: currentFolder
        )
    }

    private func wantsJSON(_ options: Options) throws(Options.Problem) -> Bool {
        switch options.values["--format"] {
        case nil, "text": return false
        case "json": return true
        case let other?: throw Options.Problem(message: "'--format' is 'text' or 'json', not '\(other)'")
        }
    }

    private func report(_ project: Project, isJSON: Bool) {
        let diagnostics = project.diagnostics.sortedByPosition()
        if isJSON {
            var renderer = JSONRenderer(sources: project.sources)
            output(renderer.render(diagnostics) + "\n")
        } else {
            var renderer = TextRenderer(sources: project.sources)
            errors(renderer.render(diagnostics))
        }
    }
}
