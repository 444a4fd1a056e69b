import BatonCommand
import BatonCompiler
import BatonProject
import Foundation
import Synchronization
import Testing

struct CommandLineTests {
    @Test(arguments: [
        ("", "a command is missing"),
        ("compil", "unknown command 'compil'; did you mean 'compile'?"),
        ("--confg", "unknown option '--confg'"),
        ("compile --confg x", "unknown option '--confg'; did you mean '--config'?"),
        ("compile --config", "'--config' needs a value FILE"),
        ("compile --config --check", "'--config' needs a value FILE"),
        ("compile --config a --config b", "'--config' is given twice"),
        ("compile --check=yes", "'--check' takes no value"),
        ("validate --all=yes", "'--all' takes no value"),
        ("compile --format xml", "'--format' must be 'text', 'json' or 'github', not 'xml'"),
        ("compile extra", "'compile' takes no argument 'extra'"),
        ("compile -- --check", "'compile' takes no argument '--check'"),
        ("compile --watch --check", "'--check' and '--watch' exclude each other"),
        ("compile --watch=yes", "'--watch' takes no value"),
        ("validate --schema", "'--schema' needs at least one value S"),
        ("validate --schema --documents x", "'--schema' needs at least one value S"),
        ("validate --schema a --config b", "'--config' and '--schema' exclude each other"),
        ("validate --documents a", "'--documents' needs '--schema'"),
        ("validate --warning", "'--warning' needs at least one value ID=LEVEL"),
        ("validate --warning a", "'--warning' needs ID=off, ID=warning or ID=error, not 'a'"),
        ("validate --warning a=b=c", "'--warning' needs ID=off, ID=warning or ID=error, not 'a=b=c'"),
        ("compile --warning syntax=off", "'--warning' cannot change 'syntax', which is always an error"),
        (
            "compile --warning=unused-fragmen=off",
            "there is no warning 'unused-fragmen'; did you mean 'unused-fragment'?"
        ),
        ("print", "'print' is no whole command; did you mean 'print schema' or 'print operations'?"),
        ("schema", "'schema' is no whole command; did you mean 'schema fetch'?"),
        ("print operatons", "unknown command 'print operatons'; did you mean 'operations'?"),
        ("print operations --schema a", "'--schema' needs '--documents'"),
        ("watch", "unknown command 'watch'; did you mean 'compile --watch'?"),
        ("fetch-schema", "unknown command 'fetch-schema'; did you mean 'schema fetch'?"),
        ("schema download", "unknown command 'schema download'; did you mean 'schema fetch'?"),
        ("compile --validate", "unknown option '--validate'; did you mean '--check'?"),
        ("compile --schema a", "unknown option '--schema'; 'schema' is a key of baton.json"),
        ("init --src a", "unknown option '--src'; 'documents' is a key of baton.json"),
        ("validate --build x", "unknown option '--build'; 'compile' has it"),
        (
            "validate --watch --schema a --documents b",
            "'--watch' watches the project of a configuration, and excludes '--schema'"
        ),
        ("compile --chekc", "unknown option '--chekc'; did you mean '--check'?"),
    ]) func mistakesAreExplained(_ arguments: String, _ expected: String) {
        let outcome = CommandLineTool.run(arguments.split(separator: " ").map(String.init), in: "/")
        #expect(outcome.status == .usageErrors)
        #expect(outcome.output == "")
        let first = outcome.errors.prefix { $0 != "\n" }
        #expect(first == "baton: error: " + expected)
    }

    @Test func aWatchSaysThatItHasBegun() throws {
        let folder = try Self.folderToWatch()
        #expect(try Self.watch(folder).hasPrefix("watching: 1 written, 0 removed, 0 unchanged ("))
    }

