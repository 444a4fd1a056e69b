import BatonCompiler
import BatonDiagnostics
import BatonProject

/// The state of one run: its working directory, and its output so far.
struct CommandRun {
    let workingDirectory: AbsolutePath
    /// The text that starts the program at a prompt, such as `swift run baton`.
    let program: String
    let terminal: Terminal
    /// The identity of the program: its version and its file.
    let identity: String
    /// Where tables of projects are kept; nil if they are not.
    let cache: ProjectCache?
    /// What a command that does not end by itself writes to; nil if there is nothing.
    let console: WatchConsole?
    /// What the language server reads and writes; nil if there is nothing.
    var streams: ServerStreams?
    /// Returns all bytes of standard input.
    var readStandardInput: () -> [UInt8] = { [] }
    var environment: [String: String] = [:]
    /// The file of the program; nil if it is not known.
    var executable: AbsolutePath?
    /// Runs another program in place of this one; returns only if that failed, with the reason.
    var startProgram: ((AbsolutePath, [String]) -> String)?
    var outcome = CommandLineTool.Outcome()

    init(
        workingDirectory: AbsolutePath, program: String, terminal: Terminal, identity: String = "",
        cache: ProjectCache? = nil, console: WatchConsole? = nil
    ) {
        self.console = console
        self.identity = identity
        self.cache = cache
        self.workingDirectory = workingDirectory
        self.program = program.printable
        self.terminal = terminal
    }

    func path(_ text: String) -> AbsolutePath { AbsolutePath(text, relativeTo: workingDirectory) }

    /// The text of a path in messages.
    func displayed(_ path: AbsolutePath) -> String { path.displayed(in: workingDirectory).printable }

    /// Adds a line to standard output.
    mutating func print(_ line: String) {
        outcome.output += line.hasSuffix("\n") ? line : line + "\n"
    }

    /// Adds a line to standard error.
    mutating func note(_ line: String) {
        outcome.errors += line + "\n"
    }

    /// Reports that the command line is wrong, or what another status says.
    mutating func fail(_ message: String, status: CommandLineTool.ExitStatus = .usageErrors) {
        // The message may quote any text of the command line, so that each line is escaped.
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
        note("baton: error: " + lines.joined(separator: "\n"))
        outcome.status = status
    }

    /// Sets the status, unless the current status is more severe.
    mutating func raise(_ status: CommandLineTool.ExitStatus) {
        if status.rawValue > outcome.status.rawValue { outcome.status = status }
    }
}
