import Baton
import BatonHTTP
import Foundation
import NIOTransport
import NIOWebSocket
import Testing

@Suite(.timeLimit(.minutes(20)))
struct WebSocketTransportTests {
    private static func connect(
        _ kind: SocketKind, _ url: URL, headers: HTTPHeaders = [:], limit: Int = 1 << 20
    ) async throws -> any WebSocketConnection {
        try await kind.make().connect(
            to: url, headers: headers, subprotocols: ["first", "second"], maximumMessageSize: limit)
    }

    @Test(arguments: SocketKind.allCases)
    func messagesGoBothWaysUnderTheChosenSubprotocol(_ kind: SocketKind) async throws {
        try await SocketServer.run { peer in
            while let frame = try await peer.next() {
                #expect(frame.isMasked)
                try await peer.send("echo \(frame.text)")
            }
        } _: { server in
            let connection = try await Self.connect(kind, server.url)
            #expect(connection.subprotocol == "first")
            for text in ["a", "b"] {
                try await connection.send(Array(text.utf8))
                #expect(try await connection.receive() == .text(Array("echo \(text)".utf8)))
            }
        }
    }

    @Test(arguments: SocketKind.allCases)
    func aRefusedHandshakeSaysHowLongToWait(_ kind: SocketKind) async throws {
        try await RawServer.run { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nbusy")
        } _: { server in
            await #expect(throws: RelayError.httpStatus(503, body: "busy", retryAfter: .seconds(7))) {
                _ = try await Self.connect(kind, server.url)
            }
        }
    }

    @Test(arguments: SocketKind.allCases)
    func theHandshakeHasTheHeadersOfTheCallerAndNoExtension(_ kind: SocketKind) async throws {
        let heads = Signal<String>()
        try await RawServer.run { connection in
            heads.send(try await connection.readHead() ?? "")
            try await connection.write("HTTP/1.1 403 No\r\nContent-Length: 6\r\n\r\ngo off")
        } _: { server in
            let url = server.url.appending(queryItems: [URLQueryItem(name: "a", value: "b c")])
            await #expect(throws: RelayError.httpStatus(403, body: "go off")) {
                _ = try await Self.connect(kind, url, headers: ["Authorization": "token", "Sec-WebSocket-Key": "mine"])
            }
            let head = try #require(await heads.next())
            #expect(head.hasPrefix("GET /graphql?a=b%20c HTTP/1.1\r\n"))
            #expect(head.contains("Authorization: token\r\n"))
            #expect(!head.contains("mine"))
            #expect(!head.lowercased().contains("sec-websocket-extensions"))
        }
    }

    /// Sends until the buffers of both sides are full and a message waits.
    private static func filling(_ connection: any WebSocketConnection) async throws -> Task<Void, any Error> {
        let sending = Task {
            let message = [UInt8](repeating: 0x20, count: 1 << 16)
            while true { try await connection.send(message) }
        }
        try await Task.sleep(for: .milliseconds(300))
        return sending
    }

    /// A server that does not read fills the buffers of both sides, which are small here: other tests run beside it.
    @Test(.oneAtATime, arguments: SocketKind.allCases)
    func cancellingAMessageThatTheServerDoesNotReadClosesTheConnection(_ kind: SocketKind) async throws {
        let ended = Signal<Void>()
        let mayEnd = Signal<Void>()
        try await SocketServer.run(receiveBuffer: 1 << 14) { peer in
            _ = await mayEnd.next()
            await peer.readToEnd()
            ended.send(())
        } _: { server in
            let connection = try await Self.connect(kind, server.url)
            let sending = try await Self.filling(connection)
            sending.cancel()
            await #expect(throws: CancellationError.self) { try await sending.value }
            mayEnd.send(())
            _ = try #require(await ended.next())
        }
    }

    @Test(.oneAtATime, arguments: SocketKind.allCases)
    func closingEndsAlthoughTheServerDoesNotRead(_ kind: SocketKind) async throws {
        let mayEnd = Signal<Void>()
        try await SocketServer.run(receiveBuffer: 1 << 14) { peer in
            _ = await mayEnd.next()
            await peer.readToEnd()
        } _: { server in
            let connection = try await Self.connect(kind, server.url)
            let sending = try await Self.filling(connection)
            await connection.close(code: 1000, reason: "")
            await #expect(throws: HTTPError.self) { try await sending.value }
            mayEnd.send(())
        }
    }

    @Test(arguments: SocketKind.allCases)
    func fragmentsAreJoinedAroundControlFrames(_ kind: SocketKind) async throws {
        try await SocketServer.run { peer in
            try await peer.send(.text, Array("ab".utf8), fin: false)
            try await peer.send(.ping, Array("?".utf8))
            try await peer.send(.continuation, Array("cd".utf8), fin: false)
            try await peer.send(.continuation, [], fin: true)
            let pong = try await peer.next()
            #expect(pong?.opcode == .pong)
            #expect(pong?.text == "?")
            try await peer.send("end")
            await peer.readToEnd()
        } _: { server in
            let connection = try await Self.connect(kind, server.url)
            #expect(try await connection.receive() == .text(Array("abcd".utf8)))
            #expect(try await connection.receive() == .text(Array("end".utf8)))
        }
    }

    @Test(arguments: SocketKind.allCases, [true, false])
    func aMessageOverTheLimitEndsTheConnection(_ kind: SocketKind, _ inFragments: Bool) async throws {
        let code = Signal<Int>()
        try await SocketServer.run { peer in
            let half = [UInt8](repeating: 97, count: inFragments ? 600 : 1200)
            try await peer.send(.text, half, fin: !inFragments)
            if inFragments { try await peer.send(.continuation, half) }
            while let frame = try await peer.next() {
                if frame.opcode == .connectionClose {
                    code.send(frame.text.utf8.prefix(2).reduce(0) { $0 << 8 | Int($1) })
                }
            }
        } _: { server in
            let connection = try await Self.connect(kind, server.url, limit: 1000)
            await #expect(throws: HTTPError.bodyTooLarge(limit: 1000)) { _ = try await connection.receive() }
            await #expect(throws: HTTPError.bodyTooLarge(limit: 1000)) { _ = try await connection.receive() }
        }
    }

    @Test(arguments: SocketKind.allCases)
    func framesThatBreakTheProtocolEndTheConnection(_ kind: SocketKind) async throws {
        let wrong: [WebSocketFrame] = [
            WebSocketFrame(fin: true, opcode: .continuation, data: .init(string: "x")),
            WebSocketFrame(fin: true, rsv1: true, opcode: .text, data: .init(string: "x")),
            WebSocketFrame(fin: true, opcode: .text, maskKey: [1, 2, 3, 4], data: .init(string: "x")),
            WebSocketFrame(fin: true, opcode: WebSocketOpcode(encodedWebSocketOpcode: 5) ?? .text, data: .init()),
        ]
        for number in wrong.indices {
            let frame = wrong[number]
            try await SocketServer.run { peer in
                try await peer.send(frame)
                await peer.readToEnd()
            } _: { server in
                let connection = try await Self.connect(kind, server.url)
                await #expect(throws: (any Error).self) { _ = try await connection.receive() }
            }
        }
    }

    @Test(arguments: SocketKind.allCases)
    func theCodeAndReasonOfTheServerArriveAfterItsMessages(_ kind: SocketKind) async throws {
        try await SocketServer.run { peer in
            try await peer.send("last")
            try await peer.send(.connectionClose, [0x11, 0x31] + Array("Unauthorized".utf8))
            let answer = try await peer.next()
            #expect(answer?.opcode == .connectionClose)
            #expect(try await peer.next() == nil)
        } _: { server in
            let connection = try await Self.connect(kind, server.url)
            #expect(try await connection.receive() == .text(Array("last".utf8)))
            #expect(try await connection.receive() == .closed(code: 4401, reason: "Unauthorized"))
            #expect(try await connection.receive() == .closed(code: 4401, reason: "Unauthorized"))
        }
    }

    @Test(arguments: SocketKind.allCases)
    func aCloseWithoutACodeIs1005(_ kind: SocketKind) async throws {
        try await SocketServer.run { peer in
            try await peer.send(.connectionClose, [])
            await peer.readToEnd()
        } _: { server in
            let connection = try await Self.connect(kind, server.url)
            #expect(try await connection.receive() == .closed(code: 1005, reason: ""))
        }
    }

    @Test(arguments: SocketKind.allCases)
    func closingSendsCodeAndReasonOnce(_ kind: SocketKind) async throws {
        let frames = Signal<(WebSocketOpcode, String)>()
        try await SocketServer.run { peer in
            while let frame = try await peer.next() {
                frames.send((frame.opcode, frame.text))
                if frame.opcode == .connectionClose { try await peer.send(.connectionClose, [3, 232]) }
            }
        } _: { server in
            let connection = try await Self.connect(kind, server.url)
            await connection.close(code: 1000, reason: String(repeating: "bye ", count: 50))
            await connection.close(code: 1001, reason: "again")
            let (opcode, text) = try #require(await frames.next())
            #expect(opcode == .connectionClose)
            #expect(
                text.utf8.count == 125 - 2 + String(decoding: [UInt8](arrayLiteral: 3, 232), as: UTF8.self).utf8.count)
            #expect(try await connection.receive() == .closed(code: 1000, reason: ""))
        }
    }

    @Test(arguments: SocketKind.allCases)
    func aConnectionThatBreaksIsAnError(_ kind: SocketKind) async throws {
        let received = Signal<Void>()
        try await SocketServer.run { peer in
            try await peer.send("one")
            _ = await received.next()
        } _: { server in
            let connection = try await Self.connect(kind, server.url)
            #expect(try await connection.receive() == .text(Array("one".utf8)))
            received.send(())
            await #expect(throws: HTTPError.self) { _ = try await connection.receive() }
            await #expect(throws: HTTPError.self) {
                // The system may still accept the first writes.
                for _ in 0..<100 { try await connection.send([97]) }
            }
        }
    }

    /// The end may come before the connection is open, which is then an error. Afterwards, no message is lost.
    @Test(arguments: SocketKind.allCases)
    func aConnectionThatBreaksAtOnceEnds(_ kind: SocketKind) async throws {
        for _ in 0..<100 {
            try await SocketServer.run { peer in
                try await peer.send("one")
            } _: { server in
                let connection: any WebSocketConnection
                do { connection = try await Self.connect(kind, server.url) } catch is HTTPError { return }
                #expect(try await connection.receive() == .text(Array("one".utf8)))
                await #expect(throws: HTTPError.self) { _ = try await connection.receive() }
            }
        }
    }

    @Test(arguments: SocketKind.allCases)
    func lettingGoClosesTheConnection(_ kind: SocketKind) async throws {
        let ended = Signal<Void>()
        try await SocketServer.run { peer in
            await peer.readToEnd()
            ended.send(())
        } _: { server in
            _ = try await Self.connect(kind, server.url)
            #expect(await ended.next() != nil)
        }
    }

    @Test(arguments: SocketKind.allCases)
    func cancellingTheHandshakeClosesTheConnection(_ kind: SocketKind) async throws {
        let (arrived, ended) = (Signal<Void>(), Signal<Void>())
        try await RawServer.run { connection in
            _ = try await connection.readHead()
            arrived.send(())
            try? await connection.readToEnd()
            ended.send(())
        } _: { server in
            let attempt = Task { try await Self.connect(kind, server.url) }
            _ = await arrived.next()
            attempt.cancel()
            await #expect(throws: CancellationError.self) { _ = try await attempt.value }
            #expect(await ended.next() != nil)
        }
    }

    @Test(arguments: SocketKind.allCases)
    func cancellingAReceiverKeepsTheMessages(_ kind: SocketKind) async throws {
        let goOn = Signal<Void>()
        try await SocketServer.run { peer in
            _ = await goOn.next()
            try await peer.send("one")
            await peer.readToEnd()
        } _: { server in
            let connection = try await Self.connect(kind, server.url)
            let receiver = Task { try await connection.receive() }
            receiver.cancel()
            await #expect(throws: CancellationError.self) { _ = try await receiver.value }
            goOn.send(())
            #expect(try await connection.receive() == .text(Array("one".utf8)))
        }
    }

    @Test(.oneAtATime, arguments: SocketKind.allCases)
    func aReceiverThatRestsMakesTheServerWait(_ kind: SocketKind) async throws {
        let written = Counter()
        let message = [UInt8](repeating: 97, count: 64 << 10)
        try await SocketServer.run { peer in
            for _ in 0..<3_000 {
                try await peer.send(.text, message)
                written.add(1)
            }
            await peer.readToEnd()
        } _: { server in
            let connection = try await Self.connect(kind, server.url)
            for received in 0..<3_000 {
                // A hundred megabytes at most are in the buffers of the sockets, of the decoder and of the channel.
                #expect(written.value <= received + 1_600)
                #expect(try await connection.receive() == .text(message))
            }
        }
    }

    @Test(
        arguments: SocketKind.allCases,
        [
            "HTTP/1.1 101 Go\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: wrong\r\n\r\n",
            "HTTP/1.1 101 Go\r\n\r\n",
            "nonsense\r\n\r\n",
            "",
        ])
    func aWrongHandshakeIsATypedError(_ kind: SocketKind, _ answer: String) async throws {
        try await RawServer.run { connection in
            _ = try await connection.readHead()
            if !answer.isEmpty { try await connection.write(answer) }
        } _: { server in
            let error = await #expect(throws: HTTPError.self) { _ = try await Self.connect(kind, server.url) }
            guard answer.hasPrefix("HTTP/1.1 101") else { return }
            // A server that has answered in HTTP is not at a port for TLS.
            if case .notWebSocket = error {} else { Issue.record("\(error as Any)") }
        }
    }

    @Test(arguments: SocketKind.allCases, ["Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions"])
    func whatWasNotOfferedIsNotAccepted(_ kind: SocketKind, _ field: String) async throws {
        try await SocketServer.run(answering: [field: "third"]) { peer in
            await peer.readToEnd()
        } _: { server in
            await #expect(throws: HTTPError.self) { _ = try await Self.connect(kind, server.url) }
        }
    }

    @Test(arguments: SocketKind.allCases)
    func aServerThatIsNotThereIsATypedError(_ kind: SocketKind) async throws {
        let closed = Signal<URL>()
        try await RawServer.run { _ in
        } _: {
            closed.send($0.url)
        }
        let url = try #require(await closed.next())
        await #expect(throws: HTTPError.self) { _ = try await Self.connect(kind, url) }
        let wrong = try #require(URL(string: "ftp://127.0.0.1/"))
        await #expect(throws: HTTPError.self) { _ = try await Self.connect(kind, wrong) }
    }
}
