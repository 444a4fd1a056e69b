import Baton
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

/// What the transport over libcurl does besides what every transport does.
@Suite(.timeLimit(.minutes(20)))
struct CurlTransportTests {
    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test func aReaderThatRestsMakesTheServerWait() async throws {
        let written = Guarded(0)
        let server = try LoopbackServer { request in
            guard request.target == "/graphql" else { return .keptJSON("{}") }
            return .written { writer in
                writer.write(Self.chunkedHead)
                let piece = String(repeating: "x", count: 1 << 20)
                while writer.writeChunk(piece) { written.withLock { $0 += 1 } }
            }
        }
        let transport = try CurlTransport()
        let other = try #require(URL(string: "http://127.0.0.1:\(server.port)/other"))
        let response = try await transport.send(HTTPRequest(.get, server.url))
        var body = response.body.makeAsyncIterator()
        var received = 0
        for _ in 0..<4 {
            // While nobody reads, the thread of the transport has time for other requests.
            for _ in 0..<100 { #expect(try await transport.send(HTTPRequest(.post, other)).text == "{}") }
            // Some megabytes are in the buffers of the sockets.
            #expect(written.withLock { $0 } << 20 <= received + 24 << 20)
            let goal = received + 16 << 20
            while received < goal { received += try await body.next()?.count ?? 0 }
        }
    }

    @Test func interimAnswersAndTrailersAreNoAnswers() async throws {
        let server = try LoopbackServer { _ in
            .bytes(
                Array(
                    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\nTrailer: X-B\r\n\r\n"
                        + "2\r\n{}\r\n0\r\nX-B: 2\r\n\r\n").utf8))
        }
        let response = try await CurlTransport().send(HTTPRequest(.get, server.url))
        #expect(response.status == 200)
        #expect(response.headers.fields.map(\.name) == ["X-A", "Transfer-Encoding", "Trailer"])
        #expect(try await response.text == "{}")
    }

    @Test func foldedAndBlankFieldsAreRead() throws {
        var head = HTTPHeadReader(maximumSize: 1_000)
        for line in ["HTTP/1.1 200 OK\r\n", "A:\r\n", "B:  b \t c  \r\n", " d\r\n", "C:c:c\n"] {
            let isLast = try head.take(line)
            #expect(!isLast)
        }
        let isLast = try head.take("\r\n")
        #expect(isLast)
        #expect(head.headers == ["A": "", "B": "b \t c d", "C": "c:c"])
    }

