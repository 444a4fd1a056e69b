import Baton
import BatonHTTP
import Testing

@Suite struct ObservingStepsTests {
    @Test func aLogShowsNamesAndNoValues() async throws {
        let clock = StepClock()
        let events = Notes<NetworkEvent>()
        let network = StubNetwork { _, _ in .text(#"{"data":1}"#, ["status": "200"]) }
            .intercepted(by: LoggingInterceptor(clock: clock) { events.add($0) })
        _ = try await network.send(
            .make(7, variables: [.init("password", "hunter2")], headers: ["Authorization": "secret"]))
        await until { events.all.count == 3 }
        #expect(
            events.all.map(\.description) == [
                "#7 query Film (password)",
                "#7 query Film: 200, 10 bytes after 0.0 seconds",
                "#7 query Film: done after 0.0 seconds, 1 responses, 10 bytes",
            ])
    }

    @Test func aLogShowsWhatItIsTold() async throws {
        let events = Notes<NetworkEvent>()
        let network = StubNetwork().intercepted(
            by: LoggingInterceptor(detail: .values(except: ["password"], headers: ["X-Shop"])) { events.add($0) })
        _ = try await network.send(
            .make(
                variables: [.init("password", "hunter2"), .init("first", 3)],
                headers: ["Authorization": "secret", "x-shop": "north"]))
        #expect(events.all.first?.description == "#1 query Film (password: ..., first: 3) x-shop: north")
    }

    @Test func aLogOfAFailureHoldsNoTextOfTheServer() async throws {
        let clock = StepClock()
        let events = Notes<NetworkEvent>()
        let server = StubNetwork { _, _ in throw RelayError.httpStatus(503, body: "hunter2") }
        let network = server.intercepted(
            by: LoggingInterceptor(clock: clock) { events.add($0) },
            RetryInterceptor(maximumRetries: 1, firstDelay: .seconds(1), clock: clock, random: { 1 }))
        let task = Task { try await network.send(.make()) }
        await clock.advance(by: .seconds(1), afterSleepers: 1)
        await #expect(throws: RelayError.self) { try await task.value }
        #expect(
            events.all.map(\.description) == [
                "#1 query Film",
                "#1 query Film: retry 1 in 1.0 seconds, because of HTTP status 503",
                "#1 query Film: HTTP status 503 after 1.0 seconds, 0 responses, 0 bytes",
            ])
    }

    @Test(
        arguments: [
            RelayError.StreamError.refused([GraphQLError(message: "hunter2")]),
            RelayError.StreamError.malformedPart(1, "hunter2"),
            WebSocketError.closed(code: 4401, reason: "hunter2"), WebSocketError.refused("hunter2"),
            WebSocketError.unknownSubprotocol("hunter2"), WebSocketError.outcomeUnknown(cause: "hunter2"),
            HTTPError.redirectRefused(status: 302, location: "/hunter2"), HTTPError.charset("hunter2"), Talkative(),
        ] as [any TransportError])
    func aLogOfAnyFailureHoldsNoTextOfTheServer(_ error: any TransportError) async {
        let events = Notes<NetworkEvent>()
        let server = StubNetwork { _, _ in throw RelayError.transport(error) }
        _ = try? await server.intercepted(by: LoggingInterceptor { events.add($0) }).send(.make())
        await until { events.all.count == 2 }
        let text = events.all.map(\.description).joined()
        #expect(text.contains("\(type(of: error))"))
        #expect(!text.contains("hunter2"))
    }

    /// An error of a transport that the steps do not know.
    private struct Talkative: TransportError, CustomStringConvertible {
        var description: String { "hunter2" }
        var advice: String { "" }
    }

