import Baton
import Testing

@testable import BatonHTTP

@Suite struct WebSocketHandshakeTests {
    /// The key of the example in RFC 6455, 1.3.
    private static let key = Array("the sample nonce".utf8)
    private static let good =
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"

    private static func handshake(_ headers: HTTPHeaders = [:]) throws -> WebSocketHandshake {
        try WebSocketHandshake(
            host: "host:1", resource: "/a?b", headers: headers, subprotocols: ["one", "two"], key: key)
    }

    @Test func theRequestIsThatOfTheSpecification() throws {
        let text = String(
            decoding: try Self.handshake(["X-A": "1", "Host": "other", "upgrade": "x"]).request, as: UTF8.self)
        #expect(
            text == """
                GET /a?b HTTP/1.1\r
                Host: host:1\r
                Connection: Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Protocol: one, two\r
                X-A: 1\r
                \r\n
                """)
        #expect(throws: HTTPError.self) { try Self.handshake(["X-A": "a\r\nX-B: b"]) }
    }

    @Test func anAnswerMayBeCutAnywhere() throws {
        let answer = Array((Self.good + "Sec-WebSocket-Protocol: two\r\n\r\nframes").utf8)
        let head = answer.count - 6
        for cut in 0...answer.count {
            var handshake = try Self.handshake()
            let verdict = try handshake.take(answer[..<cut], isEnd: false)
            if case .accepted(let subprotocol, let rest) = verdict {
                #expect(subprotocol == "two" && cut >= head && rest == answer[head..<cut])
                continue
            }
            #expect(cut < head)
            guard case .accepted("two", let rest) = try handshake.take(answer[cut...], isEnd: false) else {
                Issue.record("not accepted after \(cut)")
                return
            }
            #expect(Array(rest) == Array("frames".utf8))
        }
    }

    @Test(arguments: [
        "Sec-WebSocket-Protocol: three\r\n\r\n", "Sec-WebSocket-Protocol: one, two\r\n\r\n",
        "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n", "Sec-WebSocket-Accept: s3pP\r\n\r\n",
        "Upgrade: h2c\r\n\r\n",
    ])
    func whatWasNotOfferedIsNotAccepted(_ end: String) throws {
        var handshake = try Self.handshake()
        #expect(throws: HTTPError.self) { try handshake.take((Self.good + end).utf8, isEnd: false) }
    }

    @Test func aRefusalIsAnErrorWithItsText() throws {
        var handshake = try Self.handshake()
        let head = "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\n"
        guard case .incomplete = try handshake.take((head + "so").utf8, isEnd: false) else {
            Issue.record("the body is not all there")
            return
        }
        #expect(throws: RelayError.httpStatus(503, body: "sorr", retryAfter: .seconds(7))) {
            try handshake.take("rry".utf8, isEnd: false)
        }
    }

    @Test(arguments: ["", "HTTP/1.1 101 Go", "no HTTP\r\n\r\n", "HTTP/1.1 101 Go\r\n\r\n", "HTTP/1.1 100 Go\r\n\r\n"])
    func anAnswerThatIsNoneIsATypedError(_ answer: String) throws {
        var handshake = try Self.handshake()
        #expect(throws: HTTPError.self) { try handshake.take(answer.utf8, isEnd: true) }
    }

    @Test func theDigestIsThatOfTheStandard() {
        func hexadecimal(_ text: String) -> String {
            SHA1.digest(of: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(hexadecimal("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(hexadecimal("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            hexadecimal("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    }

    /// A server may send its head in pieces of one byte.
    @Test func eachByteOfAnAnswerIsReadOnce() throws {
        func seconds(_ count: Int) throws -> Double {
            let field = "X-A: " + String(repeating: "a", count: count) + "\r\n"
            let answer = Array((Self.good + field + "\r\nframes").utf8)
            return try ProcessorTime.seconds {
                var handshake = try Self.handshake()
                for byte in answer.dropLast(6) { _ = try handshake.take([byte], isEnd: false) }
                guard case .accepted(nil, let rest) = try handshake.take(answer.suffix(6), isEnd: false) else {
                    Issue.record("not accepted")
                    return
                }
                #expect(Array(rest) == Array("frames".utf8))
            }
        }
        // Four times as many bytes take four times as long, or sixteen times if each reads those before it again.
        let few = try seconds(4_000)
        let many = try seconds(16_000)
        #expect(many < 9 * few, "\(few) and \(many) seconds")
    }
}
