import BatonLanguageServer
import Foundation

/// `baton lsp`
enum LanguageServerCommand {
    static func perform(_ run: inout CommandRun, _ arguments: ParsedArguments) {
        guard let streams = run.streams else {
            run.fail("'lsp' needs a program to talk with")
            return
        }
        // An editor that is gone ends the server by an error of writing, and not by a signal.
        signal(SIGPIPE, SIG_IGN)
        let loop = ServerLoop(version: CommandLineTool.version, read: streams.read, write: streams.write)
        if loop.run() != 0 { run.raise(.inputErrors) }
    }
}

extension CommandDescription {
    static let languageServer = CommandDescription(
        words: ["lsp"],
        summary: "Serves an editor over standard input and output, by the Language Server Protocol.",
        discussion: [
            """
            Each 'baton.json' in the editor's folders is a project; documents are judged as they are typed. Nothing is
            written. The guide WorkingInAnEditor has settings for editors.
            """
        ],
        options: [.standardStreams],
        perform: LanguageServerCommand.perform
    )
}

extension OptionDescription {
    static let standardStreams = OptionDescription(
        name: "--stdio",
        arity: .flag,
        summary: "Changes nothing; some editors pass it to every server."
    )
}
