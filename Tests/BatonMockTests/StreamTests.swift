import Baton
import BatonHTTP
import BatonTesting
import Foundation
import Testing

@testable import BatonMock

@Suite("Streams of BatonMock", .timeLimit(.minutes(20)))
struct StreamTests {
    private static let deferred =
        "query Sample { film(id: \"Film:1\") { id ... @defer(label: \"L\") { title rating } } }"
    private static let subscription = "subscription Sample { reviewAdded(filmId: \"Film:1\") { id body stars } }"

    /// The responses to a request, as JSON.
    private static func all(_ network: any NetworkLayer, _ request: NetworkRequest) async throws -> [JSONValue] {
        var all: [JSONValue] = []
        for try await response in network.responses(to: request) { all.append(response.json) }
        return all
    }

    private static func events(_ mock: RunningMock, _ numbers: ClosedRange<Int>) -> [JSONValue] {
        numbers.map {
            mock.world.execute(event: $0, of: subscription, operationName: nil, variables: .object([]))
        }
    }

    @Test(arguments: [
        "multipart/mixed;incrementalSpec=v0.2, application/json",
        "multipart/mixed;deferSpec=20220824, application/json",
        "text/event-stream",
    ])
    func partsArriveLaterInTheFormatThatIsAccepted(accept: String) async throws {
        let mock = try RunningMock()
        let network = HTTPNetwork(url: mock.url)
        let request = NetworkRequest.sample(Self.deferred, headers: ["Accept": accept], isIncremental: true)
        let format: LocalService.IncrementalFormat = accept.contains("deferSpec") ? .labelled : .announced
        let expected = mock.world.executeInParts(
            Self.deferred, operationName: nil, variables: .object([]), as: format)
        #expect(expected.count > 1)
        #expect(try await Self.all(network, request) == expected)
    }

    @Test func partsArriveAtOnceIfTheClientKnowsNone() async throws {
        let mock = try RunningMock()
        let request = NetworkRequest.sample(Self.deferred, headers: ["Accept": "application/json"])
        let answers = try await Self.all(HTTPNetwork(url: mock.url), request)
        #expect(answers == [mock.world.service.execute(Self.deferred)])
    }

    @Test(arguments: ["text/event-stream", "multipart/mixed;subscriptionSpec=1.0"])
    func aSubscriptionHasEvents(accept: String) async throws {
        let mock = try RunningMock()
        let request = NetworkRequest.sample(
            Self.subscription, .subscription, headers: ["Accept": accept, "X-Mock-Events": "4"])
        let events = try await Self.all(HTTPNetwork(url: mock.url), request)
        #expect(events == Self.events(mock, 1...4))
        #expect(Set(events).count > 1)
    }

    @Test func aSubscriptionIsCutAndEndsWithItsReader() async throws {
        let mock = try RunningMock()
        let network = HTTPNetwork(url: mock.url)
        let cut = NetworkRequest.sample(
            Self.subscription, .subscription, headers: ["Accept": "text/event-stream", "X-Mock-Drop": "3"])
        var count = 0
        await #expect(throws: (any Error).self) {
            for try await _ in network.responses(to: cut) { count += 1 }
        }
        #expect(count == 2)
        let endless = NetworkRequest.sample(Self.subscription, .subscription)
        for try await _ in network.responses(to: endless) {
            count += 1
            if count == 5 { break }
        }
        while mock.server.openConnections > 1 { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test(arguments: WebSocketOptions.Subprotocol.allCases)
    func aWebSocketServesOperations(subprotocol: WebSocketOptions.Subprotocol) async throws {
        let mock = try RunningMock()
        var options = WebSocketOptions()
        options.subprotocols = [subprotocol]
        // All tests run beside this one, so that its turn may take minutes.
        (options.connectTimeout, options.acknowledgementTimeout) = (.seconds(600), .seconds(600))
        (options.pongTimeout, options.silenceTimeout) = (.seconds(600), nil)
        let network = WebSocketNetwork(url: mock.url, options: options) { ["X-Mock-Events": "3"] }
        async let first = Self.all(network, .sample(Self.subscription, .subscription))
        async let second = Self.all(network, .sample(Self.subscription, .subscription))
        let query = NetworkRequest.sample("query Sample { films { title } }")
        #expect(try await network.send(query).json == mock.world.execute(query.text ?? ""))
        #expect(try await first == Self.events(mock, 1...3))
        #expect(try await second == Self.events(mock, 1...3))
        let deferred = NetworkRequest.sample(Self.deferred, isIncremental: true)
        let parts = mock.world.executeInParts(
            Self.deferred, operationName: nil, variables: .object([]), as: .announced)
        #expect(try await Self.all(network, deferred) == parts)
        let refused = try await network.send(.sample("query Sample { nothing }")).json
        #expect(refused["errors"]?[0]?["message"]?.stringValue?.contains("nothing") == true)
    }

    @Test func anEventStreamIsReadByTheOtherReaders() throws {
        let mock = try RunningMock()
        let answer = try mock.post(Self.subscription, ["Accept: text/event-stream", "X-Mock-Events: 2"])
        #expect(answer.contains("Content-Type: text/event-stream"))
        #expect(answer.components(separatedBy: "event: next\ndata: {").count == 3)
        #expect(answer.contains("event: complete\n"))
        #expect(answer.hasSuffix("\r\n0\r\n\r\n"))
    }
}