    @Test func everyRequestIsCountedOnce() async throws {
        let clock = StepClock()
        let metrics = MetricsInterceptor(maximumNames: 2, clock: clock)
        let gate = StepGate()
        let server = StubNetwork { request, _ in
            switch request.operationName {
            case "Slow":
                try await clock.sleep(for: .milliseconds(5))
                return .film
            case "Stuck":
                await gate.pass()
                try Task.checkCancellation()
                return .film
            default: throw RelayError.noResponse
            }
        }
        let network = server.intercepted(by: metrics)
        let slow = Task { try await network.send(.make(name: "Slow")) }
        await clock.advance(by: .milliseconds(5), afterSleepers: 1)
        _ = try await slow.value
        await #expect(throws: RelayError.noResponse) { try await network.send(.make(name: "Broken")) }
        let stuck = Task { try await network.send(.make(name: "Stuck")) }
        await until { gate.arrivals == 1 }
        #expect(metrics.snapshot[MetricsInterceptor.otherName]?.inFlight == 1)
        stuck.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await stuck.value }
        await until { metrics.snapshot.values.allSatisfy { $0.inFlight == 0 } }
        let counts = metrics.snapshot
        #expect(Set(counts.keys) == ["Slow", "Broken", MetricsInterceptor.otherName])
        #expect(counts["Slow"]?.answered == 1)
        #expect(counts["Slow"]?.bytes == NetworkResponse.film.body.count)
        #expect(counts["Slow"]?.latency.bound(of: 0.95) == .milliseconds(8))
        #expect(counts["Broken"]?.failed == 1)
        #expect(counts[MetricsInterceptor.otherName]?.cancelled == 1)
    }

    @Test func aHistogramBoundsParts() {
        var histogram = LatencyHistogram()
        #expect(histogram.bound(of: 0.5) == nil)
        for time in [1, 2, 3, 100] { histogram.add(.milliseconds(time)) }
        #expect(histogram.count == 4)
        #expect(histogram.total == .milliseconds(106))
        #expect(histogram.bound(of: 0) == .milliseconds(1))
        #expect(histogram.bound(of: 0.5) == .milliseconds(2))
        #expect(histogram.bound(of: 0.75) == .milliseconds(4))
        #expect(histogram.bound(of: 1) == .milliseconds(128))
        histogram.add(.seconds(1000))
        #expect(histogram.bound(of: 1) == nil)
    }

    @Test func aTraceBeginsOrGoesOn() async throws {
        let spans = Notes<TracingInterceptor.Span>()
        let numbers = Notes<Void>()
        let server = StubNetwork()
        let network = server.intercepted(
            by: TracingInterceptor(clock: StepClock()) {
                numbers.add(())
                return UInt64(numbers.all.count)
            } record: {
                spans.add($0)
            })
        _ = try await network.send(.make(1))
        let header = "00-0000000000000001000000000000000" + "2-0000000000000003-01"
        #expect(server.sent[0].configuration.headers == ["traceparent": header])
        #expect(server.sent[0].configuration.context[RequestTrace.self]?.header == header)

        var inner = NetworkRequest.make(2)
        inner.configuration.context[RequestTrace.self] = TraceParent(
            "00-000000000000000a000000000000000b-000000000000000c-00")
        _ = try await network.send(inner)
        #expect(
            server.sent[1].configuration.headers
                == ["traceparent": "00-000000000000000a000000000000000b-0000000000000004-00"])
        _ = try await network.send(.make(3, headers: ["Traceparent": header]))
        #expect(server.sent[2].configuration.headers.keys.sorted() == ["traceparent"])
        await until { spans.all.count == 3 }
        #expect(
            spans.all.map { $0.parent?.header } == [
                nil, inner.configuration.context[RequestTrace.self]?.header, header,
            ])
        #expect(spans.all.allSatisfy { $0.outcome == .answered })
    }

    @Test(arguments: [
        "", "00", "00-0000000000000000000000000000000a-000000000000000b",
        "00-00000000000000000000000000000000-000000000000000b-01",
        "00-0000000000000000000000000000000a-0000000000000000-01",
        "ff-0000000000000000000000000000000a-000000000000000b-01",
        "00-0000000000000000000000000000000A-000000000000000b-01",
        "00-0000000000000000000000000000000a-000000000000000b-01-x",
        "00-0000000000000000000000000000000a-000000000000000b-0100",
    ])
    func aMalformedTraceIsNone(_ header: String) {
        #expect(TraceParent(header) == nil)
    }

    @Test func aLaterVersionOfATraceIsRead() {
        let header = "01-0000000000000000000000000000000a-000000000000000b-03-more"
        #expect(TraceParent(header)?.header == "00-0000000000000000000000000000000a-000000000000000b-01")
    }

    @Test func headersOfTheCallerCount() async throws {
        let server = StubNetwork()
        let network = server.intercepted(
            by: ClientNameInterceptor(name: "shop", version: "1.2"), PreflightInterceptor())
        _ = try await network.send(.make(headers: ["ApolloGraphQL-Client-Name": "own"]))
        #expect(
            server.sent[0].configuration.headers == [
                "ApolloGraphQL-Client-Name": "own", "apollographql-client-version": "1.2",
                "Apollo-Require-Preflight": "true", "GraphQL-Preflight": "1",
            ])
    }
}
