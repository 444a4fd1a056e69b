import Baton
import BatonTesting
import Foundation
import StarWarsComponents
import TerminalRenderer

@main
enum Program {
    static func main() async {
        do {
            try await run(Options(Array(CommandLine.arguments.dropFirst())))
        } catch let failure as Options.Failure {
            fail("\(failure)", status: 2)
        } catch let failure as KeyScript.Failure {
            fail("\(failure)", status: 2)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func run(_ options: Options) async throws {
        if options.showsHelp {
            write(Options.help)
        } else if options.dumpsData {
            write(try SagaExport.text() + "\n")
        } else if let script = options.script {
            try await play(KeyScript(parsing: read(script)), options)
        } else if Terminal.showsScreens(environment: ProcessInfo.processInfo.environment) {
            try await runInteractively(options)
        } else {
            try await printFrame(options)
        }
    }

    @MainActor
    private static func runInteractively(_ options: Options) async throws {
        let colorMode = ColorMode(environment: ProcessInfo.processInfo.environment)
        let app = try App.make(
            url: options.url, store: options.store, clock: ContinuousClock(), colorMode: colorMode,
            random: SystemRandomNumberGenerator())
        try await app.screen.run(in: Terminal())
        try await app.environment.flush()
    }

    @MainActor
    private static func play(_ script: KeyScript, _ options: Options) async throws {
        let clock = ManualClock()
        let app = try App.make(url: options.url, store: options.store, clock: clock)
        var player = FramePlayer(app: app, clock: clock)
        await player.play(script) { write($0) }
        try await app.environment.flush()
    }

    /// Prints one frame with everything that it loads. What could not be loaded is an error.
    @MainActor
    private static func printFrame(_ options: Options) async throws {
        let clock = ManualClock()
        let app = try App.make(url: options.url, store: options.store, clock: clock)
        var player = FramePlayer(app: app, clock: clock)
        write(await player.loadedFrame())
        try await app.environment.flush()
        if let error = app.log.fetchError { throw FetchFailure(description: EventLog.reason(error)) }
    }

    /// The reason why a frame is not whole, for a person.
    private struct FetchFailure: Error, CustomStringConvertible {
        let description: String
    }

    private static func read(_ path: String) throws -> String {
        if path == "-" {
            return String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Options.Failure(description: "'\(path)' cannot be read")
        }
        return text
    }

    private static func write(_ text: String) {
        DescriptorOutput.write(text, to: DescriptorOutput.standard)
    }

    private static func fail(_ message: String, status: Int32) {
        DescriptorOutput.write("starwars: \(message)\n", to: DescriptorOutput.error)
        exit(status)
    }
}
