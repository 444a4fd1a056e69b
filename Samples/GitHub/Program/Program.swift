import Foundation
import TerminalRenderer

@main
enum Program {
    private static let help = """
        github: the issues and pull requests of a repository

            github [OWNER/NAME] [--url URL] [--every SECONDS] [--state FOLDER] [--store FILE] [--faults LIST]

        With a token in GITHUB_TOKEN the program asks GitHub, or the endpoint of --url. Without either it has a service
        of its own with made-up data, which fails as --faults says: latency=MS, comments=N, outage=PERIOD/SECONDS,
        limit=POINTS. What is shown is fetched again every 60 seconds, or as --every says; 0 is never. Texts that are not
        sent and the filter are kept in ~/.local/state/baton-github, or in --state. What was loaded is kept in the file of
        --store, with which the next use begins. NO_COLOR switches colours off, BROWSER names the browser.

        """

    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment)
            if options.isHelp { return print(help, terminator: "") }
            try await run(options)
        } catch {
            FileHandle.standardError.write(Data("github: \(error)\n".utf8))
            exit(2)
        }
    }

    @MainActor
    private static func run(_ options: Options) async throws {
        let session = Session(
            network: options.network, repository: options.repository, clock: ContinuousClock(),
            refreshInterval: options.refreshInterval, now: { Date() }, file: options.file,
            persistence: options.persistence)
        let mode = ColorMode(environment: ProcessInfo.processInfo.environment)
        let screen = Screen(session.environment, theme: .colored, colorMode: mode) { App(in: $0, session) }
        // However the program ends: by a key, a signal, or because the terminal is gone.
        defer { session.keep() }
        try await screen.run(in: Terminal())
        // What was loaded last is kept, or the program says why not.
        try await session.environment.flush()
    }
}
