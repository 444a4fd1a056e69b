import BatonCommand
import BatonCompiler
import Foundation
import Testing

struct MockCommandTests {
    private static func run(
        _ arguments: [String], executable: AbsolutePath? = nil,
        start: @escaping (AbsolutePath, [String]) -> String = { _, _ in "" }
    ) -> CommandLineTool.Outcome {
        CommandLineTool.run(["mock"] + arguments, in: "/", executable: executable, startProgram: start)
    }

    @Test func withoutTheProgramTheCommandIsPrintedAsAShellReadsIt() throws {
        let folder = try TemporaryFolder(["baton": ""])
        let arguments = ["--schema", "a b.graphql", "it's", "", "--seed=7", "=x", "$HOME", "a\nb", "--help"]
        let outcome = Self.run(arguments, executable: folder.path.appending("baton"))
        #expect(outcome.status == .usageErrors)
        #expect(
            outcome.output
                == #"swift run baton-mock --schema 'a b.graphql' 'it'\''s' '' --seed=7 '=x' '$HOME' 'a"# + "\n"
                + "b' --help\n")
        #expect(outcome.errors.contains("'baton-mock' does not stand beside this program"))
        // The words are those that a shell gives to the program.
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "swift() { shift 2; printf '%s\\0' \"$@\"; }; " + outcome.output]
        let pipe = Pipe()
        shell.standardOutput = pipe
        try shell.run()
        let printed = pipe.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        #expect(String(decoding: printed, as: UTF8.self) == arguments.map { $0 + "\0" }.joined())
    }

    @Test func theProgramBesideItGetsTheArguments() throws {
        let folder = try TemporaryFolder(["baton-mock": "#!/bin/sh\n", "bin/link": ""])
        let path = folder.path.appending("baton-mock").description
        func outcome(executable: String) -> (started: [String], CommandLineTool.Outcome) {
            var started: [String] = []
            let outcome = Self.run(["--seed", "-x", "--help"], executable: folder.path.appending(executable)) {
                started = [$0.description] + $1
                return "it is broken"
            }
            return (started, outcome)
        }
        // A file that cannot be executed is no program.
        #expect(outcome(executable: "baton").started.isEmpty)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let (started, failed) = outcome(executable: "baton")
        #expect(started.first.map { URL(fileURLWithPath: $0).lastPathComponent } == "baton-mock")
        #expect(started.dropFirst() == ["--seed", "-x", "--help"])
        #expect(failed.status == .usageErrors)
        #expect(failed.errors.contains("cannot be started: it is broken"))
        // A link stands elsewhere than the program.
        try folder.write("", to: "baton")
        let link = folder.path.appending("bin").appending("baton").description
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.path.appending("baton").description)
        #expect(outcome(executable: "bin/baton").started.dropFirst() == ["--seed", "-x", "--help"])
    }

    @Test func statusAndSignalsAreThoseOfTheProgram() throws {
        let folder = try TemporaryFolder(["baton-mock": "#!/bin/sh\n[ \"$1\" = wait ] && exec sleep 600\nexit \"$1\"\n"]
        )
        let baton = folder.path.appending("baton").description
        try FileManager.default.copyItem(atPath: Self.products.appendingPathComponent("baton").path, toPath: baton)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path.appending("baton-mock").description)
        func launch(_ arguments: String...) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: baton)
            process.arguments = ["mock"] + arguments
            process.standardOutput = FileHandle.nullDevice
            // A test may run on a thread that blocks every signal, and a process inherits that.
            var (none, before) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            try process.run()
            return process
        }
        let process = try launch("37")
        process.waitUntilExit()
        #expect(process.terminationStatus == 37)
        #expect(process.terminationReason == .exit)
        let waiting = try launch("wait")
        waiting.terminate()
        waiting.waitUntilExit()
        #expect(waiting.terminationReason == .uncaughtSignal)
        #expect(waiting.terminationStatus == SIGTERM)
    }

    @Test func helpIsThatOfTheCommand() {
        let help = CommandLineTool.run(["help", "mock"], in: "/")
        #expect(help.status == .success)
        #expect(help.output.hasPrefix("usage: baton mock [ARGUMENT...]"))
        #expect(CommandLineTool.run(["--help"], in: "/").output.contains("  mock "))
        #expect(CommandLineTool.run(["serve"], in: "/").errors.contains("did you mean 'mock'?"))
    }

    /// The folder for the products of the build.
    private static var products: URL {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
            return bundle.bundleURL.deletingLastPathComponent()
        #else
            return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        #endif
    }
}
