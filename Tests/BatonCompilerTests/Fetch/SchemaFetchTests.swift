import BatonCompiler
import Foundation
import Synchronization
import TestServer
import Testing

@testable import BatonFetch

/// Servers that misbehave: each fetch gives a schema or a message, in bounded time and memory.
@Suite(.timeLimit(.minutes(20)))
struct SchemaFetchTests {
    static let schema = try? FetchedSchemaTests.answer()

    /// Fetches from a server that answers like this, and returns the SDL or the failure, and the pauses.
    private static func fetch(
        retries: Int = 0, fields: [String] = [], milliseconds: Int = 30_000,
        limits: ServerRequest.Limits = ServerRequest.Limits(), path: String = "/graphql",
        _ respond: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply
    ) throws -> (result: Result<String, FetchFailure>, pauses: [Int], requests: [LoopbackServer.Request]) {
        let server = try LoopbackServer(respond)
        defer { server.stop() }
        let pauses = Pauses()
        var fetch = SchemaFetch(address: try ServerAddress("http://127.0.0.1:\(server.port)\(path)")) {
            pauses.add($0)
        }
        fetch.retries = retries
        fetch.milliseconds = milliseconds
        fetch.limits = limits
        fetch.fields = try fields.map { try HeadField($0, environment: ["TOKEN": "t0ken"]) }
        let result = Result { () throws(FetchFailure) -> String in try fetch.schema().text(as: .sdl) }
        return (result, pauses.all, server.requests)
    }

    private final class Pauses: Sendable {
        private let seconds = Mutex<[Int]>([])
        func add(_ pause: Int) { seconds.withLock { $0.append(pause) } }
        var all: [Int] { seconds.withLock { $0 } }
    }

    private static func failure(
        milliseconds: Int = 30_000, limits: ServerRequest.Limits = ServerRequest.Limits(),
        _ respond: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply
    ) throws -> FetchFailure {
        switch try fetch(milliseconds: milliseconds, limits: limits, respond).result {
        case .success: throw FetchFailure("there is a schema")
        case .failure(let failure): return failure
        }
    }

