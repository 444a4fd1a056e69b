import Baton
import Foundation
import RandomCases
import Testing

@testable import BatonHTTP

@Suite struct BatchingTests {
    let clock = StepClock()

    struct Sent: Sendable {
        let body: String
        let headers: [String: String]
    }

    /// A network whose arrays get their responses from `answer`.
    func network(
        _ single: StubNetwork = StubNetwork(), maximumCount: Int = 10, mutations: Bool = false,
        noting sent: Notes<Sent> = Notes(), answer: @escaping @Sendable (Int) async throws -> String
    ) -> BatchingNetwork {
        BatchingNetwork(in: single, maximumCount: maximumCount, batchesMutations: mutations, clock: clock) {
            body, headers in
            sent.add(Sent(body: String(decoding: body, as: UTF8.self), headers: headers))
            return Array(try await answer(sent.all.count).utf8)
        }
    }

    /// Starts requests one after the other, each when the previous request is in its batch.
    func begin(
        _ requests: [NetworkRequest], over network: BatchingNetwork
    ) async -> [Task<NetworkResponse, any Error>] {
        var tasks: [Task<NetworkResponse, any Error>] = []
        for request in requests {
            let count = network.collected
            tasks.append(Task { try await network.send(request) })
            await until { network.collected > count }
        }
        return tasks
    }

