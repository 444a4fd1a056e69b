import Baton
import Foundation
import Synchronization
import TestServer
import Testing

@testable import BatonHTTP

@Suite("HTTPNetwork")
struct HTTPNetworkTests {
    private static let request = NetworkRequest(
        id: 1,
        operationName: "Hero",
        kind: .query,
        text: "query Hero($e: Episode) { hero(episode: $e) { name } }",
        variables: [.init("e", "EMPIRE")]
    )

    @Test("a request is one POST with JSON, and the bytes of the response are passed on")
    func aRequestIsOnePOSTWithJSON() async throws {
        let server = try LoopbackServer { _ in
            .response(type: "application/json; charset=utf-8", #"{"data": {"a": 1} }"#)
        }
        let network = HTTPNetwork(url: server.url) { request in
            ["Authorization": "Bearer \(request.operationName)", "X-Client": "test"]
        }
        let response = try await network.send(Self.request)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"data": {"a": 1} }"#)
        #expect(!response.hasNext)
        #expect(response.metadata["status"] == "200")
        let received = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(received.method == "POST")
        #expect(received.target == "/graphql")
        #expect(received.headers["content-type"] == "application/json")
        #expect(received.headers["accept"] == "application/graphql-response+json, application/json;q=0.9")
        #expect(received.headers["authorization"] == "Bearer Hero")
        #expect(received.headers["x-client"] == "test")
        #expect(received.headers["cookie"] == nil)
        #expect(received.body == Self.request.jsonBody)
    }

    struct Verdict: Sendable, CustomTestStringConvertible {
        let fact: String
        let status: Int
        let type: String?
        let body: String
        /// The expected error; nil if the body is a response.
        let error: RelayError?
        var testDescription: String { fact }
    }

    static let html = "<html>" + String(repeating: "x", count: 1_000)

