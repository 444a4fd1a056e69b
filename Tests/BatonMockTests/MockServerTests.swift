import Baton
import BatonHTTP
import BatonTesting
import Foundation
import RandomCases
import Testing

@testable import BatonMock

@Suite("MockServer", .timeLimit(.minutes(20)))
struct MockServerTests {
    private static func status(_ answer: String) -> Int? {
        answer.hasPrefix("HTTP/1.1 ") ? Int(answer.dropFirst(9).prefix(3)) : nil
    }

    private static func body(_ answer: String) -> String {
        answer.range(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
    }

    @Test func anOperationIsAnsweredFromTheWorld() throws {
        let mock = try RunningMock()
        let query = "{ film(id: \"Film:3\") { id title director { name } } }"
        let expected = mock.world.execute(query)
        #expect(expected["errors"] == nil)
        let answer = try mock.post(query)
        #expect(Self.status(answer) == 200)
        #expect(try JSONValue.parse(Self.body(answer)) == expected)
        let escaped = "%7B%20film(id%3A%20%22Film%3A3%22)%20%7B%20id%20title%20director%20%7B%20name%20%7D%20%7D%20%7D"
        #expect(try JSONValue.parse(Self.body(mock.ask("GET", "/graphql?query=\(escaped)"))) == expected)
    }

    @Test func requestsOfOneConnectionAreAnsweredInOrder() throws {
        let mock = try RunningMock()
        let one = "GET /graphql?query=%7Ba:__typename%7D HTTP/1.1\r\nHost: a\r\n\r\n"
        let two = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let answer = try mock.exchange(one + one + two)
        #expect(answer.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
        #expect(answer.hasSuffix("{\"status\":\"ok\"}"))
    }

    @Test func aClientThatEndsItsSendingIsAnswered() throws {
        let mock = try RunningMock()
        let body = #"{"query": "{ __typename }"}"#
        let one = "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        let client = try #require(LoopbackClient(mock.server.port))
        client.send(Array(String(repeating: one + "Content-Length: \(body.utf8.count)\r\n\r\n" + body, count: 3).utf8))
        client.endWriting()
        let answer = String(decoding: client.readToEnd(), as: UTF8.self)
        #expect(answer.components(separatedBy: #"{"data":{"__typename":"Query"}}"#).count == 4)
    }

    @Test func whatIsNotServedHasAStatus() throws {
        let mock = try RunningMock()
        let json = "Content-Type: application/json"
        #expect(Self.status(try mock.ask("GET", "/nothing")) == 404)
        let wrongMethod = try mock.ask("DELETE", "/graphql")
        #expect(Self.status(wrongMethod) == 405)
        #expect(wrongMethod.contains("\r\nAllow: GET, POST, OPTIONS\r\n"))
        #expect(Self.status(try mock.ask("POST", "/health", [], "")) == 405)
        #expect(Self.status(try mock.ask("POST", "/graphql", [json])) == 411)
        #expect(Self.status(try mock.ask("POST", "/graphql", [], "{}")) == 415)
        #expect(Self.status(try mock.ask("POST", "/graphql", ["Content-Type: text/plain"], "{}")) == 415)
        let many = "[" + Array(repeating: #"{"query": "{__typename}"}"#, count: 51).joined(separator: ",") + "]"
        for body in [
            "", "{", "[]", "[1]", many, "{}", #"{"id": "a"}"#, #"{"query": 1}"#, #"{"query": "{a}", "variables": []}"#,
        ] {
            #expect(Self.status(try mock.ask("POST", "/graphql", [json], body)) == 400, "\(body)")
        }
        #expect(Self.status(try mock.ask("GET", "/graphql")) == 400)
        #expect(Self.status(try mock.ask("GET", "/graphql?query=mutation%7B__typename%7D")) == 405)
        #expect(Self.status(try mock.post("{ __typename }", ["X-Mock-Delay: soon"])) == 400)
        #expect(Self.status(try mock.post("{ __typename }", ["Accept: text/html"])) == 406)
        let large = "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n"
        #expect(Self.status(try mock.exchange(large)) == 413)
        let fields = String(repeating: "X: y\r\n", count: 200)
        #expect(Self.status(try mock.exchange("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")) == 431)
    }

    @Test func aMistakeInAnOperationIsToldInTheFormThatIsAccepted() throws {
        let mock = try RunningMock()
        let plain = try mock.post("{ nothing }")
        #expect(Self.status(plain) == 200)
        #expect(plain.contains("nothing"))
        let strict = try mock.post("{ nothing }", ["Accept: application/graphql-response+json"])
        #expect(Self.status(strict) == 400)
        #expect(strict.contains("Content-Type: application/graphql-response+json"))
        #expect(Self.status(try mock.post("subscription { reviewAdded(filmId: 1) { id } }")) == 406)
    }

    @Test func introspectionDescribesTheSchema() throws {
        let mock = try RunningMock()
        let answer = try mock.post("{ __schema { queryType { name } types { name } } }")
        let data = try JSONValue.parse(Self.body(answer))["data"]
        #expect(data?["__schema"]?["queryType"]?["name"] == "Query")
        #expect(data?["__schema"]?["types"]?.arrayValue?.contains(["name": "Film"]) == true)
    }

    @Test func headerFieldsMakeARequestGoWrong() throws {
        let mock = try RunningMock()
        let error = try mock.post("{ films { id } }", ["X-Mock-Error: It is \"late\"", "X-Mock-Status: 503"])
        #expect(Self.status(error) == 503)
        #expect(try JSONValue.parse(Self.body(error))["errors"]?[0]?["message"] == "It is \"late\"")
        #expect(try mock.post("{ films { id } }", ["X-Mock-Drop: 1"]).isEmpty)
        let start = Uptime.milliseconds
        #expect(Self.status(try mock.post("{ films { id } }", ["X-Mock-Delay: 120"])) == 200)
        #expect(Uptime.milliseconds - start >= 120)
    }

    @Test func thePageShowsTheLastRequestsEscaped() throws {
        let mock = try RunningMock()
        let body = #"{"query": "query A($b: Int) { __typename }", "variables": {"b": "<script>"}}"#
        _ = try mock.ask("POST", "/graphql", ["Content-Type: application/json"], body)
        let page = try mock.ask("GET", "/")
        #expect(page.contains("Content-Type: text/html"))
        #expect(page.contains("query A"))
        #expect(page.contains("&lt;script&gt;"))
        #expect(!page.contains("<script>"))
        for _ in 0..<60 { _ = try mock.post("{ __typename }") }
        #expect(mock.responder.log.entries.count == RequestLog.capacity)
        #expect(mock.responder.log.count == 61)
    }

    @Test func damagedBytesNeverEndTheServer() throws {
        var limits = MockServer.Limits()
        limits.requestMilliseconds = 300
        let mock = try RunningMock(limits)
        let body = #"{"query": "query A($i: ID!) { film(id: $i) { id title } }", "variables": {"i": "Film:1"}}"#
        let whole = """
            POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: */*\r\n\
            Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        for seed in RandomCases.seeds(150, from: UInt64(1)) {
            var random = SeededGenerator(seed: seed)
            var bytes = Array(whole.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            let client = try #require(LoopbackClient(mock.server.port))
            client.send(bytes)
            client.endWriting()
            let answer = String(decoding: client.readToEnd(), as: UTF8.self)
            #expect(answer.isEmpty || Self.status(answer) != nil, "seed \(seed): \(answer.prefix(80))")
        }
        #expect(Self.status(try mock.ask("GET", "/health")) == 200)
    }

    @Test func slowAndManyClientsAreRefused() throws {
        var limits = MockServer.Limits()
        limits.requestMilliseconds = 100
        limits.idleMilliseconds = 100
        limits.connections = 2
        let mock = try RunningMock(limits)
        // A request that does not end, and a connection that says nothing.
        #expect(Self.status(try mock.exchange("GET / HTTP/1.1\r\nHost:")) == 408)
        #expect(try mock.exchange("").isEmpty)
        var held: [LoopbackClient] = []
        var refused = false
        // A slow machine may end the first of them before the last is there.
        for _ in 0..<100 where !refused {
            held = try (0..<3).map { _ in try #require(LoopbackClient(mock.server.port)) }
            for client in held { client.send(Array("GET / HTTP/1.1\r\n".utf8)) }
            refused = Self.status(String(decoding: held[2].readToEnd(), as: UTF8.self)) == 503
        }
        #expect(refused)
    }

    @Test(arguments: [true, false])
    func theNetworkOfBatonReadsAndChangesTheWorld(overGET: Bool) async throws {
        let mock = try RunningMock()
        let network = HTTPNetwork(url: mock.url, useGETForQueries: overGET)
        let query = NetworkRequest.sample("query Sample { film(id: \"Film:2\") { id title } }")
        let before = try await network.send(query).json
        #expect(before == mock.world.execute(query.text ?? ""))
        let change = NetworkRequest.sample(
            "mutation Sample { updateFilm(id: \"Film:2\", title: \"Hope\") { film { title } } }", .mutation)
        #expect(try await network.send(change).json["errors"] == nil)
        let after = try await network.send(query).json
        #expect(after["data"]?["film"]?["title"] == "Hope")
        #expect(after != before)
    }

    @Test func operationsMayBeSentTogether() async throws {
        let mock = try RunningMock()
        let network = BatchingNetwork(over: HTTPNetwork(url: mock.url), window: .milliseconds(200))
        let (first, second) = ("query Sample { films { title } }", "query Sample { film(id: \"Film:2\") { title } }")
        async let one = network.send(.sample(first)).json
        async let two = network.send(.sample(second)).json
        #expect(try await one == mock.world.execute(first))
        #expect(try await two == mock.world.execute(second))
        let body = #"[{"query": "{ films { title } }"}, {"query": "{ no }"}]"#
        let answer = try JSONValue.parse(
            Self.body(mock.ask("POST", "/graphql", ["Content-Type: application/json"], body)))
        #expect(answer[0] == mock.world.execute("{ films { title } }"))
        #expect(answer[1]?["errors"] != nil)
    }

    @Test func documentsAreFoundByTheirIds() async throws {
        let text = "query Sample { films { title } }"
        let mock = try RunningMock(documents: #"{"films": "\#(text)"}"#)
        let request = NetworkRequest(id: 1, operationName: "Sample", kind: .query, documentID: "films", text: nil)
        for shape in DocumentIDShape.allCases {
            let network = HTTPNetwork(url: mock.url, documents: .id(shape))
            #expect(try await network.send(request).json == mock.world.execute(text))
        }
        // A hash that is unknown makes the client send the text.
        let network = HTTPNetwork(url: mock.url, documents: .automatic)
        #expect(try await network.send(.sample(text)).json == mock.world.execute(text))
    }

    @Test func largeAnswersShareABudget() {
        let budget = MemoryBudget(150 << 10)
        let large = JSONValue.object([.init("data", .string(String(repeating: "a", count: 100 << 10)))])
        var held: Payload? = Payload(large, budget)
        #expect(held?.hasData == true)
        #expect(!Payload(large, budget).hasData)
        #expect(Payload(["data": "small"], budget).hasData)
        held = nil
        #expect(Payload(large, budget).hasData)
        #expect(budget.heldBytes == 0)
    }

    @Test func curlIsAnswered() throws {
        let curl = "/usr/bin/curl"
        guard FileManager.default.isExecutableFile(atPath: curl) else { return }
        let mock = try RunningMock()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: curl)
        process.arguments = [
            "-s", "-m", "60", mock.url.absoluteString, "-H", "Content-Type: application/json", "-d",
            #"{"query": "{ films { title } }"}"#,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try JSONValue.parse(Array(bytes)) == mock.world.execute("{ films { title } }"))
    }
}
