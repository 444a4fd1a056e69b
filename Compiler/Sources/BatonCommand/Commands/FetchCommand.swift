import BatonCompiler
import BatonFetch
import Foundation

/// `baton schema fetch`
enum FetchCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard let output = output(&run, arguments) else { return }
        guard let schema = fetch(arguments.operands.first ?? "", &run, arguments) else { return }
        let form: FetchedSchema.Form
        switch output {
        case .standardOutput: return run.print(schema.text(as: .sdl))
        case .file(let path): form = path.name.lowercased().hasSuffix(".json") ? .json : .sdl
        }
        guard case .file(let path) = output else { return }
        let bytes = Array(schema.text(as: form).utf8)
        let displayed = run.displayed(path)
        var isThere = true
        do throws(InputFile.Failure) {
            if try InputFile.read(path) == bytes { return run.print("\(displayed) is up to date") }
        } catch {
            guard error.isMissing else { return run.fail("'\(displayed)' \(error.reason)") }
            isThere = false
        }
        if arguments.has(.check) {
            run.note("\(displayed) \(isThere ? "differs from the schema of the server" : "is missing")")
            run.raise(.inputErrors)
        } else if write(bytes, to: path, &run) {
            run.print("wrote \(displayed)")
        }
    }

    /// Fetches the schema of the server at a URL; nil if that failed, which is reported.
    static func fetch(_ url: String, _ run: inout CommandRun, _ arguments: ParsedArguments) -> FetchedSchema? {
        guard var fetch = request(url, &run, arguments) else { return nil }
        fetch.proxyVariable = fetch.address.proxyVariable(in: run.environment)
        do {
            return try fetch.schema()
        } catch {
            run.fail(error.text, status: .inputErrors)
            return nil
        }
    }

    /// Writes a file, which may exist; returns false if that failed, which is reported.
    static func write(_ bytes: [UInt8], to path: AbsolutePath, _ run: inout CommandRun) -> Bool {
        do {
            let folder = path.parent.description
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            if FileKind(at: path) == nil {
                try OutputFile.write(bytes, to: path)
            } else {
                try SourceRewriter.write(bytes, to: path)
            }
            return true
        } catch {
            let reason = (error as? OutputFile.Failure)?.reason ?? error.localizedDescription
            run.fail("'\(run.displayed(path))' cannot be written: \(reason)")
            return false
        }
    }

    private static func request(_ url: String, _ run: inout CommandRun, _ arguments: ParsedArguments) -> SchemaFetch? {
        do throws(FetchFailure) {
            var fetch = SchemaFetch(address: try ServerAddress(url)) { _ = sleep(UInt32(clamping: $0)) }
            for text in arguments.values(.header) {
                fetch.fields.append(try HeadField(text, environment: run.environment))
            }
            if arguments.has(.timeout) {
                guard let seconds = number(.timeout, in: 1...3_600, &run, arguments) else { return nil }
                fetch.milliseconds = seconds * 1_000
            }
            if arguments.has(.retries) {
                guard let retries = number(.retries, in: 0...20, &run, arguments) else { return nil }
                fetch.retries = retries
            }
            fetch.authorities = arguments.value(.authorities).map { run.path($0).description }
            return fetch
        } catch {
            run.fail(error.text)
            return nil
        }
    }

    private static func number(
        _ option: OptionDescription, in choices: ClosedRange<Int>, _ run: inout CommandRun, _ arguments: ParsedArguments
    ) -> Int? {
        let text = arguments.value(option) ?? ""
        if let value = Int(text), choices.contains(value) { return value }
        run.fail("'\(option.name)' must be from \(choices.lowerBound) to \(choices.upperBound), not '\(text)'")
        return nil
    }

    // MARK: - Output

    private enum Output {
        case standardOutput
        case file(AbsolutePath)
    }

    /// Where `--output` says, or else where the project has its schema; nil if that is not one file, which is reported.
    private static func output(_ run: inout CommandRun, _ arguments: ParsedArguments) -> Output? {
        if let named = arguments.value(.output) {
            if named == "-" {
                guard arguments.has(.check) else { return .standardOutput }
                run.fail("'--check' needs a file to compare with")
                return nil
            }
            let path = run.path(named)
            if FileKind(at: path) != .folder { return .file(path) }
            run.fail("'\(run.displayed(path))' is a folder, and '--output' needs a file")
            return nil
        }
        let isBeginning =
            !arguments.has(.config) && Configuration.nearest(to: run.workingDirectory) == nil
            && Configuration.below(run.workingDirectory).isEmpty
        if isBeginning { return .file(run.path("schema.graphql")) }
        guard var compiler = arguments.compiler(for: &run) else { return nil }
        guard let configuration = arguments.configuration(for: &run, &compiler) else {
            run.report(compiler, as: .text, arguments)
            return nil
        }
        let entries = configuration.schema.map(\.text)
        if let only = entries.first, entries.count == 1, !Glob.isPattern(only) {
            let path = AbsolutePath(only, relativeTo: configuration.directory)
            if FileKind(at: path) != .folder { return .file(path) }
        }
        run.fail("the schema of the project is not one file: say with '--output' where this one goes")
        return nil
    }
}

extension FetchFailure {
    fileprivate var text: String { suggestion.map { "\(message)\n  help: \($0)" } ?? message }
}

extension OptionDescription {
    static let url = OptionDescription(
        name: "--url", arity: .one("URL"), summary: "The server to fetch the schema from.")
    static let output = OptionDescription(
        name: "--output",
        arity: .one("FILE"),
        summary:
            "Where the schema goes, as JSON if the name ends so; '-' for standard output. Else the project's schema."
    )
    static let header = OptionDescription(
        name: "--header",
        arity: .each("'NAME: VALUE'"),
        summary: "A header for the server, any number of times. $NAME in the value is a variable of the environment."
    )
    static let timeout = OptionDescription(
        name: "--timeout", arity: .one("SECONDS"), summary: "The longest time for one attempt; 30 if left out.")
    static let retries = OptionDescription(
        name: "--retries",
        arity: .one("N"),
        summary: "How often to ask again after a failure that may pass; 2 if left out."
    )
    static let authorities = OptionDescription(
        name: "--authorities",
        arity: .one("FILE"),
        summary: "The certificates to trust, as PEM, in place of the system's."
    )
}

extension CommandDescription {
    static let fetchSchema = CommandDescription(
        words: ["schema", "fetch"],
        summary: "Asks a server for its schema and writes the file.",
        discussion: [
            """
            Writes SDL with descriptions and deprecations, or the answer as JSON, in the order of names, so that the same
            schema gives the same file. Nothing is written unless the answer is whole.
            """,
            """
            Headers go to no other scheme, host or port than those of the URL. In single quotes, a variable such as $TOKEN is
            read by this program and is not part of the command line; '$$' is a dollar sign.
            """,
        ],
        operands: ("URL", "The URL of the GraphQL server."),
        takesOneOperand: true,
        options: [.output, .check, .header, .timeout, .retries, .authorities, .config],
        perform: FetchCommand.perform
    )
}
