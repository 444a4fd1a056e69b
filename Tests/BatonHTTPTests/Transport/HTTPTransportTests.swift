import Baton
import Foundation
import TestServer
import Testing

@testable import BatonHTTP

/// What every transport of this module does.
@Suite("HTTPTransport", .timeLimit(.minutes(20)))
struct HTTPTransportTests {
    private static let chunkedHead = "HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n"

    private func text(_ body: HTTPPieces) async throws -> String {
        var bytes: [UInt8] = []
        for try await piece in body { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Lets a test decide when the server goes on.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        func open() { semaphore.signal() }
        func pass() { semaphore.wait() }
    }

    @Test("the head is there before the body, and each piece before the next one", arguments: TransportKind.allCases)
    func theHeadIsThereBeforeTheBody(_ kind: TransportKind) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            .written { writer in
                writer.write(Self.chunkedHead)
                for text in ["one", "two", ""] {
                    gate.pass()
                    writer.writeChunk(text)
                }
            }
        }
        let response = try await kind.make().send(HTTPRequest(.get, server.url))
        #expect(response.status == 200)
        #expect(response.headers["x-a"] == "1")
        var body = response.body.makeAsyncIterator()
        for text in ["one", "two"] {
            gate.open()
            #expect(try await body.next() == Array(text.utf8))
        }
        gate.open()
        #expect(try await body.next() == nil)
        #expect(try await body.next() == nil)
    }

    @Test("methods, headers and bodies go out as they are", arguments: TransportKind.allCases)
    func methodsHeadersAndBodiesAreSentUnchanged(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .response(201, type: nil, "x") }
        let transport = try kind.make()
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            let body = method == .post ? HTTPRequest.Body.bytes([1, 2]) : .none
            let response = try await transport.send(
                HTTPRequest(method, server.url, headers: ["X-B": "v", "Content-Type": "a/b"], body: body))
            #expect(response.status == 201)
            #expect(try await text(response.body) == "x")
        }
        #expect(server.requests.map(\.method) == ["GET", "POST", "PUT", "DELETE"])
        #expect(server.requests.map(\.body) == [[], [1, 2], [], []])
        #expect(server.requests.allSatisfy { $0.headers["x-b"] == "v" })
    }

    @Test("a connection is used again", arguments: TransportKind.allCases)
    func aConnectionIsUsedAgain(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .keptJSON("{}") }
        let transport = try kind.make()
        for _ in 0..<3 { #expect(try await text(transport.send(HTTPRequest(.post, server.url)).body) == "{}") }
        #expect(server.requests.map(\.connection) == [1, 1, 1])
    }

    /// The server has read the request, and may have carried it out.
    @Test("nothing is sent again when a kept connection closes before the response", arguments: TransportKind.allCases)
    func nothingIsSentAgainWhenAConnectionCloses(_ kind: TransportKind) async throws {
        let bodies: [(HTTPRequest.Method, HTTPRequest.Body)] = [
            (.post, .bytes(Array("mutation".utf8))), (.post, .bytes([UInt8](repeating: 97, count: 3 << 20))),
            (.post, .none), (.put, .none), (.delete, .none), (.get, .none),
        ]
        for (method, body) in bodies {
            // Foundation has no means against it where there is no body.
            if kind == .urlSession, case .none = body { continue }
            let count = Guarded(0)
            let server = try LoopbackServer { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 2 ? .bytes([]) : .keptJSON("{}")
            }
            let transport = try kind.make()
            #expect(try await transport.send(HTTPRequest(.post, server.url, body: .bytes([1]))).text == "{}")
            await #expect(throws: HTTPError.self, "\(method)") {
                try await transport.send(HTTPRequest(method, server.url, body: body))
            }
            #expect(server.requests.map(\.method) == ["POST", method.rawValue], "\(method)")
            #expect(try await transport.send(HTTPRequest(.post, server.url, body: .bytes([1]))).text == "{}")
        }
    }

    @Test("letting go of a body closes its connection", arguments: TransportKind.allCases)
    func releasingABodyClosesItsConnection(_ kind: TransportKind) async throws {
        let (closes, closed) = AsyncStream.makeStream(of: Bool.self)
        let server = try LoopbackServer { _ in
            .written { writer in
                writer.write(Self.chunkedHead)
                writer.writeChunk("one")
                closed.yield(writer.waitForClose())
            }
        }
        let transport = try kind.make()
        do {
            let response = try await transport.send(HTTPRequest(.get, server.url))
            #expect(response.status == 200)
        }
        for await isClosed in closes {
            #expect(isClosed)
            break
        }
    }

    @Test("cancelling the task that waits closes the connection", arguments: TransportKind.allCases, [true, false])
    func cancellingTheTaskClosesTheConnection(_ kind: TransportKind, _ hasHead: Bool) async throws {
        let (events, happened) = AsyncStream.makeStream(of: String.self)
        let server = try LoopbackServer { _ in
            .written { writer in
                if hasHead { writer.write(Self.chunkedHead) }
                happened.yield("arrived")
                happened.yield(writer.waitForClose() ? "closed" : "open")
            }
        }
        let transport = try kind.make()
        let task = Task {
            let response = try await transport.send(HTTPRequest(.get, server.url))
            return try await text(response.body)
        }
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == "arrived")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await iterator.next() == "closed")
    }

    @Test("a response that is not read does not fill the memory")
    func anUnreadResponseDoesNotFillTheMemory() async throws {
        let server = try LoopbackServer { _ in
            .endless(
                piece: Array((Self.chunkedHead + "fffffff\r\n" + String(repeating: "x", count: 60_000)).utf8),
                pauseMilliseconds: 0)
        }
        let transport = URLSessionTransport(maximumWaitingBytes: 1 << 20)
        let response = try await transport.send(HTTPRequest(.get, server.url))
        // The body is kept, and not read until the server has seen that the connection was closed.
        await until { server.abandoned > 0 }
        #if !canImport(Darwin)
            await #expect(throws: HTTPError.overrun(limit: 1 << 20)) { try await text(response.body) }
        #endif
    }

    @Test("cookies are sent back only if the application wants that", arguments: [true, false])
    func cookiesAreSentBackOnlyOnDemand(_ keepsCookies: Bool) async throws {
        let server = try LoopbackServer { _ in .response(headers: ["Set-Cookie: a=1; Path=/"], "{}") }
        let transport = URLSessionTransport(keepsCookies: keepsCookies)
        for _ in 0..<2 { _ = try await text(transport.send(HTTPRequest(.get, server.url)).body) }
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, keepsCookies ? "a=1" : nil])
    }

    @Test("a body whose source fails ends the request with that error", arguments: TransportKind.allCases)
    func aFailingBodyEndsTheRequest(_ kind: TransportKind) async throws {
        struct Broken: Error {}
        let server = try LoopbackServer { _ in .json("{}") }
        let count = Guarded(0)
        let pieces = HTTPPieces {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number > 3 { throw Broken() }
            return [UInt8](repeating: 1, count: 1_000)
        }
        await #expect(throws: Broken.self) {
            try await kind.make().send(HTTPRequest(.post, server.url, body: .pieces(pieces, length: 10_000)))
        }
    }

    @Test("errors of connections are told apart", arguments: TransportKind.allCases)
    func errorsOfConnectionsAreToldApart(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        func error(_ url: String) async throws -> HTTPError? {
            let url = try #require(URL(string: url))
            return await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(.get, url)) }
        }
        let server = try LoopbackServer { _ in .bytes(Array("no HTTP at all\r\n\r\n".utf8)) }
        if case .nameNotFound? = try await error("http://host.invalid/?key=secret") {} else { Issue.record("name") }
        if case .badURL? = try await error("ftp://host/") {} else { Issue.record("scheme") }
        if case .badURL? = try await error("http:///path") {} else { Issue.record("host") }
        if case .tls? = try await error("https://127.0.0.1:\(server.port)/") {} else { Issue.record("tls") }
    }

    /// On Linux, the texts of `URLSession` are those of libcurl.
    @Test("no text of the system with a URL is passed on", arguments: [URLError.Code.unsupportedURL, .unknown])
    func aTextOfTheSystemHasNoURL(_ code: URLError.Code) {
        let text = "Unsupported proxy scheme for 'ftp://bob:secret@127.0.0.1:1'"
        let error = URLError(code, userInfo: [NSLocalizedDescriptionKey: text])
        let described = [
            URLSessionExchange.describe(error, hasResponse: false),
            URLSessionExchange.describe(error, hasResponse: true),
            URLSessionWebSocketTransport.described(error),
        ]
        for error in described { #expect(!String(reflecting: error).contains("secret")) }
    }
}
