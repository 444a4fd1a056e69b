import BatonCompiler
import BatonDiagnostics

/// The `baton` program without the process around it.
package enum CommandLineTool {
    /// The version that `--version` prints.
    package static let version = "0.1.0"

    /// What a run leaves behind.
    package struct Outcome: Hashable, Sendable {
        package var status = ExitStatus.success
        /// For standard output.
        package var output = ""
        /// For standard error.
        package var errors = ""

        package init() {}
    }

    /// How a run ended, as the process says it.
    package enum ExitStatus: Int32, Hashable, Sendable {
        case success = 0
        /// Schema, documents or artifacts are not as they should be.
        case inputErrors = 1
        /// The command line or the configuration is wrong.
        case usageErrors = 2
    }

    /// Runs a command line, without the name of the program, in a folder; relative paths count from there. What is said
    /// to run next begins with the program.
    package static func run(
        _ arguments: [String],
        in workingDirectory: String,
        as program: String = "baton",
        terminal: Terminal = .none
    ) -> Outcome {
        let workingDirectory = AbsolutePath(absolute: workingDirectory)
        var run = CommandRun(workingDirectory: workingDirectory, program: program, terminal: terminal)
        switch ArgumentParser(commands: CommandDescription.all, program: program).parse(arguments) {
        case .help(let text): run.print(text)
        case .version: run.print("baton \(version)")
        case .failure(let message): run.fail(message)
        case .command(let command, let arguments): command.perform(&run, arguments)
        }
        return run.outcome
    }
}
