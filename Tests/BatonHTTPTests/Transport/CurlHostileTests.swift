import Baton
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

/// Answers that are cut, odd or at the limits of numbers: each is whole or a typed error.
@Suite(.timeLimit(.minutes(5)))
struct CurlHostileTests {
    private static let body = #"{"data":{"name":"Aurora"}}"#
    private static let chunked =
        "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-B\r\n\r\n"
        + "b;x=y\r\n{\"data\":{\"n\r\nf\r\name\":\"Aurora\"}}\r\n0\r\nX-B: 2\r\n\r\n"
    private static let counted = "HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\n\(body)"
    private static let closed = "HTTP/1.1 200 OK\r\n\r\n\(body)"

    /// The body that comes of these bytes and the end of the connection, or the error.
    private static func outcome(_ transport: CurlTransport, _ server: LoopbackServer, _ number: Int) async throws
        -> Result<String, HTTPError>
    {
        do {
            let request = HTTPRequest(.post, server.url, headers: ["X-Number": "\(number)"], body: .bytes([123]))
            return .success(try await transport.send(request).text)
        } catch let error as HTTPError {
            return .failure(error)
        }
    }

    /// A server that answers with one of these texts, by the number in the request.
    private static func server(_ answers: [[UInt8]]) throws -> LoopbackServer {
        try LoopbackServer { .bytes(answers[$0.headers["x-number"].flatMap { Int($0) } ?? 0]) }
    }

    @Test(arguments: [chunked, counted, closed])
    func anAnswerThatIsCutAnywhereIsWholeOrATypedError(_ answer: String) async throws {
        let bytes = Array(answer.utf8)
        let server = try Self.server((0...bytes.count).map { Array(bytes[..<$0]) })
        let transport = try CurlTransport()
        for cut in 0..<bytes.count {
            switch try await Self.outcome(transport, server, cut) {
            case .success(let text):
                // Without a length, the end of the connection is the end of the body. The last line may lack its end.
                let isWhole = text == Self.body && cut >= bytes.count - 2
                #expect(answer == Self.closed ? Self.body.hasPrefix(text) : isWhole, "cut after \(cut)")
            case .failure(.closed), .failure(.notHTTP): break
            case .failure(let error): Issue.record("cut after \(cut): \(error)")
            }
        }
        #expect(try await Self.outcome(transport, server, bytes.count) == .success(Self.body))
        #expect(server.requests.count <= bytes.count + 1)
    }

    @Test func numbersAtTheirLimitsAreNoTraps() async throws {
        let numbers = [
            "9223372036854775807", "9223372036854775808", "18446744073709551616", "-1", "+26", "0x1A", "26e0", "",
            "000026", "26, 26", "26, 27", "26x", "2147483648", "99999999999999999999999999999999999999",
        ]
        let fields = [
            "Content-Length: #", "Content-Length: 26\r\nContent-Length: #", "Retry-After: #", "Age: #",
            "Cache-Control: max-age=#", "Keep-Alive: timeout=#, max=#", "Alt-Svc: h3=\":#\"; ma=#",
            "Strict-Transport-Security: max-age=#", "Content-Range: bytes #-#/#", "Upgrade: #", "Date: #",
            "Set-Cookie: a=b; Max-Age=#",
            "Transfer-Encoding: #", "Content-Encoding: #", "Connection: #", "Proxy-Authenticate: #",
        ]
        var answers = fields.flatMap { field in
            numbers.map { "HTTP/1.1 200 OK\r\n\(field.replacingOccurrences(of: "#", with: $0))\r\n\r\n\(Self.body)" }
        }
        answers += numbers.map { "HTTP/1.1 \($0) OK\r\n\r\n\(Self.body)" }
        answers += numbers.map { "HTTP/\($0) 200 OK\r\n\r\n\(Self.body)" }
        answers += numbers.map {
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\($0)\r\n\(Self.body)\r\n0\r\n\r\n"
        }
        let server = try Self.server(answers.map { Array($0.utf8) })
        let transport = try CurlTransport()
        for number in answers.indices {
            if case .success(let text) = try await Self.outcome(transport, server, number) {
                // Where a length counts, it is the shorter one that was read.
                #expect(Self.body.hasPrefix(text), "\(answers[number])")
            }
        }
        // One may meet a kept connection that the server closes.
        #expect(server.requests.count <= answers.count)
    }

    @Test func headsOfEveryLengthAreRead() async throws {
        let limits = [1_024, 4_096, 8_192, 16_384, 32_768, 65_536, 98_304]
        let sizes = Array(0..<400) + limits.flatMap { ($0 - 40)...($0 + 4) }
        let answers = sizes.map { size in
            Array(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: \(String(repeating: "a", count: size))\r\n\r\n{}".utf8)
        }
        let server = try LoopbackServer { .kept(answers[$0.headers["x-number"].flatMap { Int($0) } ?? 0]) }
        let transport = try CurlTransport()
        for number in answers.indices {
            #expect(try await Self.outcome(transport, server, number) == .success("{}"), "\(sizes[number])")
        }
    }

    @Test func noiseIsATypedError() async throws {
        var random = SeededGenerator(seed: UInt64.random(in: 0 ... .max))
        let pieces = [
            "HTTP/1.1 200 OK\r\n", "\r\n", "\0", "Content-Length: 5\r\n", "HTTP/2 ", ":", "\u{FF}", " ", "chunked", "0",
        ]
        let answers = (0..<300).map { _ in
            (0..<Int.random(in: 0..<12, using: &random)).flatMap { _ in
                Array((pieces.randomElement(using: &random) ?? "").utf8)
            }
        }
        let server = try Self.server(answers)
        let transport = try CurlTransport()
        for number in answers.indices { _ = try await Self.outcome(transport, server, number) }
        // One may meet a kept connection that the server closes.
        #expect(server.requests.count <= answers.count)
    }
}
