import Baton
import Foundation
import RandomCases
import Testing

@testable import BatonHTTP

@Suite("WebSocketNetwork")
struct WebSocketNetworkTests {
    private let clock = SocketTestClock()

    private func network(
        _ transport: MemorySocketTransport, _ change: (inout WebSocketOptions) -> Void = { _ in },
        headers: @escaping WebSocketNetwork.Fresh<HTTPHeaders> = { [:] },
        payload: @escaping WebSocketNetwork.Fresh<JSONValue?> = { nil }
    ) throws -> WebSocketNetwork {
        var options = WebSocketOptions()
        options.pingInterval = nil
        change(&options)
        return WebSocketNetwork(
            url: try #require(URL(string: "http://localhost/graphql")), transport: transport, options: options,
            clock: clock, random: SeededGenerator(seed: 1), headers: headers, payload: payload)
    }

    /// A server that counts to `count` for each operation and completes it.
    private static func counting(to count: Int) -> MemorySocketTransport.Server {
        { connection, message in
            MemorySocketTransport.acknowledging(connection, message)
            guard message["type"] == "subscribe", case .string(let id)? = message["id"] else { return }
            for number in 1...count {
                connection.say(#"{"id":"\#(id)","type":"next","payload":{"data":{"n":\#(number)}}}"#)
            }
            connection.say(#"{"id":"\#(id)","type":"complete"}"#)
        }
    }

    @Test("a subscription gets its events in order and ends")
    func aSubscriptionGetsItsEventsInOrder() async throws {
        let transport = MemorySocketTransport(server: Self.counting(to: 3))
        let network = try network(transport, headers: { ["X-A": "b"] }, payload: { ["token": "t"] })
        var texts: [String] = []
        for try await response in network.responses(to: .test()) {
            #expect(response.hasNext)
            texts.append(response.text)
        }
        #expect(texts == (1...3).map { #"{"data":{"n":\#($0)}}"# })
        let connection = await transport.connection(1)
        #expect(
            connection.sent == [
                #"{"type":"connection_init","payload":{"token":"t"}}"#,
                #"{"id":"1","type":"subscribe","payload":{"query":"{ a }","operationName":"Op1"}}"#,
            ])
        #expect(transport.headers == [["X-A": "b"]])
        // No operation needs the connection any more.
        await clock.wait { $0 == [.seconds(5)] }
        clock.advance(by: .seconds(5))
        await connection.wait { $1 == "1000" }
        #expect(network.state == .disconnected)
        await clock.wait { $0.isEmpty }
    }

    @Test("a query and a mutation have one response each, and share the connection")
    func queriesAndMutationsShareTheConnection() async throws {
        let transport = MemorySocketTransport(server: Self.counting(to: 1))
        let network = try network(transport)
        #expect(try await network.send(.test(1, .query)).text == #"{"data":{"n":1}}"#)
        #expect(try await network.send(.test(2, .mutation, key: "k\"")).hasNext == false)
        #expect(transport.connections.count == 1)
        #expect(transport.connections[0].sent.last?.contains(#""extensions":{"idempotencyKey":"k\""}}"#) == true)
        #expect(!transport.connections[0].sent.contains { $0.contains("complete") })
    }

    @Test("cancelling the consumer stops the operation at the server")
    func cancellingTheConsumerStopsTheOperation() async throws {
        let transport = MemorySocketTransport()
        let network = try network(transport)
        let task = Task {
            for try await _ in network.responses(to: .test()) {}
            try Task.checkCancellation()
        }
        let connection = await transport.connection(1)
        await connection.waitForMessage("subscribe")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await connection.waitForMessage(#"{"id":"1","type":"complete"}"#)
    }

    @Test("releasing a stream stops the operation too")
    func releasingTheStreamStopsTheOperation() async throws {
        let transport = MemorySocketTransport(server: Self.counting(to: 2))
        let network = try network(transport) { $0.maximumWaitingResponses = 1 }
        do {
            var iterator = network.responses(to: .test()).makeAsyncIterator()
            _ = try await iterator.next()
        }
        await transport.connections[0].waitForMessage(#"{"id":"1","type":"complete"}"#)
    }

    @Test("with a slow consumer the socket is not read beyond the limit of the buffer")
    func aSlowConsumerStopsTheReading() async throws {
        let transport = MemorySocketTransport(server: Self.counting(to: 100))
        let network = try network(transport) { $0.maximumWaitingResponses = 4 }
        var iterator = network.responses(to: .test()).makeAsyncIterator()
        for number in 1...100 {
            #expect(try await iterator.next()?.text == #"{"data":{"n":\#(number)}}"#)
            // The acknowledgement, the responses that were taken, and the responses that wait.
            #expect(transport.connections[0].received <= 1 + number + 4)
        }
        #expect(try await iterator.next() == nil)
        #expect(transport.connections[0].received == 102)
    }

    @Test("a lost connection is made again with a new payload")
    func aNewConnectionHasANewPayload() async throws {
        let transport = MemorySocketTransport()
        let numbers = Guarded(0)
        let payload: WebSocketNetwork.Fresh<JSONValue?> = {
            let number = numbers.withLock { number in
                number += 1
                return number
            }
            return ["n": .int(number)]
        }
        let network = try network(transport, payload: payload)
        let reports = Guarded<[TransportState]>([])
        let request = NetworkRequest.test().reporting { state in reports.withLock { $0.append(state) } }
        let stream = network.responses(to: request)
        let task = Task { try await stream.first { _ in true }?.text }
        await transport.connection(1).waitForMessage("subscribe")
        transport.connections[0].close(1012)
        await clock.wait { $0.contains { $0 <= .seconds(1) } }
        clock.advance(by: .seconds(1))
        let connection = await transport.connection(2)
        await connection.waitForMessage("subscribe")
        connection.say(#"{"id":"1","type":"next","payload":{"data":1}}"#)
        #expect(try await task.value == #"{"data":1}"#)
        #expect(
            transport.connections.map { $0.sent.first }
                == [1, 2].map {
                    #"{"type":"connection_init","payload":{"n":\#($0)}}"#
                })
        #expect(reports.withLock(\.self) == [.connecting, .connected, .reconnecting(attempt: 1), .connected])
    }

    @Test("each kind of failure is an error of its own")
    func eachFailureIsItsOwnError() async throws {
        let refused = try network(MemorySocketTransport(failures: [RelayError.httpStatus(403, body: "")]))
        await #expect(throws: RelayError.httpStatus(403, body: "")) { try await refused.send(.test()) }

        let transport = MemorySocketTransport { connection, _ in connection.close(4403) }
        let forbidden = try network(transport)
        let closed = RelayError.transport(WebSocketError.closed(code: 4403, reason: ""))
        await #expect(throws: closed) { try await forbidden.send(.test()) }
        #expect(closed.description.contains("4403") && closed.description.contains("credentials"))

        let offline = try network(
            MemorySocketTransport(failures: [HTTPError.offline(reason: "no network")]))
        let unreached = RelayError.transport(HTTPError.offline(reason: "no network"))
        await #expect(throws: unreached) { try await offline.send(.test(1, .query)) }

        let upload = Upload(variable: "a", fileName: "b", content: .bytes([]))
        var request = NetworkRequest.test()
        request.configuration.uploads = [upload]
        await #expect(throws: RelayError.self) { try await offline.send(request) }
    }

    @Test("a server that never acknowledges is left after a while")
    func aServerThatNeverAcknowledgesIsLeft() async throws {
        let transport = MemorySocketTransport { _, _ in }
        let network = try network(transport) { $0.reconnecting = .never }
        let task = Task { try await network.send(.test(1, .query)) }
        await transport.connection(1).waitForMessage("connection_init")
        await clock.wait { $0 == [.seconds(10)] }
        clock.advance(by: .seconds(10))
        await #expect(throws: RelayError.transport(WebSocketError.notAcknowledged(after: .seconds(10)))) {
            try await task.value
        }
        await transport.connections[0].wait { $1 == "4504" }
    }

    @Test("pings are sent, and a server that does not answer them is left")
    func aServerThatDoesNotAnswerPingsIsLeft() async throws {
        let transport = MemorySocketTransport()
        let network = try network(transport) {
            $0.pingInterval = .seconds(20)
            $0.reconnecting = .never
        }
        let task = Task { try await network.send(.test()) }
        await clock.wait { $0 == [.seconds(20)] }
        clock.advance(by: .seconds(20))
        let connection = await transport.connection(1)
        await connection.waitForMessage(#"{"type":"ping"}"#)
        await clock.wait { $0 == [.seconds(10), .seconds(20)] }
        clock.advance(by: .seconds(10))
        await #expect(throws: RelayError.transport(WebSocketError.unresponsive(after: .seconds(10)))) {
            try await task.value
        }
    }

    @Test("pause closes the connection, resume starts subscriptions again, and the states show both")
    func pauseAndResumeShowInTheStates() async throws {
        let transport = MemorySocketTransport()
        let network = try network(transport)
        let states = network.states
        let stream = network.responses(to: .test())
        let task = Task { try await stream.first { _ in true } }
        await transport.connection(1).waitForMessage("subscribe")
        network.pause()
        await transport.connections[0].wait { $1 == "1000" }
        #expect(network.state == .paused)
        network.resume()
        let connection = await transport.connection(2)
        await connection.waitForMessage("subscribe")
        connection.say(#"{"id":"1","type":"next","payload":{}}"#)
        #expect(try await task.value?.text == "{}")
        // States in between are not repeated: the newest state is delivered.
        var iterator = states.makeAsyncIterator()
        #expect(await iterator.next() == .connected)
        #expect(network.state == .connected)
    }

    @Test("the end of the network closes the connection")
    func theEndOfTheNetworkClosesTheConnection() async throws {
        let transport = MemorySocketTransport(server: Self.counting(to: 1))
        let states: AsyncStream<WebSocketState>
        do {
            let network = try network(transport)
            states = network.states
            _ = try await network.send(.test(1, .query))
        }
        for await _ in states {}
        await transport.connections[0].wait { $1 == "1000" }
        await clock.wait { $0.isEmpty }
    }

    @Test("1,000 subscriptions share one connection, and each gets its own events")
    func manySubscriptionsShareOneConnection() async throws {
        let transport = MemorySocketTransport(server: Self.counting(to: 3))
        let network = try network(transport)
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for id in 1...1_000 {
                group.addTask {
                    var count = 0
                    for try await response in network.responses(to: .test(id)) {
                        count += 1
                        #expect(response.text == #"{"data":{"n":\#(count)}}"#)
                    }
                    return count
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(sums == Array(repeating: 3, count: 1_000))
        #expect(transport.connections.count == 1)
        #expect(Set(transport.connections[0].sent).count == 1_001)
    }

    @Test("a server that knows its documents gets ids where it expects them, with the key beside them")
    func trustedDocumentsAreSentByTheirIDs() async throws {
        let expected: [DocumentIDShape: String] = [
            .documentId: #"{"documentId":"7","operationName":"A","extensions":{"idempotencyKey":"k"}}"#,
            .id: #"{"id":"7","operationName":"A","extensions":{"idempotencyKey":"k"}}"#,
            .docID: #"{"doc_id":"7","operationName":"A","extensions":{"idempotencyKey":"k"}}"#,
            .persistedQuery: #"{"operationName":"A","extensions":{"idempotencyKey":"k","#
                + #""persistedQuery":{"version":1,"sha256Hash":"7"}}}"#,
        ]
        for shape in DocumentIDShape.allCases {
            let transport = MemorySocketTransport(server: Self.counting(to: 1))
            let network = try network(transport) {
                $0.documentIDs = shape
                $0.resendsMutations = true
            }
            let known = NetworkRequest(
                id: 1, operationName: "A", kind: .mutation, documentID: "7", text: "mutation A { a }",
                idempotencyKey: "k")
            _ = try await network.send(known)
            let sent = await transport.connection(1).sent.last
            let payload = try #require(expected[shape])
            #expect(sent?.contains(#""payload":\#(payload)}"#) == true)
            await #expect(throws: RelayError.self) { try await network.send(.test()) }
        }
    }

    @Test("a certificate that is refused ends the operations")
    func aRefusedCertificateEndsTheOperations() async throws {
        let error = HTTPError.tls(reason: "no")
        let transport = MemorySocketTransport(failures: [error])
        await #expect(throws: RelayError.transport(error)) { try await network(transport).send(.test()) }
        #expect(transport.connections.isEmpty)
    }
}

@Suite("URLSessionWebSocketTransport")
struct URLSessionWebSocketTransportTests {
    @Test("the schemes of HTTP stand for those of WebSockets")
    func schemesOfHTTPStandForWebSockets() throws {
        let pairs = [
            ("http://a/b?c=d", "ws://a/b?c=d"), ("HTTPS://a:1", "wss://a:1"), ("ws://a", "ws://a"),
            ("wss://a", "wss://a"),
        ]
        for (url, expected) in pairs {
            let url = try #require(URL(string: url))
            #expect(URLSessionWebSocketTransport.webSocketURL(url).absoluteString == expected)
        }
    }

    @Test("a URL of another scheme is refused")
    func anotherSchemeIsRefused() async throws {
        let url = try #require(URL(string: "ftp://localhost/graphql"))
        await #expect(throws: HTTPError.badURL(reason: "its scheme is not that of WebSockets")) {
            _ = try await URLSessionWebSocketTransport().connect(
                to: url, headers: [:], subprotocols: [], maximumMessageSize: 1_000)
        }
    }

    @Test("a connection that cannot be made is a typed error with advice")
    func aFailedConnectionIsATypedError() async throws {
        let url = try #require(URL(string: "ws://localhost:1/graphql"))
        let error = await #expect(throws: (any Error).self) {
            _ = try await URLSessionWebSocketTransport().connect(
                to: url, headers: [:], subprotocols: ["graphql-transport-ws"], maximumMessageSize: 1_000)
        }
        // The error tells whether the system's libcurl has no WebSockets; otherwise no server listens at that port.
        switch try #require(error) {
        case WebSocketError.notSupported(let text): #expect(text.contains("WebSocket"))
        case HTTPError.refused, HTTPError.failed: break
        default: Issue.record("\(String(describing: error))")
        }
        let advice = (error as? any TransportError)?.advice
        #expect(advice?.isEmpty == false)
    }
}
