import Baton
import Foundation
import RandomCases
import TestServer
import Testing

@testable import BatonHTTP

/// Sending that is cancelled at any moment, against servers that do not behave.
@Suite(.timeLimit(.minutes(20)))
struct CurlSocketCancellingTests {
    enum Server: String, CaseIterable {
        /// Sends messages without end, and reads nothing.
        case floods
        /// Neither reads nor sends.
        case stalls
        /// Says that it sends no more, and reads slowly.
        case halfCloses

        func make() throws -> LoopbackServer {
            let flood = WebSocketFrame.bytes(.text, [UInt8](repeating: 97, count: 4_096), mask: nil)
            return try LoopbackServer { request in
                .written { writer in
                    _ = FramePeer(writer, key: request.headers["sec-websocket-key"] ?? "")
                    switch self {
                    case .floods: while writer.write(flood) {}
                    case .stalls: break
                    case .halfCloses:
                        writer.endWriting()
                        _ = writer.read()
                    }
                    _ = writer.waitForClose()
                }
            }
        }
    }

    /// What a server has to hold before a sender waits for it.
    private static let text = [UInt8](repeating: 98, count: 1 << 20)
    /// A long run makes a thousand visits. Under the thread sanitizer a visit takes seconds.
    #if BATON_TSAN
        private static let rounds = RandomCases.count(4)
    #else
        private static let rounds = RandomCases.count(34)
    #endif

    @Test(arguments: Server.allCases)
    func everyCallReturns(_ kind: Server) async throws {
        let server = try kind.make()
        defer { server.stop() }
        let transport = try CurlWebSocketTransport()
        // Some at a time, because each connection has a thread.
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<Self.rounds {
                if round >= 8 { await group.next() }
                group.addTask { await Self.visit(server.url, transport, UInt64(round)) }
            }
        }
        await until { server.openConnections == 0 }
    }

    /// Opens a connection, sends and receives with several tasks, cancels some of them at some moment, and closes.
    private static func visit(_ url: URL, _ transport: CurlWebSocketTransport, _ round: UInt64) async {
        let connection = try? await transport.connect(
            to: url, headers: [:], subprotocols: [], maximumMessageSize: 1 << 20)
        guard let connection else {
            Issue.record("there is no connection")
            return
        }
        let senders = (0..<3).map { _ in Task { try await connection.send(Self.text) } }
        let receiver = Task { while case .text = try await connection.receive() {} }
        // Between no time and a millisecond, a different one for each round.
        for _ in 0..<(round * 7 % 40) { await Task.yield() }
        try? await Task.sleep(for: .microseconds(round * 37 % 1_000))
        let closer = round % 3 == 0 ? Task { await connection.close(code: 1000, reason: "") } : nil
        for sender in senders { sender.cancel() }
        if round % 2 == 0 { receiver.cancel() }
        for sender in senders { _ = await sender.result }
        await closer?.value
        await connection.close(code: 1000, reason: "")
        receiver.cancel()
        _ = await receiver.result
    }
}
