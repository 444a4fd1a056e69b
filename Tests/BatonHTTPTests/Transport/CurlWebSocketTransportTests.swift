import Baton
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

@Suite(.timeLimit(.minutes(20)))
struct CurlWebSocketTransportTests {
    /// What the servers note, in order.
    private typealias Notes = (stream: AsyncStream<String>, continuation: AsyncStream<String>.Continuation)

    private static func connect(
        _ server: LoopbackServer, limit: Int = 1 << 20, _ options: CurlOptions = CurlOptions()
    ) async throws -> any WebSocketConnection {
        try await CurlWebSocketTransport(options).connect(
            to: server.url, headers: ["X-A": "1"], subprotocols: ["one", "two"], maximumMessageSize: limit)
    }

    @Test func messagesGoBothWaysAndTheCloseIsAnswered() async throws {
        let notes: Notes = AsyncStream.makeStream()
        // The first message comes with the response to the handshake.
        let server = try LoopbackServer.accepting("two", with: WebSocketFrame.bytes(.text, [97], mask: nil)) { peer in
            peer.send(.ping, [1, 2])
            while let event = peer.next() {
                switch event {
                case .text(let bytes): peer.send(.binary, bytes)
                case .close(let code, let reason):
                    notes.continuation.yield("\(code) \(reason)")
                    peer.close(code)
                    return
                default: notes.continuation.yield("\(event)")
                }
            }
        }
        let connection = try await Self.connect(server)
        #expect(connection.subprotocol == "two")
        #expect(server.requests.first?.headers["x-a"] == "1")
        #expect(try await connection.receive() == .text([97]))
        for size in [0, 1, 125, 126, 70_000, 1 << 20] {
            let message = [UInt8](repeating: 98, count: size)
            try await connection.send(message)
            #expect(try await connection.receive() == .text(message))
        }
        await connection.close(code: 4001, reason: "done")
        #expect(try await connection.receive() == .closed(code: 4001, reason: ""))
        await #expect(throws: HTTPError.self) { try await connection.send([1]) }
        notes.continuation.finish()
        #expect(await notes.stream.reduce(into: []) { $0.append($1) } == ["pong([1, 2])", "4001 done"])
    }

    @Test func theServersCloseIsAnswered() async throws {
        let notes: Notes = AsyncStream.makeStream()
        let server = try LoopbackServer.accepting { peer in
            peer.send(.text, [97])
            peer.close(4400)
            for event in peer.rest() { notes.continuation.yield("\(event)") }
            notes.continuation.finish()
        }
        let connection = try await Self.connect(server)
        #expect(connection.subprotocol == nil)
        #expect(try await connection.receive() == .text([97]))
        #expect(try await connection.receive() == .closed(code: 4400, reason: ""))
        #expect(await notes.stream.reduce(into: []) { $0.append($1) } == [#"close(code: 4400, reason: "")"#])
    }

    @Test func aBreachIsATypedErrorAndItsCodeIsSent() async throws {
        let breaches: [([UInt8], any Error, Int)] = [
            ([0x81, 1, 0xFF], WebSocketError.invalidMessage("in a frame, its text is not UTF-8"), 1007),
            ([0x83, 0], WebSocketError.invalidMessage("in a frame, it has an unknown opcode"), 1002),
            ([0x81, 126, 0x10, 0], HTTPError.bodyTooLarge(limit: 1_000), 1009),
        ]
        for (bytes, error, code) in breaches {
            let notes: Notes = AsyncStream.makeStream()
            let server = try LoopbackServer.accepting(with: bytes) { peer in
                for event in peer.rest() { notes.continuation.yield("\(event)") }
                notes.continuation.finish()
            }
            let connection = try await Self.connect(server, limit: 1_000)
            let thrown = await #expect(throws: (any Error).self) { _ = try await connection.receive() }
            #expect(thrown.map { "\($0)" } == "\(error)")
            #expect(await notes.stream.reduce(into: []) { $0.append($1) } == ["close(code: \(code), reason: \"\")"])
        }
    }

    @Test func aConnectionThatBreaksEndsAfterItsMessages() async throws {
        let server = try LoopbackServer.accepting { $0.send(.text, [97]) }
        for _ in 0..<20 {
            let connection = try await Self.connect(server)
            #expect(try await connection.receive() == .text([97]))
            await #expect(throws: HTTPError.self) { _ = try await connection.receive() }
            await #expect(throws: HTTPError.self) { try await connection.send([97]) }
        }
    }

    @Test func lettingGoAndCancellingCloseTheConnection() async throws {
        let server = try LoopbackServer.accepting { _ = $0.rest() }
        do { _ = try await Self.connect(server) }
        await until { server.openConnections == 0 }
        let connection = try await Self.connect(server)
        let receiver = Task { try await connection.receive() }
        receiver.cancel()
        await #expect(throws: CancellationError.self) { _ = try await receiver.value }
        // A cancelled receiver does not harm the connection.
        try await connection.send([97])
        let silent = try LoopbackServer { _ in .silence(after: []) }
        let attempt = Task { try await Self.connect(silent) }
        await until { !silent.requests.isEmpty }
        attempt.cancel()
        await #expect(throws: CancellationError.self) { _ = try await attempt.value }
        await until { silent.openConnections == 0 }
    }

    @Test func aReceiverThatRestsMakesTheServerWait() async throws {
        let written = Guarded(0)
        let message = [UInt8](repeating: 97, count: 64 << 10)
        let server = try LoopbackServer.accepting { peer in
            while peer.send(.text, message) { written.withLock { $0 += 1 } }
        }
        let connection = try await Self.connect(server)
        for received in 0..<1_000 {
            // Some megabytes are in the buffers of the sockets.
            #expect(written.withLock { $0 } <= received + 256)
            #expect(try await connection.receive() == .text(message))
        }
    }

    @Test func aProxyIsAskedForATunnel() async throws {
        let proxy = try LoopbackServer { request in
            .written { writer in
                guard request.method == "CONNECT" else { return }
                writer.write("HTTP/1.1 200 Go\r\n\r\n")
                let lines = String(decoding: writer.read(), as: UTF8.self).split(separator: "\r\n")
                let key = lines.first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.split(separator: " ").last
                let peer = FramePeer(writer, key: key.map { String($0) } ?? "")
                peer.send(.text, [97])
                _ = peer.rest()
            }
        }
        var options = CurlOptions()
        options.proxy = .url(proxy.url)
        let url = try #require(URL(string: "ws://host.invalid:81/graphql"))
        let connection = try await CurlWebSocketTransport(options).connect(
            to: url, headers: [:], subprotocols: [], maximumMessageSize: 100)
        #expect(try await connection.receive() == .text([97]))
        #expect(proxy.requests.map(\.target) == ["host.invalid:81"])
    }

    @Test func aRefusalIsATypedError() async throws {
        let server = try LoopbackServer { _ in .response(401, headers: ["Retry-After: 3"], "who are you") }
        await #expect(throws: RelayError.httpStatus(401, body: "who are you", retryAfter: .seconds(3))) {
            _ = try await Self.connect(server)
        }
        let silent = try LoopbackServer { _ in .bytes([]) }
        await #expect(throws: HTTPError.self) { _ = try await Self.connect(silent) }
        let wrong = try #require(URL(string: "ftp://127.0.0.1/"))
        await #expect(throws: HTTPError.self) {
            _ = try await CurlWebSocketTransport().connect(
                to: wrong, headers: [:], subprotocols: [], maximumMessageSize: 1)
        }
    }
}