    @Test func aWatchCountsBuildersWithTheArtifacts() throws {
        let folder = try Self.folderToWatch(#", "builders": true, "buildersOutput": "Builders", "module": "App""#)
        let first = try Self.watch(folder)
        let generated = folder.contents.keys.filter { $0.hasSuffix(".graphql.swift") }
        #expect(generated.count > 2)
        #expect(first.hasPrefix("watching: \(generated.count) written, 0 removed, 0 unchanged ("), "\(first)")
    }

    private static func folderToWatch(_ more: String = "") throws -> TemporaryFolder {
        try TemporaryFolder([
            "baton.json": #"{"schema": ["schema.graphql"], "documents": ["*.graphql"], "output": "out"\#(more)}"#,
            "schema.graphql": "type Query { film: String }", "film.graphql": "query Film { film }",
        ])
    }

    /// What a watch prints in its first round, after which it ends.
    private static func watch(_ folder: TemporaryFolder) throws -> String {
        let stop = try #require(WakePipe())
        let printed = Mutex("")
        let console = WatchConsole(stop: stop) { output, _ in
            printed.withLock { $0 += output }
            stop.wake()
        }
        let outcome = CommandLineTool.run(
            ["compile", "--watch"], in: folder.path.description, console: console)
        #expect(outcome.status == .success)
        return printed.withLock { $0 }
    }

    @Test(arguments: ["init", "compile", "validate", "print schema", "print operations"])
    func everyCommandHasHelp(_ command: String) {
        let words = command.split(separator: " ").map(String.init)
        let outcome = CommandLineTool.run(words + ["--help"], in: "/")
        #expect(outcome.status == .success)
        #expect(outcome.errors == "")
        #expect(outcome.output.hasPrefix("usage: baton \(command)"))
        #expect(outcome.output.contains("Exit status: 0"))
        let usage = outcome.output.split(separator: "\n\n")[0]
        #expect(usage.split(separator: "\n").allSatisfy { $0.count <= 100 })
        #expect(CommandLineTool.run(["help"] + words, in: "/") == outcome)
        #expect(CommandLineTool.run(["--help"], in: "/").output.contains("  \(command) "))
    }

    @Test func helpNamesEveryKeyOfTheConfiguration() {
        let help = CommandLineTool.run(["compile", "--help"], in: "/").output
        for key in ConfigurationKey.allCases { #expect(help.contains("\n  \(key.rawValue) ")) }
    }

    // MARK: - The executable

    @Test func theProgramPrintsAndExitsAsTheCommandsSay() throws {
        let folder = try CommandTests.project()
        let version = try Self.launch("--version", in: folder)
        #expect(version.status == 0 && version.output == "baton \(CommandLineTool.version)\n")
        let compile = try Self.launch("compile", in: folder)
        #expect(compile.status == 0 && compile.errors == "")
        #expect(compile.output.hasSuffix("2 written, 0 removed, 0 unchanged\n"))
        try folder.write("query A { nothing }", to: "A.graphql")
        let broken = try Self.launch("compile", in: folder)
        #expect(broken.status == 1 && broken.output == "")
        #expect(
            broken.errors.hasPrefix("A.graphql:1:11: error: unknown field 'nothing' on type 'Query' [unknown-field]\n"))
        let usage = try Self.launch("compile --nonsense", in: folder)
        #expect(usage.status == 2 && usage.output == "")
    }

    /// What libcurl says of a proxy quotes its URL.
    @Test(arguments: ["ftp://bob:s3cret@127.0.0.1:1", "http://bob:s3cret@127.0.0.1:99999", "bob:s3cret@127.0.0.1:1"])
    func fetchingASchemaKeepsTheSecretsOfAProxy(_ proxy: String) throws {
        let folder = try CommandTests.project()
        let fetch = try Self.launch(
            "schema fetch http://127.0.0.1:1/graphql --retries 0", in: folder,
            environment: ["http_proxy": proxy, "no_proxy": "", "NO_PROXY": ""])
        #expect(fetch.status != 0)
        #expect(fetch.errors.contains("error"))
        let said = fetch.output + fetch.errors
        #expect(!said.contains("s3cret") && !said.contains("bob"), "\(said)")
    }

    private static func launch(
        _ arguments: String,
        in folder: TemporaryFolder,
        environment: [String: String] = [:]
    ) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = products.appendingPathComponent("baton")
        process.arguments = arguments.split(separator: " ").map(String.init)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path.description)
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Standard output and standard error are far smaller than the buffer of a pipe.
        let outputData = output.fileHandleForReading.readDataToEndOfFile()
        let errorData = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: outputData, as: UTF8.self),
            String(decoding: errorData, as: UTF8.self)
        )
    }

    /// The folder for the products of the build: the test runner and the executables.
    private static var products: URL {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
            return bundle.bundleURL.deletingLastPathComponent()
        #else
            return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        #endif
    }
}
