import Baton
import Foundation
import Testing

@testable import BatonHTTP

/// A transport whose exchange goes on when its task is cancelled.
private final class DeafTransport: HTTPTransport {
    private let waiting = Guarded<[CheckedContinuation<Void, Never>]>([])

    var exchanges: Int { waiting.withLock { $0.count } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
        throw HTTPError.notHTTP
    }

    func end() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }
}

@Suite struct DeafTransportTests {
    private let request = NetworkRequest(id: 1, operationName: "Q", kind: .query, text: "query Q { n }")

    @Test func nobodyWaitsForItAfterATimeout() async throws {
        let (clock, transport) = (StepClock(), DeafTransport())
        defer { transport.end() }
        let network = HTTPNetwork(
            url: try #require(URL(string: "http://localhost/")), transport: transport, timeout: .seconds(10),
            silenceTimeout: .seconds(60), clock: clock)
        let answers = (0..<3).map { _ in Task { try await network.send(request) } }
        await until { transport.exchanges == 3 }
        // One task sleeps for each of the two limits, for any number of requests.
        await clock.sleeping(2)
        #expect(clock.sleepers == 2)
        clock.advance(by: .seconds(10))
        for answer in answers {
            await #expect(throws: RelayError.transport(HTTPError.timedOut(after: .seconds(10)))) {
                try await answer.value
            }
        }
    }

    @Test func nobodyWaitsForItAfterACancellation() async throws {
        let transport = DeafTransport()
        defer { transport.end() }
        let network = HTTPNetwork(url: try #require(URL(string: "http://localhost/")), transport: transport)
        let answer = Task { try await network.send(request) }
        await until { transport.exchanges == 1 }
        answer.cancel()
        await #expect(throws: RelayError.cancelled) { try await answer.value }
    }
}
