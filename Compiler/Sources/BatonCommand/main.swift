import BatonCompiler
import BatonProject
import Foundation

let process = ProcessInfo.processInfo

/// Writes at once, for commands that do not end by themselves.
@Sendable func writeNow(_ output: String, _ errors: String) {
    try? FileHandle.standardError.write(contentsOf: Data(errors.utf8))
    try? FileHandle.standardOutput.write(contentsOf: Data(output.utf8))
}

let signals = StopSignals()
let outcome = CommandLineTool.run(
    Array(CommandLine.arguments.dropFirst()),
    in: FileManager.default.currentDirectoryPath,
    as: ProgramName.of(CommandLine.arguments.first),
    terminal: Terminal(isTerminal: isatty(STDERR_FILENO) == 1, environment: process.environment),
    executable: Bundle.main.executablePath.map { AbsolutePath(absolute: $0) },
    cache: ProjectCache.standard(environment: process.environment),
    console: WakePipe().map { stop in
        WatchConsole(stop: stop, isWaited: { signals.send(to: stop) }, write: writeNow)
    },
    environment: process.environment,
    streams: .standard,
    standardInput: { (try? FileHandle.standardInput.readToEnd()).flatMap { $0 }.map { [UInt8]($0) } ?? [] }
)
writeNow(outcome.output, outcome.errors)
exit(outcome.status.rawValue)
