import Baton
import BatonHTTP
import Foundation
import NIOTransport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct HTTPTransportTests {
    @Test(arguments: TransportKind.allCases)
    func headComesBeforeTheBodyAndPiecesAsTheyAreSent(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let goOn = Signal<Void>()
        try await RawServer.run { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 6\r\n\r\n")
            _ = await goOn.next()
            try await connection.write("abc")
            _ = await goOn.next()
            try await connection.write("def")
        } _: { server in
            let response = try await transport.send(HTTPRequest(.get, server.url))
            #expect(response.status == 200)
            #expect(response.headers["x-a"] == "1, 2")
            var body = response.body.makeAsyncIterator()
            goOn.send(())
            #expect(try await body.next() == Array("abc".utf8))
            goOn.send(())
            #expect(try await body.next() == Array("def".utf8))
            #expect(try await body.next() == nil)
        }
    }

    @Test(.oneAtATime, arguments: TransportKind.allCases)
    func anUnreadBodyMakesTheServerWait(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let written = Counter()
        try await RawServer.run { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(256 << 20)\r\n\r\n")
            for _ in 0..<256 {
                try await connection.write([UInt8](repeating: 32, count: 1 << 20))
                written.add(1)
            }
        } _: { server in
            let response = try await transport.send(HTTPRequest(.get, server.url))
            var total = 0
            for try await piece in response.body {
                total += piece.count
                // Bytes that have not been read are in the buffers of sockets, which hold a few megabytes.
                #expect(written.value << 20 <= total + 64 << 20)
                if total > 100 << 20 { break }
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func cancellingClosesTheConnection(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let (arrived, ended) = (Signal<Void>(), Signal<Void>())
        try await RawServer.run { connection in
            _ = try await connection.readHead()
            arrived.send(())
            try? await connection.readToEnd()
            ended.send(())
        } _: { server in
            let request = Task { try await transport.send(HTTPRequest(.get, server.url)) }
            _ = await arrived.next()
            request.cancel()
            await #expect(throws: CancellationError.self) { try await request.value }
            #expect(await ended.next() != nil)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func lettingGoOfABodyClosesTheConnection(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let ended = Signal<Void>()
        try await RawServer.run { connection in
            _ = try await connection.readHead()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
            try? await connection.readToEnd()
            ended.send(())
        } _: { server in
            do {
                let response = try await transport.send(HTTPRequest(.get, server.url))
                var body = response.body.makeAsyncIterator()
                #expect(try await body.next() == Array("abc".utf8))
            }
            #expect(await ended.next() != nil)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func aConnectionIsUsedAgain(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let connections = Counter()
        try await RawServer.run { connection in
            connections.add(1)
            while try await connection.readHead() != nil {
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        } _: { server in
            for _ in 0..<5 {
                let answer = try await transport.text(HTTPRequest(.get, server.url))
                #expect(answer == "ok")
            }
            #expect(connections.value == 1)
        }
    }

    /// The server has read the second request, and may have carried it out.
    @Test(arguments: TransportKind.allCases)
    func nothingIsSentAgainWhenAKeptConnectionCloses(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let requests = Counter()
        try await RawServer.run { connection in
            while try await connection.readHead() != nil {
                _ = try await connection.read(8)
                requests.add(1)
                if requests.value == 2 { return }
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        } _: { server in
            let mutation = HTTPRequest(.post, server.url, body: .bytes(Array("mutation".utf8)))
            let first = try await transport.text(mutation)
            await #expect(throws: HTTPError.self) { try await transport.text(mutation) }
            #expect(first == "ok" && requests.value == 2)
            let last = try await transport.text(mutation)
            #expect(last == "ok")
        }
    }

    @Test(arguments: TransportKind.allCases)
    func redirectsAndCookiesAreLeftToTheCaller(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let heads = Signal<String>()
        try await RawServer.run { connection in
            while let head = try await connection.readHead() {
                heads.send(head)
                try await connection.write(
                    "HTTP/1.1 307 See\r\nLocation: /other\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n")
            }
        } _: { server in
            for _ in 0..<2 {
                let response = try await transport.send(HTTPRequest(.get, server.url))
                for try await _ in response.body {}
                #expect(response.status == 307)
                #expect(response.headers["location"] == "/other")
                #expect(await heads.next()?.lowercased().contains("cookie") == false)
            }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func piecesAreSentWithTheirLength(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let received = Signal<(String, [UInt8])>()
        try await RawServer.run { connection in
            let head = try await connection.readHead() ?? ""
            received.send((head, try await connection.read(6)))
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        } _: { server in
            let pieces = Pieces([Array("abc".utf8), Array("def".utf8)])
            let body = HTTPRequest.Body.pieces(HTTPPieces { await pieces.next() }, length: 6)
            _ = try await transport.send(HTTPRequest(.post, server.url, body: body))
            let (head, bytes) = try #require(await received.next())
            #expect(head.lowercased().contains("content-length: 6\r\n"))
            #expect(bytes == Array("abcdef".utf8))
        }
    }

    @Test(arguments: TransportKind.allCases)
    func anErrorOfTheSourceIsTheErrorOfTheRequest(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        try await RawServer.run { connection in
            try await connection.readToEnd()
        } _: { server in
            let body = HTTPRequest.Body.pieces(HTTPPieces { () -> [UInt8]? in throw SourceError() }, length: 6)
            await #expect(throws: SourceError.self) {
                _ = try await transport.send(HTTPRequest(.post, server.url, body: body))
            }
        }
    }

    /// The format of zlib, as RFC 9110 defines it.
    @Test(arguments: TransportKind.allCases)
    func aDeflatedBodyIsInflated(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let body = try #require(Data(base64Encoded: "eJyrVkpJLElUsqpWAhKGtbUAK8QFGQ=="))
        try await RawServer.run { connection in
            let head = try await connection.readHead() ?? ""
            #expect(head.lowercased().contains("deflate"))
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(body.count)\r\n\r\n")
            try await connection.write(Array(body))
        } _: { server in
            let answer = try await transport.text(HTTPRequest(.get, server.url))
            #expect(answer == #"{"data":{"a":1}}"#)
        }
    }

    /// The rest of a body is read while the next request may begin already, so not each of them finds a connection.
    @Test(arguments: TransportKind.allCases + [.urlSession])
    func theConnectionOfAnAnswerInPartsIsUsedAgain(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let (connections, delivered) = (Counter(), Signal<Void>())
        let part = "\r\n---\r\nContent-Type: application/json\r\n\r\n{\"data\":{},\"hasNext\":false}\r\n---"
        let size = String(part.utf8.count, radix: 16)
        try await RawServer.run { connection in
            connections.add(1)
            while let head = try await connection.readHead() {
                let length = head.lowercased().firstMatch(of: /content-length: ([0-9]+)/).flatMap { Int($0.1) }
                _ = try await connection.read(length ?? 0)
                try await connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Type: multipart/mixed; boundary=\"-\"\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(part)\r\n")
                _ = await delivered.next()
                try await connection.write("4\r\n--\r\n\r\n0\r\n\r\n")
            }
        } _: { server in
            let network = HTTPNetwork(url: server.url, transport: transport)
            let request = NetworkRequest(id: 1, operationName: "A", kind: .query, text: "{ a }", isIncremental: true)
            for _ in 0..<20 {
                _ = try await network.send(request)
                delivered.send(())
            }
            #expect(connections.value < 20)
        }
    }

    @Test(arguments: TransportKind.allCases)
    func aBombIsNotInflated(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        try await RawServer.run { connection in
            _ = try await connection.readHead()
            let body = Bomb.gzip
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
            try await connection.write(body)
            try await connection.readToEnd()
        } _: { server in
            var total = 0
            await #expect(throws: HTTPError.self) {
                let response = try await transport.send(HTTPRequest(.get, server.url))
                for try await piece in response.body { total += piece.count }
            }
            #expect(total < Bomb.inflatedSize / 2)
        }
    }

    @Test(
        arguments: TransportKind.allCases,
        [
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "HTTP/1.1 200 OK\r\nContent-",
            "",
            "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        ])
    func aBrokenAnswerIsATypedError(_ kind: TransportKind, _ answer: String) async throws {
        let transport = try kind.make()
        try await RawServer.run { connection in
            _ = try await connection.readHead()
            if !answer.isEmpty { try await connection.write(answer) }
        } _: { server in
            await #expect(throws: HTTPError.self) { try await transport.text(HTTPRequest(.get, server.url)) }
        }
    }

    @Test(arguments: TransportKind.allCases)
    func aServerThatIsNotThereIsATypedError(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let closed = Signal<URL>()
        try await RawServer.run { _ in
        } _: {
            closed.send($0.url)
        }
        let url = try #require(await closed.next())
        await #expect(throws: HTTPError.self) { try await transport.text(HTTPRequest(.get, url)) }
        let unknown = try #require(URL(string: "http://no-such-host.invalid/"))
        await #expect(throws: HTTPError.self) { try await transport.text(HTTPRequest(.get, unknown)) }
    }

    @Test(arguments: TransportKind.allCases)
    func aHeaderThatCannotBeSentIsNotQuoted(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let request = HTTPRequest(.get, url, headers: ["Authorization": "secret\r\nX: y"])
        do {
            _ = try await transport.send(request)
            Issue.record("the request was sent")
        } catch {
            #expect(!"\(error)".contains("secret"))
        }
    }

    /// A server that has sent a response too many gets the next request over another connection.
    @Test(
        arguments: TransportKind.allCases, ["Content-Length: 5\r\n\r\nstray", "Content-Length: 0\r\n\r\n", "Content-"])
    func aResponseThatNobodyAskedForIsNoResult(_ kind: TransportKind, _ stray: String) async throws {
        let transport = try kind.make()
        let (requests, connections, sent) = (Counter(), Counter(), Signal<Void>())
        try await RawServer.run { connection in
            connections.add(1)
            while try await connection.readHead() != nil {
                requests.add(1)
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                try await Task.sleep(for: .milliseconds(50))
                try await connection.write("HTTP/1.1 200 OK\r\n\(stray)")
                sent.send(())
            }
        } _: { server in
            for _ in 0..<10 {
                #expect(try await transport.text(HTTPRequest(.delete, server.url)) == "ok")
                _ = await sent.next()
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(requests.value == 10 && connections.value == 10)
        }
    }

    /// Requests wait for the only connection, which has more to read than the response.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray", "HTTP/1.1 200 OK\r\nContent-", "H"])
    func aResponseInThePacketOfAnotherOneIsNoResult(_ stray: String) async throws {
        let transport = AsyncHTTPTransport(connections: 1)
        let (requests, connections) = (Counter(), Counter())
        try await RawServer.run { connection in
            connections.add(1)
            while try await connection.readHead() != nil {
                requests.add(1)
                _ = try await connection.read(2)
                try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok\(stray)")
            }
        } _: { server in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await transport.text(HTTPRequest(.post, server.url, body: .bytes(Array("{}".utf8))))
                    }
                }
                for try await text in group { #expect(text == "ok") }
            }
            #expect(requests.value == 20 && connections.value == (stray.isEmpty ? 1 : 20))
        }
    }

    @Test func requestsAfterShutdownFail() async throws {
        let transport = AsyncHTTPTransport()
        await transport.shutdown()
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(.get, url)) }
    }
}

extension HTTPTransport {
    /// The whole body of the response.
    fileprivate func text(_ request: HTTPRequest) async throws -> String {
        var bytes: [UInt8] = []
        for try await piece in try await send(request).body { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }
}

private struct SourceError: Error {}

/// The pieces of a body, which are taken one by one.
private actor Pieces {
    private var pieces: [[UInt8]]

    init(_ pieces: [[UInt8]]) {
        self.pieces = pieces
    }

    func next() -> [UInt8]? {
        pieces.isEmpty ? nil : pieces.removeFirst()
    }
}
