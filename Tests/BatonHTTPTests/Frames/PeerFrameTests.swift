import Baton
import Foundation
import RandomCases
import TestServer
import Testing

@testable import BatonHTTP

/// The frames against WebSocket packages of others, which `Tests/Integration/frames.py` runs in random fragmentation.
@Suite(
    .enabled(if: Peers.python != nil, "Tests/Integration/frames.py runs it"), .serialized,
    .timeLimit(.minutes(30)))
struct PeerFrameTests {
    /// The script as a process, and the lines that it prints.
    private final class Script {
        private let process = Process()
        private let output = Pipe()

        init(_ arguments: String...) throws {
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Integration/frames.py")
            process.executableURL = URL(fileURLWithPath: try #require(Peers.python))
            process.arguments = ["-B", script.path] + arguments
            process.standardOutput = output
            try process.run()
        }

        deinit { if process.isRunning { process.terminate() } }

        /// The next number that it prints.
        func number() throws -> Int {
            var line: [UInt8] = []
            while line.last != UInt8(ascii: "\n") {
                let wasRunning = process.isRunning
                // A signal may end the wait without a byte.
                let byte = try output.fileHandleForReading.read(upToCount: 1) ?? Data()
                line += byte
                guard !byte.isEmpty || wasRunning else { break }
            }
            let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            return try #require(Int(text), "\(text)")
        }

        func isDone() -> Bool {
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }

    @Test(arguments: ["wsproto", "websockets"])
    func messagesComeBackFromAServer(_ package: String) async throws {
        let script = try Script("serve", package, "\(Peers.seed)")
        let url = try #require(URL(string: "ws://127.0.0.1:\(try script.number())/"))
        let connection = try await CurlWebSocketTransport().connect(
            to: url, headers: [:], subprotocols: [], maximumMessageSize: 1 << 20)
        let messages = (0..<Peers.messages).map { number in
            let size = number % 97 == 0 ? 70_000 : number % 13 == 0 ? 0 : number % 400
            return Array(String(repeating: "\(number)\u{20AC}", count: size / 4).utf8)
        }
        let sending = Task { for message in messages { try await connection.send(message) } }
        for message in messages {
            guard case .text(message) = try await connection.receive() else {
                Issue.record("with the seed \(Peers.seed), a message came back changed")
                return
            }
        }
        try await sending.value
        await connection.close(code: 1000, reason: "done")
        #expect(try await connection.receive() == .closed(code: 1000, reason: "done"))
        print("frames: \(try script.number()) with the server of \(package), seed \(Peers.seed)")
        #expect(script.isDone())
    }

    @Test(arguments: ["wsproto", "websockets"])
    func messagesOfAClientComeBack(_ package: String) async throws {
        let seed = UInt64(Peers.seed)
        let server = try LoopbackServer.accepting { peer in
            var random = SeededGenerator(seed: seed)
            while let event = peer.next() {
                switch event {
                case .text(let bytes), .binary(let bytes): Self.echo(bytes, to: peer, &random)
                case .ping(let payload): peer.send(.pong, payload)
                case .pong: break
                case .close(let code, _): return peer.close(code)
                }
            }
        }
        let script = try Script("ask", package, "\(Peers.seed)", "\(server.port)", "\(Peers.messages)")
        print("frames: \(try script.number()) with the client of \(package), seed \(Peers.seed)")
        #expect(script.isDone(), "seed \(Peers.seed)")
    }

    /// Sends a message back in random fragments, with pings between.
    private static func echo(_ bytes: [UInt8], to peer: FramePeer, _ random: inout SeededGenerator) {
        let isText = String(validating: bytes, as: UTF8.self) != nil
        var opcode: WebSocketFrame.Opcode = isText ? .text : .binary
        var rest = bytes[...]
        repeat {
            let part = rest.prefix(Int.random(in: 0...max(rest.count, 1), using: &random))
            rest = rest.dropFirst(part.count)
            peer.send(opcode, Array(part), isFinal: rest.isEmpty)
            opcode = .continuation
            if Bool.random(using: &random) { peer.send(.ping, [1, 2, 3]) }
        } while !rest.isEmpty
    }
}

/// What the script says in the environment.
private enum Peers {
    static let python = ProcessInfo.processInfo.environment["BATON_FRAMES"]
    /// How many messages go each way over each connection, and the seed of all that is random.
    static let messages = number("BATON_FRAME_MESSAGES") ?? 500
    static let seed = number("BATON_SEED") ?? Int.random(in: 0..<1_000_000)

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
}
