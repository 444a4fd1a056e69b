import BatonHTTP
import Foundation
import NIOTransport

/// Measures the network on loopback, against a server in a process of its own.
///
///     swift run -c release NetworkLoad [--operations 1000] [--requests 20000] [--subscriptions 1000] [--rounds 3]
///
/// The program prints a table. It fails if a response or an event is missing.
@main struct Program {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.dropFirst().first == "serve" { return try await CannedServer.run() }
        func number(_ name: String, _ usual: Int) -> Int {
            guard let place = arguments.firstIndex(of: "--\(name)"), place + 1 < arguments.count else { return usual }
            return Int(arguments[place + 1]) ?? usual
        }
        let server = try ServerProcess(program: arguments[0])
        defer { server.stop() }
        let table = Table()
        try await RequestLoad(
            url: server.url, concurrency: number("operations", 1000), requests: number("requests", 20_000),
            rounds: number("rounds", 3)
        ).run(into: table)
        let sockets: [(String, any WebSocketTransport)] = [
            ("NIO", NIOWebSocketTransport()), ("curl", try CurlWebSocketTransport()),
        ]
        for (name, transport) in sockets {
            try await SubscriptionLoad(
                url: server.url, count: number("subscriptions", 1000), name: name, transport: transport
            ).run(into: table)
        }
        table.print()
    }
}

/// The server, as a child of this process.
private struct ServerProcess {
    let url: URL
    private let process = Process()
    /// A pipe into which nothing is written. It closes when this process ends for any reason, which ends the server.
    private let input = Pipe()

    struct NotStarted: Error {}

    init(program: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = ["serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)),
            let url = URL(string: "http://127.0.0.1:\(port)/graphql")
        else {
            process.terminate()
            throw NotStarted()
        }
        self.url = url
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
