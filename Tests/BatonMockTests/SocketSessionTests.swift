import Baton
import BatonHTTP
import RandomCases
import Testing

@testable import BatonMock

@Suite("WebSockets of BatonMock", .timeLimit(.minutes(20)))
struct SocketSessionTests {
    private static let handshake = """
        GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
        Sec-WebSocket-Protocol: other, graphql-transport-ws\r\n\r\n
        """

    /// Opens a WebSocket, sends messages with it, and returns the texts of the server and the code of its close.
    private static func talk(_ mock: RunningMock, _ frames: [UInt8]) throws -> (texts: [String], code: Int?) {
        let client = try #require(LoopbackClient(mock.server.port))
        client.send(Array(handshake.utf8) + frames)
        let bytes = client.readToEnd()
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        #expect(head.hasPrefix("HTTP/1.1 101 "))
        // The answer of the example in RFC 6455, 1.3.
        #expect(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        #expect(head.contains("Sec-WebSocket-Protocol: graphql-transport-ws"))
        var reader = WebSocketReader(maximumMessageSize: 1 << 20)
        reader.append(bytes[end.upperBound...])
        var texts: [String] = []
        while let event = try reader.next() {
            switch event {
            case .text(let text): texts.append(String(decoding: text, as: UTF8.self))
            case .close(let code, _): return (texts, code)
            default: break
            }
        }
        return (texts, nil)
    }

    private static func text(_ text: String) -> [UInt8] {
        WebSocketFrame.bytes(.text, Array(text.utf8), mask: 0x0102_0304)
    }

    private static let open = text(#"{"type":"connection_init"}"#)

    private static func subscribe(_ id: String, _ query: String = "{ __typename }") -> [UInt8] {
        text((["id": .string(id), "type": "subscribe", "payload": ["query": .string(query)]] as JSONValue).text)
    }

    @Test func queriesAndMistakesAreAnswered() throws {
        let mock = try RunningMock()
        let frames = Self.open + Self.text(#"{"type":"ping"}"#) + Self.subscribe("a") + Self.subscribe("b", "{ no }")
        // The close comes when both are answered.
        let client = try #require(LoopbackClient(mock.server.port))
        client.send(Array(Self.handshake.utf8) + frames)
        var seen = ""
        while !seen.contains("\"error\"") || !seen.contains("complete") {
            let bytes = client.read()
            guard !bytes.isEmpty else { break }
            seen += String(decoding: bytes, as: UTF8.self)
        }
        #expect(seen.contains(#"{"type":"pong"}"#))
        #expect(seen.contains(#"{"id":"a","type":"next","payload":{"data":{"__typename":"Query"}}}"#))
        #expect(seen.contains(#"{"id":"a","type":"complete"}"#))
        #expect(seen.contains(#"{"id":"b","type":"error","payload":[{"message":"#))
    }

    @Test func breachesOfTheProtocolHaveTheirCodes() throws {
        let mock = try RunningMock()
        func code(_ frames: [UInt8]) throws -> Int? { try Self.talk(mock, frames).code }
        #expect(try code(Self.subscribe("a")) == 4401)
        #expect(try code(Self.open + Self.open) == 4429)
        let endless = Self.subscribe("a", "subscription { reviewAdded(filmId: 1) { id } }")
        #expect(try code(Self.open + endless + endless) == 4409)
        #expect(try code(Self.text("no JSON")) == 4400)
        #expect(try code(Self.text("[]")) == 4400)
        #expect(try code(Self.text(#"{"type":"start"}"#)) == 4400)
        #expect(try code(Self.open + Self.text(#"{"type":"subscribe","id":"a"}"#)) == 4400)
        #expect(try code(WebSocketFrame.bytes(.binary, [1], mask: 1)) == 4400)
        #expect(try code(WebSocketFrame.bytes(.text, [97], mask: nil)) == 1002)
        #expect(try code(WebSocketFrame.bytes(.text, [0xFF], mask: 1)) == 1007)
        #expect(try code([0x81, 0xFF, 0, 0, 1, 0, 0, 0, 0, 0]) == 1009)
        #expect(try code(WebSocketFrame.close(1000, "", mask: 1)) == 1000)
        let many = (0...SocketSession.mostOperations).flatMap { number in
            Self.subscribe("s\(number)", "subscription { reviewAdded(filmId: 1) { id } }")
        }
        #expect(try code(Self.open + many) == 4429)
    }

    @Test func damagedFramesNeverEndTheServer() throws {
        let mock = try RunningMock()
        let whole = Self.open + Self.subscribe("a") + Self.text(#"{"type":"ping"}"#)
        for seed in RandomCases.seeds(60, from: UInt64(1)) {
            var random = SeededGenerator(seed: seed)
            var frames = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                frames[Int.random(in: 0..<frames.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let client = try #require(LoopbackClient(mock.server.port))
            client.send(Array(Self.handshake.utf8) + frames)
            client.endWriting()
            #expect(!client.readToEnd().isEmpty, "seed \(seed)")
        }
        #expect(try mock.ask("GET", "/health").hasPrefix("HTTP/1.1 200"))
    }

    @Test(arguments: [
        ("Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 8", 426),
        ("dGhlIHNhbXBsZSBub25jZQ==", "short", 400), ("graphql-transport-ws", "mqtt", 400),
        ("keep-alive, Upgrade", "keep-alive", 400),
    ])
    func aHandshakeThatIsNoneHasAStatus(old: String, new: String, status: Int) throws {
        let mock = try RunningMock()
        let client = try #require(LoopbackClient(mock.server.port))
        client.send(Array(Self.handshake.replacing(old, with: new).utf8))
        #expect(String(decoding: client.read(), as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "))
    }
}
