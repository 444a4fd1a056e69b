import BatonCompiler
import BatonProject
import Foundation

let process = ProcessInfo.processInfo

/// Writes at once, for commands that do not end by themselves.
@Sendable func writeNow(_ output: String, _ errors: String) {
    try? FileHandle.standardError.write(contentsOf: Data(errors.utf8))
    try? FileHandle.standardOutput.write(contentsOf: Data(output.utf8))
}

/// Lets a program take the place of this process, so that its status and its signals are those of this one.
func startProgram(_ path: AbsolutePath, _ arguments: [String]) -> String {
    var words = ([path.description] + arguments).map { strdup($0) }
    words.append(nil)
    execv(path.description, words)
    let reason = String(cString: strerror(errno))
    for word in words { free(word) }
    return reason
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
    standardInput: { (try? FileHandle.standardInput.readToEnd()).flatMap { $0 }.map { [UInt8]($0) } ?? [] },
    startProgram: startProgram
)
writeNow(outcome.output, outcome.errors)
exit(outcome.status.rawValue)