    @Test(
        "status and content type decide whether a body is a GraphQL response",
        arguments: [
            Verdict(fact: "200 JSON", status: 200, type: "application/json", body: "{}", error: nil),
            Verdict(fact: "200, type in capitals", status: 200, type: "Application/JSON", body: "{}", error: nil),
            Verdict(
                fact: "200 broken JSON is for the reader", status: 200, type: "application/json", body: "{\"da",
                error: nil),
            Verdict(fact: "200 without type, an object", status: 200, type: nil, body: " {\"data\":null}", error: nil),
            Verdict(
                fact: "200 without type, no object", status: 200, type: nil, body: "hello",
                error: .contentType(nil, body: "hello")),
            Verdict(
                fact: "200 page", status: 200, type: "text/html; charset=utf-8", body: html,
                error: .contentType("text/html; charset=utf-8", body: String(html.prefix(500)))),
            Verdict(
                fact: "200 empty", status: 200, type: "application/json", body: "",
                error: .transport(HTTPError.emptyBody(status: 200))),
            Verdict(
                fact: "200 empty without type", status: 200, type: nil, body: "",
                error: .transport(HTTPError.emptyBody(status: 200))),
            Verdict(
                fact: "400 with the GraphQL type", status: 400, type: "application/graphql-response+json",
                body: #"{"errors":[{"message":"x"}]}"#, error: nil),
            Verdict(
                fact: "500 with the GraphQL type", status: 500,
                type: "application/graphql-response+json; charset=utf-8",
                body: #"{"errors":[{"message":"x"}]}"#, error: nil),
            Verdict(
                fact: "400 JSON with errors", status: 400, type: "application/json",
                body: #"{"errors":[{"message":"x"}]}"#,
                error: nil),
            Verdict(
                fact: "400 JSON with null data", status: 400, type: "application/json",
                body: #"{"data":null,"errors":[]}"#, error: nil),
            Verdict(
                fact: "400 JSON with partial data", status: 400, type: "application/json", body: #"{"data":{"a":1}}"#,
                error: nil),
            Verdict(
                fact: "404 JSON of another kind", status: 404, type: "application/json",
                body: #"{"detail":"Not Found"}"#,
                error: .httpStatus(404, body: #"{"detail":"Not Found"}"#)),
            Verdict(
                fact: "400 JSON with errors of another kind", status: 400, type: "application/json",
                body: #"{"errors":{"query":"missing"}}"#,
                error: .httpStatus(400, body: #"{"errors":{"query":"missing"}}"#)),
            Verdict(
                fact: "502 broken JSON", status: 502, type: "application/json", body: "{",
                error: .httpStatus(502, body: "{")),
            Verdict(
                fact: "500 text", status: 500, type: "text/plain", body: "Internal Server Error",
                error: .httpStatus(500, body: "Internal Server Error")),
            Verdict(fact: "401 empty", status: 401, type: nil, body: "", error: .httpStatus(401, body: "")),
            Verdict(
                fact: "503 with the GraphQL type, empty", status: 503, type: "application/graphql-response+json",
                body: "",
                error: .httpStatus(503, body: "")),
            Verdict(
                fact: "301 without location", status: 301, type: "text/html", body: "",
                error: .httpStatus(301, body: "")),
        ]
    )
    func statusAndTypeDecideWhatAnAnswerIs(_ verdict: Verdict) async throws {
        let server = try LoopbackServer { _ in .response(verdict.status, type: verdict.type, verdict.body) }
        let network = HTTPNetwork(url: server.url)
        if let error = verdict.error {
            await #expect(throws: error) { try await network.send(Self.request) }
        } else {
            #expect(try await network.send(Self.request).body == Array(verdict.body.utf8))
        }
    }

    @Test("a body nested 100,000 levels deep does no harm", arguments: [200, 400])
    func aDeepBodyIsJudgedWithoutHarm(_ status: Int) async throws {
        let body = "{\"data\":" + String(repeating: "[", count: 100_000)
        let server = try LoopbackServer { _ in .response(status, body) }
        let network = HTTPNetwork(url: server.url)
        if status == 200 {
            #expect(try await network.send(Self.request).body.count == body.utf8.count)
        } else {
            await #expect(throws: RelayError.httpStatus(400, body: String(body.prefix(500)))) {
                try await network.send(Self.request)
            }
        }
    }

    @Test("a header of a request replaces one of the network, in any spelling")
    func aHeaderOfTheRequestReplacesTheNetworks() async throws {
        let url = try #require(URL(string: "http://localhost/graphql"))
        let transport = ScriptedTransport { _ in .json("{}") }
        for (name, other) in [("authorization", "Authorization"), ("AUTHORIZATION", "authorization")] {
            let network = HTTPNetwork(url: url, transport: transport) { _ in [name: "network", "X-Other": "1"] }
            var request = Self.request
            request.configuration.headers = [other: "request"]
            _ = try await network.send(request)
            #expect(transport.sent.last?.headers["Authorization"] == "request")
            #expect(transport.sent.last?.headers["X-Other"] == "1")
        }
    }

    @Test("the headers hook can fail a request")
    func theHeadersHookCanFailARequest() async throws {
        struct NoToken: Error {}
        let server = try LoopbackServer { _ in .json("{}") }
        let network = HTTPNetwork(url: server.url) { _ in throw NoToken() }
        await #expect(throws: RelayError.transport(NoToken())) { try await network.send(Self.request) }
        #expect(server.requests.isEmpty)
    }

    // MARK: - Time

    @Test("a server that never answers is given up after the timeout")
    func aServerThatNeverAnswersIsGivenUp() async throws {
        let server = try LoopbackServer { _ in .silence(after: []) }
        let network = HTTPNetwork(url: server.url, timeout: .milliseconds(200))
        await #expect(throws: RelayError.transport(HTTPError.timedOut(after: .milliseconds(200)))) {
            try await network.send(Self.request)
        }
    }

    @Test("a request with a timeout of its own is not given up by the network")
    func aRequestMayHaveALongerTimeoutOfItsOwn() async throws {
        let server = try LoopbackServer { _ in
            .written { writer in
                Thread.sleep(forTimeInterval: 2)
                let body = #"{"data":{"hero":null}}"#
                writer.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 22\r\n\r\n" + body)
            }
        }
        let network = HTTPNetwork(url: server.url, timeout: .milliseconds(100))
        var request = Self.request
        request.configuration.timeout = .seconds(20)
        #expect(try await network.send(request).body.count == 22)
    }

    @Test("a server that sends a byte now and then does not outlast the timeout")
    func slowBytesDoNotOutlastTheTimeout() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
        let server = try LoopbackServer { _ in .endless(piece: Array(head.utf8), pauseMilliseconds: 20) }
        let network = HTTPNetwork(url: server.url, timeout: .milliseconds(400), silenceTimeout: .milliseconds(300))
        await #expect(throws: RelayError.transport(HTTPError.timedOut(after: .milliseconds(400)))) {
            try await network.send(Self.request)
        }
    }

    @Test("a server that stands still in the middle is given up after the idle timeout")
    func aServerThatStandsStillIsGivenUp() async throws {
        let half = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"data\":"
        let server = try LoopbackServer { _ in .silence(after: Array(half.utf8)) }
        let network = HTTPNetwork(url: server.url, silenceTimeout: .milliseconds(100))
        await #expect(throws: RelayError.transport(HTTPError.stalled(after: .milliseconds(100)))) {
            try await network.send(Self.request)
        }
    }

    @Test("the timeout runs while the headers hook does")
    func theTimeoutRunsDuringTheHeadersHook() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let network = HTTPNetwork(url: server.url, timeout: .milliseconds(50)) { _ in
            // This wait never ends, and ignores cancellation.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return [:]
        }
        await #expect(throws: RelayError.transport(HTTPError.timedOut(after: .milliseconds(50)))) {
            try await network.send(Self.request)
        }
    }

