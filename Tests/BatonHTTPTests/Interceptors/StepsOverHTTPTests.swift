import Baton
import BatonHTTP
import Foundation
import TestServer
import Testing

/// The steps in front of an `HTTPNetwork`.
@Suite struct StepsOverHTTPTests {
    private let body = #"{"data":{"film":1}}"#

    @Test func theServerConfirmsAKeptAnswer() async throws {
        let server = try LoopbackServer { [body] request in
            guard request.headers["if-none-match"] == "\"v1\"" else {
                return .response(headers: ["ETag: \"v1\"", "Cache-Control: no-cache"], body)
            }
            return .response(304, type: nil, headers: ["ETag: \"v1\""], "")
        }
        defer { server.stop() }
        for isGET in [false, true] {
            let cache = CachingInterceptor()
            let network = HTTPNetwork(url: server.url, useGETForQueries: isGET).intercepted(by: cache)
            for id in 0..<3 { #expect(try await network.send(.make(id)).text == body) }
            #expect(cache.statistics.confirmations == 2)
        }
        #expect(server.requests.map(\.method) == ["POST", "POST", "POST", "GET", "GET", "GET"])
    }

    @Test func aRejectedTokenIsRefreshedOnce() async throws {
        let server = try LoopbackServer { [body] request in
            request.headers["authorization"] == "Bearer b" ? .json(body) : .response(401, type: "text/plain", "who?")
        }
        defer { server.stop() }
        let refreshes = Notes<Void>()
        let network = HTTPNetwork(url: server.url).intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }) { _ in
                refreshes.add(())
                return .bearer("b")
            })
        try await withThrowingTaskGroup { group in
            for id in 0..<8 { group.addTask { try await network.send(.make(id)).text } }
            for try await text in group { #expect(text == body) }
        }
        #expect(refreshes.all.count == 1)
    }

    @Test func theServerSaysWhenToComeBack() async throws {
        let count = Notes<Void>()
        let server = try LoopbackServer { [body] _ in
            count.add(())
            return count.all.count > 1 ? .json(body) : .response(503, type: nil, headers: ["Retry-After: 7"], "")
        }
        defer { server.stop() }
        let clock = StepClock()
        let network = HTTPNetwork(url: server.url).intercepted(by: RetryInterceptor(clock: clock, random: { 0 }))
        let (pauses, result) = await RetryTests.pauses(network, .make(), on: clock)
        #expect(pauses == [.seconds(7)])
        #expect(try result.get().text == body)
    }

    @Test func aRefusedConnectionMayPass() async throws {
        // Nobody listens there, while the port of a server that has stopped is soon another server's.
        let url = try #require(URL(string: "http://127.0.0.1:1/graphql"))
        let clock = StepClock()
        let network = HTTPNetwork(url: url).intercepted(
            by: RetryInterceptor(maximumRetries: 2, clock: clock, random: { 0.5 }))
        let (pauses, _) = await RetryTests.pauses(network, .make(), on: clock)
        #expect(pauses.count == 2)
    }

    @Test func requestsAreSentAsOneArray() async throws {
        let server = try LoopbackServer { request in
            let isArray = request.body.first == UInt8(ascii: "[")
            return isArray ? .json(#"[{"data":1},{"data":2}]"#) : .json(#"{"data":0}"#)
        }
        defer { server.stop() }
        let http = HTTPNetwork(url: server.url)
        let network = BatchingNetwork(over: http, window: .seconds(3600), maximumCount: 2)
        async let first = network.send(.make(1))
        async let second = network.send(.make(2))
        #expect(try await Set([first.text, second.text]) == [#"{"data":1}"#, #"{"data":2}"#])
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.headers["content-type"] == "application/json")
    }

    @Test func theRecommendedOrderWorks() async throws {
        let ended = Notes<String>()
        let metrics = MetricsInterceptor()
        let server = try LoopbackServer { [body] _ in .json(body) }
        defer { server.stop() }
        let network = HTTPNetwork(url: server.url).intercepted(
            by: LoggingInterceptor { event in if case .ended = event.kind { ended.add(event.operationName) } },
            metrics, CachingInterceptor(defaultAge: .seconds(86_400), partition: { _ in "a" }), RetryInterceptor(),
            AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in nil }), ConcurrencyInterceptor(limit: 1))
        for id in 0..<3 {
            var texts: [String] = []
            for try await response in network.responses(to: .make(id)) { texts.append(response.text) }
            #expect(texts == [body])
        }
        await until { ended.all.count == 3 && metrics.snapshot["Film"]?.answered == 3 }
        #expect(server.requests.count == 1)
    }
}