    @Test func requestsOfAWindowAreSentAsOne() async throws {
        let sent = Notes<Sent>()
        let network = network(noting: sent) { _ in " [ {\"data\":\"[a,\\\"\"} ,\n{\"data\": 2}, {\"data\":3}]\n" }
        let tasks = await begin(
            (1...3).map { .make($0, name: "Op\($0)", text: "q", headers: ["A": "b"]) }, over: network)
        await clock.advance(by: .milliseconds(10), afterSleepers: 1)
        let expected = ["{\"data\":\"[a,\\\"\"}", "{\"data\": 2}", "{\"data\":3}"]
        for (task, text) in zip(tasks, expected) { #expect(try await task.value.text == text) }
        let bodies = (1...3).map { "{\"query\":\"q\",\"operationName\":\"Op\($0)\"}" }
        #expect(sent.all.map(\.body) == ["[\(bodies.joined(separator: ","))]"])
        #expect(sent.all.map(\.headers) == [["A": "b"]])
    }

    @Test func aFullBatchDoesNotWait() async throws {
        let network = network(maximumCount: 2) { _ in "[1,2]" }
        let tasks = (1...2).map { id in Task { try await network.send(.make(id)) } }
        var texts: Set<String> = []
        for task in tasks { texts.insert(try await task.value.text) }
        #expect(texts == ["1", "2"])
    }

    @Test func aLonelyRequestGoesPlain() async throws {
        let single = StubNetwork()
        let sent = Notes<Sent>()
        let network = network(single, noting: sent) { _ in "[]" }
        let task = Task { try await network.all(.make()) }
        await clock.advance(by: .milliseconds(10), afterSleepers: 1)
        #expect(try await task.value.map(\.text) == [NetworkResponse.film.text])
        #expect(single.sent.count == 1 && sent.all.isEmpty)
    }

    @Test func someRequestsAreNeverBatched() async throws {
        let single = StubNetwork()
        let network = network(single) { _ in "[]" }
        var upload = NetworkRequest.make()
        upload.configuration.uploads = [Upload(variable: "a", fileName: "a", content: .bytes([]))]
        let requests: [NetworkRequest] = [
            .make(kind: .subscription), .make(kind: .mutation), .make(text: "{ a ... @defer { b } }"),
            .make(text: "{ a @stream }"), upload,
        ]
        for request in requests {
            _ = try await network.send(request)
            _ = try await network.all(request)
        }
        #expect(single.sent.count == 2 * requests.count)
    }

    @Test func differentHeadersAreNotSentTogether() async throws {
        let sent = Notes<Sent>()
        let network = network(mutations: true, noting: sent) { _ in "[1,2]" }
        let requests: [NetworkRequest] = [
            .make(1, headers: ["A": "1"]), .make(2, headers: ["A": "2"]),
            .make(3, kind: .mutation, headers: ["A": "1"]),
            .make(4, headers: ["A": "2"]),
        ]
        let tasks = await begin(requests, over: network)
        await clock.advance(by: .milliseconds(10), afterSleepers: 2)
        for (task, text) in zip(tasks, ["1", "1", "2", "2"]) { #expect(try await task.value.text == text) }
        #expect(Set(sent.all.map(\.headers)) == [["A": "1"], ["A": "2"]])
    }

    @Test func differentContextsAreNotSentTogether() async throws {
        enum Tenant: RequestContextKey { static let defaultValue = "" }
        let sent = Notes<Sent>()
        let network = network(maximumCount: 2, noting: sent) { _ in "[1,2]" }
        let requests = ["north", "south", "north", "south"].enumerated().map { id, tenant in
            var request = NetworkRequest.make(id, name: tenant)
            request.configuration.context[Tenant.self] = tenant
            request.configuration.context[RequestPriority.self] = id
            return request
        }
        for task in await begin(requests, over: network) { _ = try await task.value }
        let names = sent.all.map { body in ["north", "south"].filter { body.body.contains($0) } }
        #expect(names == [["north"], ["south"]])
    }

    @Test(arguments: DocumentIDShape.allCases) func arraysHaveIDsWhereTheServerWantsThem(_ shape: DocumentIDShape)
        throws
    {
        let request = NetworkRequest(id: 1, operationName: "A", kind: .query, documentID: "7", text: "{ a }")
        let body = try JSONValue.parse(BatchingNetwork.array(of: [request], ids: shape))
        guard case .array(let requests) = body, let sent = requests.first else {
            Issue.record("no array")
            return
        }
        #expect(sent["query"] == nil)
        #expect(sent == (try JSONValue.parse(RequestContent(request, .id("7", shape)).json)))
        #expect(throws: RelayError.self) {
            try BatchingNetwork.array(of: [NetworkRequest.make(text: "{ a }")], ids: shape)
        }
    }

    @Test(arguments: [
        (#"{"errors":[{"message":"no arrays"}]}"#, BatchError.notAnArray), ("", .notAnArray),
        ("[1]", .wrongCount(requests: 2, responses: 1)), ("[1,2,3]", .wrongCount(requests: 2, responses: 3)),
        ("[]", .wrongCount(requests: 2, responses: 0)),
    ])
    func anotherAnswerFailsEach(_ answer: String, _ error: BatchError) async throws {
        let network = network { _ in answer }
        let tasks = await begin([.make(1), .make(2)], over: network)
        await clock.advance(by: .milliseconds(10), afterSleepers: 1)
        for task in tasks { await #expect(throws: error) { try await task.value } }
    }

    @Test(arguments: ["[1,", "[1,2] x", "[1 2]", "[1,2,]"]) func brokenJSONFailsEach(_ answer: String) throws {
        #expect {
            try BatchingNetwork.divide(Array(answer.utf8), into: 2)
        } throws: { error in
            if case .notJSON = error as? BatchError { true } else { false }
        }
    }

    @Test func aFailureToSendFailsEach() async throws {
        let network = network { _ in throw Broken() }
        let tasks = await begin([.make(1), .make(2)], over: network)
        await clock.advance(by: .milliseconds(10), afterSleepers: 1)
        for task in tasks { await #expect(throws: Broken.self) { try await task.value } }
    }

    @Test func aCancelledRequestLeavesTheOthers() async throws {
        let sent = Notes<Sent>()
        let gate = StepGate()
        let network = network(noting: sent) { _ in
            await gate.pass()
            return "[1,2]"
        }
        let tasks = await begin((1...3).map { .make($0, name: "Op\($0)", text: "q") }, over: network)
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        await clock.advance(by: .milliseconds(10), afterSleepers: 1)
        await until { gate.arrivals == 1 }
        #expect(sent.all.first?.body.contains("Op2") == false)
        // A request may also be cancelled after the batch was sent.
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        gate.open()
        #expect(try await tasks[2].value.text == "2")
    }

    @Test func whenAllAreCancelledSoIsTheSending() async throws {
        let wasCancelled = Notes<Bool>()
        let gate = StepGate()
        let network = network { _ in
            await gate.pass()
            wasCancelled.add(Task.isCancelled)
            return "[1,2]"
        }
        let tasks = await begin([.make(1), .make(2)], over: network)
        await clock.advance(by: .milliseconds(10), afterSleepers: 1)
        await until { gate.arrivals == 1 }
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
        gate.open()
        await until { !wasCancelled.all.isEmpty }
        #expect(wasCancelled.all == [true])
    }

    /// A network over HTTP that sends two requests as one.
    private func pair(_ http: HTTPNetwork) async -> [Result<String, any Error>] {
        let network = BatchingNetwork(over: http, window: .seconds(3600), maximumCount: 2)
        let requests = (1...2).map { id in
            NetworkRequest(
                id: id, operationName: "Op", kind: .query, documentID: "a\(id)", text: "q",
                configuration: RequestConfiguration(headers: ["A": "2"]))
        }
        let tasks = await begin(requests, over: network)
        var results: [Result<String, any Error>] = []
        for task in tasks {
            let result = await task.result
            if case .success(let response) = result { #expect(response.metadata["status"] != nil) }
            results.append(result.map(\.text))
        }
        return results
    }

    @Test func anArrayHasWhatTheNetworkSays() async throws {
        let url = try #require(URL(string: "http://localhost/graphql"))
        let transport = ScriptedTransport { _ in .json("[1,2]") }
        let headers: HTTPNetwork.Headers = { ["A": "1", "B": "\($0.id)"] }
        for (documents, names) in [
            (DocumentTransfer.text, ["query", "query"]), (.automatic, ["query", "query"]),
            (.id(.documentId), ["documentId", "documentId"]), (.id(.docID), ["doc_id", "doc_id"]),
        ] {
            let http = HTTPNetwork(
                url: url, transport: transport, documents: documents, useGETForQueries: true, headers: headers)
            #expect(try await pair(http).map { try $0.get() } == ["1", "2"])
            let sent = try #require(transport.sent.last)
            #expect(sent.method == "POST" && sent.url == url.absoluteString)
            #expect(sent.headers["A"] == "2" && sent.headers["B"] == "1")
            #expect(sent.headers["Content-Type"] == "application/json")
            guard case .array(let elements) = try JSONValue.parse(sent.body) else {
                Issue.record("not an array")
                continue
            }
            #expect(zip(elements, names).allSatisfy { $0[$1] != nil })
            #expect(elements.count == 2)
        }
        #expect(transport.sent.count == 4)
    }

    @Test func anArrayFailsAsASingleRequestDoes() async throws {
        let url = try #require(URL(string: "http://localhost/graphql"))
        let answers: [(ScriptedTransport.Answer, RelayError)] = [
            (.json("no", status: 400), .httpStatus(400, body: "no")),
            (.init(200, ["Content-Type": "text/html"], .whole("[1,2]")), .contentType("text/html", body: "[1,2]")),
            (.json("[1,222222]"), .transport(HTTPError.bodyTooLarge(limit: 8))),
            (.json(""), .transport(HTTPError.emptyBody(status: 200))),
            (
                .json("[1,2]", headers: ["Content-Type": "application/json; charset=latin1"]),
                .transport(HTTPError.charset("latin1"))
            ),
            (.json("{}"), .transport(BatchError.notAnArray)),
        ]
        for (answer, error) in answers {
            let http = HTTPNetwork(url: url, transport: ScriptedTransport { _ in answer }, maximumBodySize: 8)
            for result in await pair(http) {
                let thrown = #expect(throws: (any Error).self) { try result.get() }
                #expect(thrown.map { RelayError(ofStep: $0) } == error)
            }
        }
        // Some servers report a failure by the status, and answer each request nevertheless.
        let failed = HTTPNetwork(url: url, transport: ScriptedTransport { _ in .json("[1,2]", status: 500) })
        #expect(try await pair(failed).map { try $0.get() } == ["1", "2"])
    }

    /// An error in place of an array keeps its status, which decides about logging in and sending again.
    @Test(arguments: [401, 429, 503], ["application/json", "application/graphql-response+json"])
    func aSingleErrorInPlaceOfAnArrayKeepsItsStatus(_ status: Int, _ type: String) async throws {
        let url = try #require(URL(string: "http://localhost/graphql"))
        let body = #"{"errors":[{"message":"no"}]}"#
        let transport = ScriptedTransport { _ in
            .json(body, status: status, headers: ["Content-Type": type, "Retry-After": "7"])
        }
        for result in await pair(HTTPNetwork(url: url, transport: transport)) {
            let thrown = #expect(throws: (any Error).self) { try result.get() }
            #expect(thrown as? RelayError == .httpStatus(status, body: body, retryAfter: .seconds(7)))
        }
    }

    @Test func anArrayThatTakesTooLongIsGivenUp() async throws {
        let url = try #require(URL(string: "http://localhost/graphql"))
        let http = HTTPNetwork(
            url: url,
            transport: ScriptedTransport { _ in
                try await Task.sleep(for: .seconds(3600))
                return .json("[1,2]")
            },
            timeout: .seconds(5), clock: clock)
        async let results = pair(http)
        // The timers of both time limits sleep.
        await clock.advance(by: .seconds(5), afterSleepers: 2)
        for result in await results {
            let thrown = #expect(throws: (any Error).self) { try result.get() }
            #expect(thrown.map { RelayError(ofStep: $0) } == .transport(HTTPError.timedOut(after: .seconds(5))))
        }
    }

    @Test(arguments: RandomCases.seeds(40)) func aLineUnderRandomSchedulesSendsEachOnce(_ seed: Int) {
        var random = SeededGenerator(seed: seed)
        let maximum = Int.random(in: 1...5, using: &random)
        var line = BatchLine<Int>(maximumCount: maximum)
        var (windows, over, lastID) = ([Int](), [Int](), 0)
        var waiting: Set<Int> = []
        func take(_ members: [Int]) {
            #expect(members.count <= maximum && members == members.sorted())
            #expect(Set(members).isSubset(of: waiting))
            waiting.subtract(members)
            over += members
        }
        for _ in 0..<300 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                lastID += 1
                waiting.insert(lastID)
                let headers = ["A": "\(Int.random(in: 0..<3, using: &random))"]
                switch line.add(lastID, id: lastID, to: .init(.make(headers: headers))) {
                case .wait: break
                case .beginWindow(let window): windows.append(window)
                case .send(let members): take(members)
                }
            case 2:
                guard let window = windows.randomElement(using: &random) else { continue }
                take(line.endWindow(window))
            default:
                let id = (1...max(lastID, 1)).randomElement(using: &random) ?? 1
                let taken = line.giveUp(id)
                #expect((taken != nil) == waiting.contains(id))
                if taken != nil {
                    waiting.remove(id)
                    over.append(id)
                }
            }
        }
        for window in windows { take(line.endWindow(window)) }
        #expect(waiting.isEmpty)
        #expect(over.sorted() == Array(1...max(lastID, 1)).prefix(lastID).map(\.self))
    }
}