    @Test func theSchemaIsAskedForWithHeaders() throws {
        let answer = try #require(Self.schema)
        let fetched = try Self.fetch(fields: ["Authorization: Bearer $TOKEN", "X-Empty:"]) { _ in .json(answer) }
        #expect(try fetched.result.get().contains("type Ship implements Named"))
        #expect(fetched.requests.count == 2)
        for request in fetched.requests {
            #expect(request.method == "POST")
            #expect(request.headers["authorization"] == "Bearer t0ken")
            #expect(request.headers["x-empty"] == "")
            #expect(request.headers["content-type"] == "application/json")
            let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: String]
            #expect(body?.keys.sorted() == ["query"])
        }
    }

    @Test func aServerThatRefusesTheFirstQueryIsAskedPlainly() throws {
        let answer = try #require(Self.schema)
        let fetched = try Self.fetch { request in
            String(decoding: request.body, as: UTF8.self).contains("SchemaFeatures")
                ? .response(400, #"{"errors": [{"message": "too many aliases"}]}"#) : .json(answer)
        }
        #expect(try fetched.result.get().contains("type Ship"))
    }

    /// A server may send a response too many, at once or on the idle connection. Each request has its own connection.
    @Test(arguments: [0, 50])
    func aResponseThatNobodyAskedForIsNoAnswer(_ milliseconds: Int32) throws {
        let answer = try #require(Self.schema)
        let stray = try FetchedSchemaTests.answer("type Query { stray: Int }")
        func response(_ body: String) -> String {
            "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        let (whole, more) = (response(answer), response(stray))
        let fetched = try Self.fetch { _ in
            .written { writer in
                writer.write(whole)
                _ = writer.waits(milliseconds: milliseconds)
                writer.write(more)
                // A client that uses the connection again has its answer already.
                _ = writer.waits(milliseconds: 60_000)
            }
        }
        let text = try fetched.result.get()
        #expect(text.contains("type Ship") && !text.contains("stray"))
        #expect(fetched.requests.map(\.connection) == [1, 2])
    }

    @Test func whatFollowsACompressedAnswerIsNoBreak() throws {
        let content = Gzip.member(Array("{}".utf8)) + Gzip.member(Array("{}".utf8))
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(content.count)\r\n\r\n"
        let failure = try Self.failure { _ in .bytes(Array(head.utf8) + content) }
        #expect(failure.message.contains("not compressed as it says") && !failure.isTransient)
    }

    /// The network of an application says the same of both (`ServerTextTests`).
    @Test func theOtherSchemeIsAdvised() throws {
        let server = try LoopbackServer { _ in .response(200, "{}") }
        defer { server.stop() }
        let secure = SchemaFetch(address: try ServerAddress("https://127.0.0.1:\(server.port)/graphql")) { _ in }
        let plain = #expect(throws: FetchFailure.self) { try secure.schema() }
        #expect(plain?.message.contains("seems not to speak TLS at this port") == true)
        #expect(plain?.suggestion == "use a URL with 'http', or with another port")
        let failure = try Self.failure { _ in .response(400, "Client sent an HTTP request to an HTTPS server.") }
        #expect(failure.message.contains("seems not to speak plain HTTP at this port"))
        #expect(failure.suggestion == "use a URL with 'https', or with another port")
    }

    @Test func aRefusedTypeIsNamed() throws {
        for (fields, type) in [([], "application/graphql-response+json"), (["accept: text/x"], "text/x")] {
            let fetched = try Self.fetch(fields: fields) { _ in .response(406, "not that") }
            guard case .failure(let failure) = fetched.result else {
                Issue.record("there is a schema")
                continue
            }
            #expect(failure.message.contains("sent was 'Accept: \(type)") && failure.message.contains("not that"))
            #expect(fetched.requests.count == 1)
        }
    }

    // MARK: - Redirects and retries

    @Test(arguments: [301, 302, 307, 308])
    func aRedirectWithinTheOriginIsFollowedWithTheSameRequest(_ status: Int) throws {
        let answer = try #require(Self.schema)
        let fetched = try Self.fetch(fields: ["Authorization: Bearer $TOKEN"]) { request in
            request.target == "/api" ? .json(answer) : .response(status, headers: ["Location: /api"], "")
        }
        #expect(try fetched.result.get().contains("type Ship"))
        // The second query goes to the right place at once.
        #expect(fetched.requests.map(\.target) == ["/graphql", "/api", "/api"])
        #expect(fetched.requests[0].body == fetched.requests[1].body)
        #expect(fetched.requests.allSatisfy { $0.method == "POST" && $0.headers["authorization"] == "Bearer t0ken" })
    }

    @Test func noHeaderGoesToAnotherOrigin() throws {
        let other = try LoopbackServer { _ in .json("{}") }
        defer { other.stop() }
        for location in ["http://127.0.0.1:\(other.port)/graphql?key=s3cret", "https://127.0.0.1/", "//localhost/x"] {
            let failure = try Self.failure { _ in .response(307, headers: ["Location: \(location)"], "") }
            #expect(failure.message.contains("redirects to another"))
            #expect(!failure.message.contains("s3cret"))
        }
        #expect(other.requests.isEmpty)
        for location in ["ftp://x/", "http://", "http://user:pw@127.0.0.1/"] {
            let failure = try Self.failure { _ in .response(307, headers: ["Location: \(location)"], "") }
            #expect(failure.message.contains("no URL"), "\(location): \(failure.message)")
        }
    }

    @Test func redirectsInACircleEnd() throws {
        let fetched = try Self.fetch(retries: 3) { _ in .response(308, headers: ["Location: /graphql"], "") }
        #expect(throws: FetchFailure("the server redirects more than 5 times")) { try fetched.result.get() }
        #expect(fetched.requests.count == 6)
    }

    @Test func aFailureThatMayPassIsTriedAgain() throws {
        let answer = try #require(Self.schema)
        let count = Mutex(0)
        let fetched = try Self.fetch(retries: 3) { _ in
            switch count.withLock({
                $0 += 1
                return $0
            }) {
            case 1: .response(503, headers: ["Retry-After: 7"], "")
            case 2: .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".utf8))
            case 3: .bytes([])
            default: .json(answer)
            }
        }
        #expect(try fetched.result.get().contains("type Ship"))
        #expect(fetched.pauses == [7, 2, 4])
    }

    @Test(arguments: [
        (503, "Retry-After: 3600"), (500, "X: y"), (401, "X: y"), (404, "X: y"), (400, "Retry-After: 1"),
    ])
    func otherFailuresAreNotTriedAgain(_ status: Int, _ field: String) throws {
        let fetched = try Self.fetch(retries: 3) { _ in .response(status, type: "text/plain", headers: [field], "no") }
        #expect(throws: FetchFailure.self) { try fetched.result.get() }
        #expect(fetched.pauses.isEmpty && fetched.requests.count == 1)
    }

    // MARK: - Messages

    private static let page = "<!doctype html><html><head><title>Sign in\n to\u{1B}[31m Films</title></head></html>"

    @Test(arguments: [
        (200, "text/html", page, "answers with a web page called 'Sign in to\\u{1B}[31m Films' (status 200)"),
        (200, nil, "<html>", "answers with a web page (status 200)"),
        (401, "text/html", "<html>", "refuses without the right credentials (status 401)"),
        (403, "application/json", "{}", "refuses without the right credentials (status 403)"),
        (404, "text/html", "<html>", "there is nothing at"),
        (407, "text/html", "<html>", "the proxy wants credentials"),
        (429, nil, "", "has had too many requests"),
        (500, "text/plain", "it\u{7} broke\nmore", "answers with status 500: 'it\\u{07} broke'"),
        (200, "text/plain", "OK", "is not JSON"),
        (200, "application/json", "", "is not JSON: it is empty"),
        (204, nil, "", "is not JSON: it is empty"),
        (
            400, "application/json", #"{"errors": [{"message": "introspection disabled"}]}"#,
            "introspection is switched off ('introspection disabled')"
        ),
        (
            200, "application/json", #"{"errors": [{"message": "no\u001b"}]}"#,
            "refuses the introspection query: 'no\\u{1B}'"
        ),
        (200, "application/json", #"{"data": {}}"#, "has no '__schema'"),
        (200, "application/json", #"{"data": {"__schema": {"ty"#, "is only a part of a schema: its JSON breaks off"),
    ])
    func whatIsWrongIsSaid(_ status: Int, _ type: String?, _ body: String, _ message: String) throws {
        let failure = try Self.failure { _ in .response(status, type: type, body) }
        #expect(failure.message.contains(message), "\(failure.message)")
        #expect(!failure.message.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func whatAServerAsksForIsSaid() throws {
        let failure = try Self.failure { _ in .response(401, headers: ["WWW-Authenticate: Bearer realm=\"films\""], "")
        }
        #expect(failure.message.hasSuffix("(status 401); it asks for 'Bearer realm=\"films\"'"))
    }

    @Test func noConnectionNamesTheServer() throws {
        let server = try LoopbackServer { _ in .bytes([]) }
        server.stop()
        var fetch = SchemaFetch(address: try ServerAddress("http://127.0.0.1:\(server.port)/graphql?key=s3cret")) {
            _ in
        }
        fetch.retries = 0
        fetch.proxyVariable = "http_proxy"
        let failure = #expect(throws: FetchFailure.self) { try fetch.schema() }
        #expect(failure?.message.hasPrefix("no connection to 'http://127.0.0.1:\(server.port)/graphql' (") == true)
        #expect(failure?.suggestion?.contains("'http_proxy'") == true)
    }

    // MARK: - Hostile servers

    @Test func aServerThatSaysNothingOrLittleEndsInTime() throws {
        let replies: [LoopbackServer.Reply] = [
            .silence(after: []), .silence(after: Array("HTTP/1.1 200 OK\r\n".utf8)),
            .silence(after: Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{".utf8)),
            .written { writer in
                writer.write("HTTP/1.1 200 OK\r\n\r\n")
                while writer.write(" ") { usleep(10_000) }
            },
        ]
        for reply in replies {
            let failure = try Self.failure(milliseconds: 300) { _ in reply }
            #expect(failure.message.contains("did not answer in time"))
        }
    }

    @Test func anAnswerWithoutEndIsGivenUp() throws {
        var limits = ServerRequest.Limits()
        limits.body = 1 << 20
        let endless = Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 16)
        let body = try Self.failure(limits: limits) { _ in .endless(piece: endless, pauseMilliseconds: 0) }
        #expect(body.message == "the answer is larger than 1 MB")
        let fields = Array("HTTP/1.1 200 OK\r\n".utf8) + Array(String(repeating: "X-A: b\r\n", count: 20_000).utf8)
        let head = try Self.failure { _ in .endless(piece: fields, pauseMilliseconds: 0) }
        #expect(head.message == "the head of the answer is larger than 64 KB")
        let hints = Array("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n".utf8)
        let informed = try Self.failure { _ in .endless(piece: hints, pauseMilliseconds: 0) }
        #expect(informed.message == "the head of the answer is larger than 64 KB")
    }

    /// 40 KB that become 40 MB.
    @Test func aBodyThatInflatesWithoutEndIsGivenUp() throws {
        var limits = ServerRequest.Limits()
        limits.body = 1 << 20
        // Deflate: a stored block with a space, then blocks that repeat it 258 times for each bit pair.
        let bomb = Self.zeros(pieces: 160_000)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(bomb.count)\r\n\r\n"
        let failure = try Self.failure(limits: limits) { _ in .bytes(Array(head.utf8) + bomb) }
        #expect(failure.message == "the answer is larger than 1 MB")
        let broken = try Self.failure { _ in .bytes(Array((head + String(repeating: "x", count: bomb.count)).utf8)) }
        #expect(broken.message.contains("compressed"))
    }

    /// A zlib stream of a zero byte and so many copies of 258 zero bytes, each in two bits more than a byte: a block
    /// with fixed codes.
    private static func zeros(pieces: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x01]
        var bits: UInt32 = 0
        var count: UInt32 = 0
        func put(_ value: UInt32, _ width: UInt32) {
            bits |= value << count
            count += width
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                count -= 8
            }
        }
        put(0b011, 3)
        // The literal 0 has the code 00110000, whose bits are sent from the highest on.
        put(0b0000_1100, 8)
        // The length 258 has the code 11000101, and the distance 1 the code 00000.
        for _ in 0..<pieces {
            put(0b1010_0011, 8)
            put(0, 5)
        }
        put(0, 7)
        put(0, 7)
        return bytes
    }

    @Test func anAnswerThatIsCutOrDamagedAnywhereGivesTheSchemaOrAMessage() throws {
        let answer = try #require(Self.schema).filter { !$0.isWhitespace }
        let whole = Array("HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)".utf8)
        let step = max(whole.count / 40, 1)
        for cut in stride(from: 0, to: whole.count, by: step) {
            let failure = try Self.failure { _ in .bytes(Array(whole[..<cut])) }
            #expect(!failure.message.isEmpty)
            var damaged = whole
            damaged[cut] = UInt8(truncatingIfNeeded: cut &* 7)
            let bytes = damaged
            _ = try Self.fetch(milliseconds: 200) { _ in .bytes(bytes) }
        }
    }

    // MARK: - The command line

    @Test(arguments: [
        "", "graphql", "ftp://x/y", "http://", "http:///x", "file:///etc/passwd", "https://u:p@x/graphql",
        "http://[::1",
        "http://x:99999/", "javascript:1",
    ])
    func whatIsNoAddressIsRefused(_ text: String) {
        #expect(throws: FetchFailure.self) { try ServerAddress(text) }
    }

    @Test func headersNameVariables() throws {
        let environment = ["A": "1", "B_2": "x y", "BAD": "a\r\nX: y"]
        func value(_ text: String) throws -> String { try HeadField("N: " + text, environment: environment).value }
        #expect(try value("$A") == "1")
        #expect(try value("a${A}b$B_2.") == "a1bx y.")
        #expect(try value("$$A $ $9 ${A ${} $") == "$A $ $9 ${A ${} $")
        #expect(try value("  \t") == "")
        let missing = #expect(throws: FetchFailure.self) { try value("$MISSING") }
        #expect(missing?.message.contains("'MISSING', which is not set") == true)
        #expect(throws: FetchFailure.self) { try value("$BAD") }
        #expect(throws: FetchFailure.self) { try value("a\nb") }
        for text in ["N", ": v", "a b: c", "Content-Length: 1", "transfer-encoding: x", "N\n: v"] {
            #expect(throws: FetchFailure.self) { try HeadField(text, environment: [:]) }
        }
    }
}
