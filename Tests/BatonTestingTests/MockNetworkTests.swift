import Baton
import BatonTesting
import Testing

@Suite("MockNetwork")
struct MockNetworkTests {
    private static func request(_ id: Int, _ name: String) -> NetworkRequest {
        NetworkRequest(
            id: id, operationName: name, kind: .query, text: "query \(name) { a }", variables: [.init("n", .int(id))])
    }

    @Test("requests wait until the test answers them, in any order")
    func requestsWaitUntilTheTestAnswers() async throws {
        let network = MockNetwork()
        async let first = network.send(Self.request(1, "A"))
        let mockA = try await network.nextRequest()
        async let second = network.send(Self.request(2, "B"))
        let mockB = try await network.nextRequest()
        #expect(mockA.request.operationName == "A")
        #expect(mockB.variables == ["n": 2])
        #expect(network.pending.map(\.request.id) == [1, 2])
        #expect(network.pending("B")?.request.id == 2)

        mockB.respond(data: ["a": 2], errors: [["message": "half"]])
        #expect(
            String(decoding: try await second.body, as: UTF8.self) == #"{"errors":[{"message":"half"}],"data":{"a":2}}"#
        )
        #expect(!mockB.isPending)
        #expect(mockA.isPending)
        mockA.respond(body: "<html>")
        #expect(try await first.body == Array("<html>".utf8))
        #expect(network.pending.isEmpty)
        #expect(network.requests.map(\.id) == [1, 2])
    }

    @Test("a response with errors alone has no data")
    func anAnswerWithErrorsAloneHasNoData() async throws {
        let network = MockNetwork()
        let answer = Task { try await network.send(Self.request(1, "A")) }
        try await network.nextRequest().respond(errors: [["message": "no"]])
        #expect(String(decoding: try await answer.value.body, as: UTF8.self) == #"{"errors":[{"message":"no"}]}"#)
    }

    @Test("a request fails as the test says, and only once")
    func aRequestFailsAsTheTestSays() async throws {
        let network = MockNetwork()
        let answer = Task { try await network.send(Self.request(1, "A")) }
        let mock = try await network.nextRequest()
        mock.fail(RelayError.httpStatus(500, body: "x"))
        mock.respond(data: ["a": 1])
        await #expect(throws: RelayError.httpStatus(500, body: "x")) { try await answer.value }
    }

    @Test("a request whose task is cancelled is not pending any more")
    func aCancelledRequestIsNotPending() async throws {
        let network = MockNetwork()
        let task = Task { try await network.send(Self.request(1, "A")) }
        let mock = try await network.nextRequest()
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(!mock.isPending)
        #expect(network.pending.isEmpty)
        let waiting = Task { try await network.nextRequest() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("several responses to one request come in order")
    func severalAnswersComeInOrder() async throws {
        let network = MockNetwork()
        let task = Task {
            var bodies: [String] = []
            for try await response in network.responses(to: Self.request(1, "A")) {
                bodies.append(String(decoding: response.body, as: UTF8.self))
            }
            return bodies
        }
        let mock = try await network.nextRequest()
        mock.respond(data: 1, hasNext: true)
        mock.respond(data: 2, hasNext: true)
        #expect(mock.isPending)
        mock.respond(data: 3)
        #expect(try await task.value == [#"{"data":1}"#, #"{"data":2}"#, #"{"data":3}"#])
    }
}
