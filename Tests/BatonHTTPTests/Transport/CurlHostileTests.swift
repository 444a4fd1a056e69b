import Baton
import Foundation
import RandomCases
import TestServer
import Testing

@testable import BatonHTTP

/// Answers that are cut, odd or at the limits of numbers: each is whole or a typed error.
@Suite(.timeLimit(.minutes(20)))
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

    // MARK: - Heads

    /// A head that is below the limit and has as many fields, or as many names that are the same, as there is room for.
    /// Where its time grew with the square of them, the requests to others waited for many minutes.
    @Test(.timeLimit(.minutes(20)), arguments: [0, 200, 25_000])
    func aHeadCostsNoMoreThanItsBytes(_ folds: Int) async throws {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
            + (0..<14_000).map { "a\($0 % 7_000):\r\n" }.joined() + String(repeating: " x\r\n", count: folds)
        let server = try LoopbackServer { request in
            request.target == "/graphql" ? .bytes(Array((head + "\r\n{}").utf8)) : .keptJSON("{}")
        }
        let other = try #require(URL(string: "http://127.0.0.1:\(server.port)/other"))
        let transport = try CurlTransport()
        let hostile = Task { try await transport.send(HTTPRequest(.get, server.url)).text }
        for _ in 0..<20 { #expect(try await transport.send(HTTPRequest(.post, other)).text == "{}") }
        // The library stores as many fields of a head as it wants, and newer ones end the request.
        let result = await hostile.result
        if folds > HTTPHeadReader.mostFolds { #expect(throws: HTTPError.self) { try result.get() } }
    }

    @Test func aReaderOfHeadsIsLinear() throws {
        func seconds(_ lines: [String]) throws -> Double {
            try ProcessorTime.seconds {
                var head = HTTPHeadReader(maximumSize: 1 << 30)
                for line in ["HTTP/1.1 200 OK\r\n"] + lines { _ = try head.take(line) }
                _ = head.headers["Name"]
                _ = ResponseHead(status: 200, headers: head.headers).metadata
            }
        }
        let folds = [String](repeating: " x\r\n", count: HTTPHeadReader.mostFolds)
        let line = "Name: " + String(repeating: "v", count: 40) + "\r\n"
        // Four times as many fields take four times as long, and what is quadratic sixteen times.
        let few = try seconds([String](repeating: line, count: 15_000))
        let fields = [String](repeating: line, count: 60_000)
        let many = try seconds(fields)
        #expect(many < 9 * few, "\(few) and \(many) seconds")
        // A fold that copies the head costs as much as some hundred fields.
        let folded = try seconds(fields + folds)
        #expect(folded < 2 * many, "\(many) and \(folded) seconds")
        #expect(throws: HTTPError.notHTTP) { try seconds([line] + folds + [" x\r\n"]) }
        #expect(throws: HTTPError.notHTTP) { try seconds([line] + folds + ["B: b\r\n", " \r\n"]) }
    }

    /// What stands behind a line of blanks belongs to the head, such as the name of the compression.
    @Test(arguments: [" \r\n", "\t\r\n", " \n", "  \t \r\n"])
    func onlyAnEmptyLineEndsAHead(_ blanks: String) async throws {
        let answer = "HTTP/1.1 200 OK\r\nX: a\r\n\(blanks)Content-Encoding: gzip\r\nX-After: yes\r\n"
        // A bomb: 20 KB that are 20 MB of zeros.
        let bomb: [UInt8] =
            [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 236, 193, 1, 1, 0, 0, 0, 128, 144, 254, 175, 238, 8, 10]
            + [UInt8](repeating: 0, count: 20_000)
        let server = try LoopbackServer { _ in
            .bytes(Array((answer + "Content-Length: \(bomb.count)\r\n\r\n").utf8) + bomb)
        }
        let response = try await CurlTransport(maximumInflation: 100).send(HTTPRequest(.get, server.url))
        #expect(response.headers["X-After"] == "yes")
        let error = await #expect(throws: HTTPError.self) { try await response.text }
        if case .compression? = error {} else { Issue.record("\(String(describing: error))") }
    }

    /// For the library, a line that begins with CR ends a head.
    @Test(arguments: ["\r\r\n", "\rX: y\r\n"])
    func aLineThatBeginsWithItsEndIsRefused(_ line: String) async throws {
        let server = try LoopbackServer { _ in
            .bytes(Array("HTTP/1.1 200 OK\r\nX: a\r\n\(line)Content-Length: 2\r\n\r\n{}".utf8))
        }
        await #expect(throws: HTTPError.self) {
            try await CurlTransport().send(HTTPRequest(.get, server.url)).text
        }
        #expect(throws: HTTPError.notHTTP) {
            var head = HTTPHeadReader(maximumSize: 1_000)
            _ = try head.take(line)
        }
    }

    @Test func trailersHaveALimit() async throws {
        let trailer = "X-T: " + String(repeating: "a", count: 1_000) + "\r\n"
        let written = Guarded(0)
        let server = try LoopbackServer { request in
            .written { writer in
                writer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n")
                if request.method == "GET" {
                    writer.write(String(repeating: trailer, count: 100) + "\r\n")
                } else {
                    while writer.write(trailer) { written.withLock { $0 += trailer.utf8.count } }
                }
            }
        }
        #expect(try await CurlTransport().send(HTTPRequest(.get, server.url)).text == "{}")
        await #expect(throws: HTTPError.notHTTP) {
            try await CurlTransport().send(HTTPRequest(.post, server.url)).text
        }
        #expect(written.withLock { $0 } < 32 << 20)
    }
}
