import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonProject

/// The `baton` program as a function, without a process.
package enum CommandLineTool {
    /// The version that `--version` prints.
    package static var version: String { BatonVersion.text }

    /// The result of a run.
    package struct Outcome: Hashable, Sendable {
        package var status = ExitStatus.success
        /// The text for standard output.
        package var output = ""
        /// The text for standard error.
        package var errors = ""

        package init() {}
    }

    /// The exit status of the process.
    package enum ExitStatus: Int32, Hashable, Sendable {
        case success = 0
        /// The schema, the documents or the artifacts have errors.
        case inputErrors = 1
        /// The command line or the configuration is wrong.
        case usageErrors = 2
    }

    /// Runs a command line, without the name of the program, in a folder. Relative paths start at this folder.
    /// `program` begins every command that a message proposes. A table in `cache` counts only for the program in the
    /// file `executable`. `standardInput` returns all bytes of standard input, and `streams` are those of the language
    /// server. Values of headers may name variables of `environment`. `startProgram` runs another program in place of
    /// this one, and returns only if that failed, with the reason.
    package static func run(
        _ arguments: [String],
        in workingDirectory: String,
        as program: String = "baton",
        terminal: Terminal = .none,
        executable: AbsolutePath? = nil,
        cache: ProjectCache? = nil,
        console: WatchConsole? = nil,
        environment: [String: String] = [:],
        streams: ServerStreams? = nil,
        standardInput: @escaping () -> [UInt8] = { [] },
        startProgram: ((AbsolutePath, [String]) -> String)? = nil
    ) -> Outcome {
        let workingDirectory = AbsolutePath(absolute: workingDirectory)
        let file = executable.flatMap(FileStamp.init)
        var run = CommandRun(
            workingDirectory: workingDirectory, program: program, terminal: terminal,
            identity: "\(version) \(file.map { "\($0)" } ?? "")", cache: cache, console: console)
        run.readStandardInput = standardInput
        run.environment = environment
        run.streams = streams
        run.executable = executable
        run.startProgram = startProgram
        switch ArgumentParser(commands: CommandDescription.all, program: program).parse(arguments) {
        case .help(let text): run.print(text)
        case .version: run.print("baton \(version)")
        case .failure(let message): run.fail(message)
        case .command(let command, let arguments): command.perform(&run, arguments)
        }
        return run.outcome
    }
}