    @Test(arguments: [
        "HTTP/1.1 abc\r\n", "HTTP/1.1\r\n", "HTTP/1.1 99999999999999999999 OK\r\n", "no field\r\n", "HTTP/2 7\r\n",
    ])
    func aLineThatIsNoneOfAHeadIsRefused(_ line: String) {
        #expect(throws: HTTPError.notHTTP) {
            var head = HTTPHeadReader(maximumSize: 1_000)
            _ = try head.take(line)
        }
    }

    @Test func aFieldCannotBecomeAnotherOne() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let transport = try CurlTransport()
        let fields = [("X-A", "a\r\nX-B: b"), ("X-A", "a\nb"), ("X-A", "a\0b"), ("X A", "a"), ("", "a"), ("X:A", "a")]
        for (name, value) in fields {
            await #expect(throws: HTTPError.self) {
                try await transport.send(HTTPRequest(.get, server.url, headers: HTTPHeaders([.init(name, value)])))
            }
        }
        #expect(server.requests.isEmpty)
        let response = try await transport.send(
            HTTPRequest(.post, server.url, headers: ["X-Empty": "", "X-A": "a"], body: .bytes([1])))
        #expect(response.status == 200)
        let headers = try #require(server.requests.first?.headers)
        #expect(headers["x-empty"] == "" && headers["x-a"] == "a")
        #expect(headers["expect"] == nil && headers["content-type"] == nil && headers["accept"] == nil)
    }

    @Test func theUserOfAURLIsNotSent() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let url = try #require(URL(string: "http://user:secret@127.0.0.1:\(server.port)/a?b=c"))
        _ = try await CurlTransport().send(HTTPRequest(.get, url))
        #expect(server.requests.map(\.target) == ["/a?b=c"])
        #expect(server.requests.first?.headers["authorization"] == nil)
    }

    @Test func aProxyIsAskedInPlaceOfTheServer() async throws {
        let proxy = try LoopbackServer { _ in .json("{}") }
        var options = CurlOptions()
        options.proxy = .url(proxy.url)
        let url = try #require(URL(string: "http://host.invalid/a"))
        #expect(try await CurlTransport(options).send(HTTPRequest(.get, url)).text == "{}")
        #expect(proxy.requests.map(\.target) == ["http://host.invalid/a"])
    }

    @Test(arguments: [
        "ftp://bob:secret@127.0.0.1:1", "http://bob:secret@127.0.0.1:1", "http://bob:secret@127.0.0.1:99999",
    ])
    func nobodyReadsTheSecretsOfAProxy(_ proxy: String) async throws {
        var options = CurlOptions()
        options.proxy = .url(try #require(URL(string: proxy)))
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let errors = [
            await #expect(throws: HTTPError.self) {
                try await CurlTransport(options).send(HTTPRequest(.get, url)).text
            },
            await #expect(throws: HTTPError.self) {
                _ = try await CurlWebSocketTransport(options).connect(
                    to: url, headers: [:], subprotocols: [], maximumMessageSize: 100)
            },
        ]
        for error in errors {
            let text = "\(String(describing: error)) \(String(reflecting: error))"
            #expect(!text.contains("secret") && !text.contains("bob"), "\(text)")
        }
    }

    /// The server says what it has to say and reads no more; what the client still sends breaks.
    @Test func aWholeEarlyAnswerToAnUploadIsTheAnswer() async throws {
        let server = try LoopbackServer { _ in .response(200, headers: [], "{}") }
        let count = Guarded(0)
        let isAnswered = Guarded(false)
        let pieces = HTTPPieces {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { return [97] }
            // The client has nothing to send until the answer is there: a broken connection hides what was not read.
            for _ in 0..<400 where number == 2 && !isAnswered.withLock({ $0 }) {
                try await Task.sleep(for: .milliseconds(5))
            }
            return number <= 41 ? [UInt8](repeating: 97, count: 1 << 20) : nil
        }
        // The server takes the request for one without a body, answers, and closes with bytes unread.
        let request = HTTPRequest(
            .post, server.url, headers: ["X-Early": "1"], body: .pieces(pieces, length: (40 << 20) + 1))
        let response = try await CurlTransport().send(request)
        isAnswered.withLock { $0 = true }
        #expect(response.status == 200)
        #expect(try await response.text == "{}")
        #expect(server.requests.count == 1)
    }

    @Test func aHeadThatIsTooLargeIsATypedError() async throws {
        let field = "X-A: " + String(repeating: "a", count: 1_000) + "\r\n"
        let server = try LoopbackServer { _ in
            .bytes(Array(("HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 100) + "\r\n").utf8))
        }
        await #expect(throws: HTTPError.notHTTP) {
            try await CurlTransport(maximumHeadSize: 64 << 10).send(HTTPRequest(.get, server.url))
        }
        #expect(try await CurlTransport(maximumHeadSize: 128 << 10).send(HTTPRequest(.get, server.url)).status == 200)
    }

    @Test func noMoreConnectionsAreMadeThanAllowed() async throws {
        let server = try LoopbackServer { _ in .keptJSON("{}") }
        let transport = try CurlTransport(connections: 3)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let text = try await transport.send(HTTPRequest(.post, server.url)).text
                    #expect(text == "{}")
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(server.requests.map(\.connection)).count <= 3)
    }

    @Test func whatWasCancelledIsNotSent() async throws {
        let server = try LoopbackServer { _ in .keptJSON("{}") }
        let loop = CurlLoop(try CurlTransport().options)
        defer { loop.close() }
        let exchange = CurlExchange(HTTPRequest(.post, server.url, body: .bytes([1])), on: loop)
        exchange.end(with: CancellationError())
        await #expect(throws: CancellationError.self) { try await exchange.response() }
        let next = try await CurlExchange(HTTPRequest(.post, server.url, body: .bytes([2])), on: loop).response()
        #expect(try await next.text == "{}")
        #expect(server.requests.map(\.body) == [[2]])
    }

    /// 20 KB in gzip that are 20 MB of zeros: a block whose code for 258 repeated bytes has two zero bits, and only
    /// those.
    @Test(arguments: [true, false])
    func aBombIsATypedErrorWhateverPausesIt(_ isChunked: Bool) async throws {
        let bomb: [UInt8] =
            [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 236, 193, 1, 1, 0, 0, 0, 128, 144, 254, 175, 238, 8, 10]
            + [UInt8](repeating: 0, count: 20_000)
        let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(bomb.count)"
        let chunk = isChunked ? Array("\(String(bomb.count, radix: 16))\r\n".utf8) : []
        let head = Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(framing)\r\n\r\n".utf8)
        let server = try LoopbackServer { _ in
            .bytes(head + chunk + bomb + (isChunked ? Array("\r\n0\r\n\r\n".utf8) : []))
        }
        let response = try await CurlTransport(maximumInflation: 100).send(HTTPRequest(.get, server.url))
        var total = 0
        let error = await #expect(throws: HTTPError.self) {
            for try await piece in response.body { total += piece.count }
        }
        if case .compression? = error {} else { Issue.record("\(String(describing: error))") }
        #expect(total < 8 << 20)
    }

    /// Writing to a connection that is gone raises a signal, which by default ends the process.
    @Test func aServerThatGoesDuringAnUploadEndsOnlyTheRequest() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let transport = try CurlTransport()
        let count = Guarded(0)
        let pieces = HTTPPieces {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number <= 32 ? [UInt8](repeating: 97, count: 1 << 20) : nil
        }
        await #expect(throws: HTTPError.self) {
            try await transport.send(
                HTTPRequest(.post, server.url, headers: ["X-Drop": "1"], body: .pieces(pieces, length: 32 << 20)))
        }
        var action = sigaction()
        sigaction(SIGPIPE, nil, &action)
        // A test of the terminal beside this one may have a handler in place, so that only ignoring is looked for.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
        #expect(handler != unsafeBitCast(SIG_IGN, to: UInt.self))
    }

    @Test func aServerThatDoesNotShakeHandsIsGivenUp() async throws {
        let server = try LoopbackServer { _ in .silence(after: []) }
        var options = CurlOptions()
        options.connectTimeout = .milliseconds(100)
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        await #expect(throws: HTTPError.refused(reason: "no connection in time")) {
            try await CurlTransport(options).send(HTTPRequest(.get, url))
        }
        await #expect(throws: HTTPError.refused(reason: "no connection in time")) {
            try await CurlWebSocketTransport(options).connect(
                to: url, headers: [:], subprotocols: [], maximumMessageSize: 1)
        }
    }

    #if os(Linux)
        /// Over TLS, the library writes to a connection that is gone like to a file, which raises a signal.
        @Test func theThreadTakesNoSignals() async throws {
            let server = try LoopbackServer { _ in .silence(after: Array("HTTP/1.1 200 OK\r\n\r\n".utf8)) }
            let response = try await CurlTransport().send(HTTPRequest(.get, server.url))
            // A thread that another test has just begun may not have got there yet.
            var threads: [UInt64] = []
            for _ in 0..<2_000 where threads.isEmpty || !threads.allSatisfy(Self.areAll) {
                threads = Self.blockedSignals(ofThreads: "baton.curl")
                await Task.yield()
            }
            #expect(!threads.isEmpty && threads.allSatisfy(Self.areAll))
            withExtendedLifetime(response) {}
        }

        /// The signals that the threads of a name have blocked, a bit for each.
        private static func blockedSignals(ofThreads name: String) -> [UInt64] {
            let folder = "/proc/self/task"
            func text(_ file: String) -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
            return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { thread in
                guard text("\(folder)/\(thread)/comm") == name + "\n" else { return nil }
                let line = text("\(folder)/\(thread)/status").split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
                return line.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) }
            }
        }

        private static func areAll(_ signals: UInt64) -> Bool {
            [SIGPIPE, SIGTERM, SIGINT, SIGCHLD, SIGALRM].allSatisfy { signals & 1 << UInt64($0 - 1) != 0 }
        }
    #endif

    @Test func aTransportWithoutWorkHasNoThread() async throws {
        let server = try LoopbackServer { _ in .keptJSON("{}") }
        let transport = try CurlTransport(idleTime: .milliseconds(50))
        for _ in 0..<3 {
            #expect(try await transport.send(HTTPRequest(.post, server.url)).text == "{}")
            await until { server.openConnections == 0 }
        }
        #expect(server.requests.map(\.connection) == [1, 2, 3])
    }
}

extension HTTPResponse {
    /// The whole body.
    var text: String {
        get async throws {
            var bytes: [UInt8] = []
            for try await piece in body { bytes += piece }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension HTTPHeadReader {
    mutating func take(_ line: String) throws(HTTPError) -> Bool {
        let result = Array(line.utf8).withUnsafeBytes { bytes in
            Result { () throws(HTTPError) in try take(bytes) }
        }
        return try result.get()
    }
}
