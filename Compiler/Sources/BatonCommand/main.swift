import Foundation

let process = ProcessInfo.processInfo
let outcome = CommandLineTool.run(
    Array(CommandLine.arguments.dropFirst()),
    in: FileManager.default.currentDirectoryPath,
    as: ProgramName.of(CommandLine.arguments.first),
    terminal: Terminal(isTerminal: isatty(STDERR_FILENO) == 1, environment: process.environment),
    standardInput: { (try? FileHandle.standardInput.readToEnd()).flatMap { $0 }.map { [UInt8]($0) } ?? [] }
)
try? FileHandle.standardError.write(contentsOf: Data(outcome.errors.utf8))
try? FileHandle.standardOutput.write(contentsOf: Data(outcome.output.utf8))
exit(outcome.status.rawValue)