    @Test("cancelling the task breaks the request off")
    func cancellingTheTaskBreaksTheRequestOff() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _ in
            arrived.yield()
            return .silence(after: [])
        }
        let network = HTTPNetwork(url: server.url)
        let task = Task { try await network.send(Self.request) }
        for await _ in arrivals { break }
        task.cancel()
        await #expect(throws: RelayError.cancelled) { try await task.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await network.send(Self.request)
        }
        await #expect(throws: RelayError.cancelled) { try await early.value }
    }

    // MARK: - Redirects

    @Test(
        "a redirect that keeps the method is followed within the origin, with headers and body", arguments: [307, 308])
    func aRedirectWithinTheOriginIsFollowed(_ status: Int) async throws {
        let server = try LoopbackServer { request in
            request.target == "/graphql"
                ? .response(status, type: nil, headers: ["Location: /v2/graphql"], "") : .json(#"{"data":{}}"#)
        }
        let network = HTTPNetwork(url: server.url) { _ in ["Authorization": "secret"] }
        #expect(try await network.send(Self.request).body == Array(#"{"data":{}}"#.utf8))
        #expect(server.requests.map(\.target) == ["/graphql", "/v2/graphql"])
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.last?.headers["authorization"] == "secret")
        #expect(server.requests.last?.body == Self.request.jsonBody)
    }

    @Test("no redirect goes to another origin", arguments: [301, 302, 303, 307, 308])
    func aRedirectToAnotherOriginIsRefused(_ status: Int) async throws {
        let other = try LoopbackServer { _ in .json(#"{"data":{}}"#) }
        let location = other.url.absoluteString
        let server = try LoopbackServer { _ in .response(status, type: nil, headers: ["Location: \(location)"], "") }
        let network = HTTPNetwork(url: server.url) { _ in ["Authorization": "secret"] }
        await #expect(throws: RelayError.transport(HTTPError.redirectRefused(status: status, location: location))) {
            try await network.send(Self.request)
        }
        #expect(other.requests.isEmpty)
    }

    @Test("no redirect turns the POST into a GET", arguments: [301, 302, 303])
    func aRedirectDoesNotTurnAPOSTIntoAGET(_ status: Int) async throws {
        let server = try LoopbackServer { request in
            request.target == "/graphql"
                ? .response(status, type: nil, headers: ["Location: /other"], "") : .json(#"{"data":{}}"#)
        }
        let network = HTTPNetwork(url: server.url)
        await #expect(throws: RelayError.transport(HTTPError.redirectRefused(status: status, location: "/other"))) {
            try await network.send(Self.request)
        }
        #expect(server.requests.count == 1)
    }

    @Test("redirects that never end are given up")
    func endlessRedirectsAreGivenUp() async throws {
        let server = try LoopbackServer { _ in .response(307, type: nil, headers: ["Location: /graphql"], "") }
        let network = HTTPNetwork(url: server.url)
        await #expect(throws: RelayError.transport(HTTPError.tooManyRedirects(5))) {
            try await network.send(Self.request)
        }
        #expect(server.requests.count == 6)
    }

    // MARK: - Bad answers

    @Test("a response that is too large is broken off, with or without a stated size", arguments: [true, false])
    func aLargeAnswerIsBrokenOff(_ saysSize: Bool) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        let server = try LoopbackServer { _ in
            saysSize
                ? .silence(after: Array((head + "Content-Length: 100000\r\n\r\n{").utf8))
                : .endless(
                    piece: Array((head + "\r\n" + String(repeating: " ", count: 5_000)).utf8), pauseMilliseconds: 20)
        }
        let network = HTTPNetwork(url: server.url, maximumBodySize: 20_000)
        await #expect(throws: RelayError.transport(HTTPError.bodyTooLarge(limit: 20_000))) {
            try await network.send(Self.request)
        }
    }

    @Test("a response may be compressed with deflate too, which is zlib's format")
    func anAnswerMayBeDeflated() async throws {
        let body = try #require(Data(base64Encoded: "eJyrVkpJLElUsqpWAhKGtbUAK8QFGQ=="))
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: deflate\r\n"
        let length = "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        let server = try LoopbackServer { _ in .bytes(Array((head + length).utf8) + body) }
        let answer = try await HTTPNetwork(url: server.url).send(Self.request)
        #expect(answer.body == Array(#"{"data":{"a":1}}"#.utf8))
    }

    @Test("a compressed response is decompressed, and limited after that")
    func aCompressedAnswerIsLimitedAfterDecompression() async throws {
        let answer = "H4sIAAAAAAACA6tWSkksSVSyqlYCEoa1tQB1rVuWEAAAAA=="
        // 400,000 spaces.
        let bomb =
            "H4sIAAAAAAACA+3BMQEAAADCoCrrn9IUfkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAADA3wB0C1+8gBoGAA=="
        func server(_ base64: String) throws -> LoopbackServer {
            let body = try #require(Data(base64Encoded: base64))
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
            let length = "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
            return try LoopbackServer { _ in .bytes(Array((head + length).utf8) + body) }
        }
        let servers = [try server(answer), try server(bomb)]
        let good = HTTPNetwork(url: servers[0].url, maximumBodySize: 20_000)
        #expect(try await good.send(Self.request).body == Array(#"{"data":{"a":1}}"#.utf8))
        let bad = HTTPNetwork(url: servers[1].url, maximumBodySize: 20_000)
        await #expect(throws: RelayError.transport(HTTPError.bodyTooLarge(limit: 20_000))) {
            try await bad.send(Self.request)
        }
    }

    @Test("a body of exactly the limit is accepted")
    func aBodyOfExactlyTheLimitIsAccepted() async throws {
        let server = try LoopbackServer { _ in .json(String(repeating: " ", count: 20_000)) }
        let network = HTTPNetwork(url: server.url, maximumBodySize: 20_000)
        #expect(try await network.send(Self.request).body.count == 20_000)
    }

    @Test("a refused or broken connection is an error of the connection")
    func aBrokenConnectionIsATypedError() async throws {
        // Nobody listens there, while the port of a server that has stopped is soon another server's.
        let url = try #require(URL(string: "http://127.0.0.1:1/graphql"))
        await expect(HTTPNetwork(url: url), "the server could not be reached (") { error in
            if case .refused = error { true } else { false }
        }
        let nothing = try LoopbackServer { _ in .bytes([]) }
        await expect(HTTPNetwork(url: nothing.url), "the connection broke off (") { error in
            if case .closed = error { true } else { false }
        }
        let half = try LoopbackServer { _ in
            .bytes(Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{".utf8))
        }
        await expect(HTTPNetwork(url: half.url), "the connection broke off (") { error in
            if case .closed = error { true } else { false }
        }
    }

    private func expect(_ network: HTTPNetwork, _ text: String, _ isExpected: (HTTPError) -> Bool) async {
        let error = await #expect(throws: RelayError.self) { try await network.send(Self.request) }
        guard case .transport(let reason as HTTPError)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(isExpected(reason), "\(reason)")
        #expect("\(reason)".hasPrefix(text))
    }

    @Test("many requests run at a time")
    func manyRequestsRunAtATime() async throws {
        let server = try LoopbackServer { .json(#"{"data":"\#($0.body.count)"}"#) }
        let network = HTTPNetwork(url: server.url, transport: URLSessionTransport(connections: 4))
        let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<30 { group.addTask { try await network.send(Self.request).body } }
            return try await group.reduce(into: [[UInt8]]()) { $0.append($1) }
        }
        #expect(bodies.count == 30)
        #expect(Set(bodies).count == 1)
    }

    @Test(
        "status 304 is an empty response, with which a server confirms an older response",
        arguments: ["If-None-Match", "If-Modified-Since"])
    func aServerMayConfirmWhatTheRequestHas(_ condition: String) async throws {
        let server = try LoopbackServer { _ in
            .bytes(Array("HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=5\r\n\r\n".utf8))
        }
        var request = Self.request
        request.configuration.headers[condition] = "x"
        let response = try await HTTPNetwork(url: server.url).send(request)
        #expect(response.body.isEmpty)
        #expect(response.metadata["status"] == "304")
        #expect(response.metadata["cache-control"] == "max-age=5")
        await #expect(throws: RelayError.self) { try await HTTPNetwork(url: server.url).send(Self.request) }
    }
}
