import Baton
import Foundation
import Testing

@testable import BatonHTTP

/// Networks with extremely long time limits, and with limits that are over before they begin.
@Suite(.timeLimit(.minutes(20))) struct NetworkTimeTests {
    private static let url = URL(string: "http://host/graphql") ?? URL(fileURLWithPath: "/")
    static let far = Duration.seconds(Int64.max)
    static let past = [Duration.zero, .seconds(-5), .seconds(Int64.min)]

    @Test func aNetworkOverHTTPMayHaveAnyTimeouts() async throws {
        let (clock, gate) = (StepClock(), StepGate())
        let transport = ScriptedTransport { _ in
            await gate.pass()
            return .json(#"{"data":{}}"#)
        }
        let network = HTTPNetwork(
            url: Self.url, transport: transport, timeout: Self.far, silenceTimeout: Self.far, clock: clock)
        let answer = Task { try await network.send(.make()) }
        await until { clock.sleepers == 2 }
        #expect(clock.nextPause == BoundedTime.longest)
        gate.open()
        #expect(try await answer.value.text == #"{"data":{}}"#)
    }

    @Test(arguments: past) func aTimeoutThatIsOverEndsTheRequest(_ timeout: Duration) async throws {
        let gate = StepGate()
        let transport = ScriptedTransport { _ in
            await gate.pass()
            return .json("{}")
        }
        let network = HTTPNetwork(url: Self.url, transport: transport, timeout: timeout, clock: StepClock())
        await #expect(throws: RelayError.transport(HTTPError.timedOut(after: timeout))) {
            try await network.send(.make())
        }
        gate.open()
    }

    /// Each of the options is the longest time, or a time that is over.
    @Test(arguments: [far] + past) func aSocketMayHaveAnyTimes(_ time: Duration) async throws {
        let clock = SocketTestClock()
        var options = WebSocketOptions()
        options.connectTimeout = .seconds(30)
        options.acknowledgementTimeout = time > .zero ? time : .seconds(30)
        options.pingInterval = time
        options.pongTimeout = time > .zero ? time : .seconds(30)
        options.silenceTimeout = time
        options.idleTime = time
        options.reconnecting = ReconnectPolicy(firstDelay: time, maximumDelay: time)
        let transport = MemorySocketTransport(server: MemorySocketTransport.acknowledging)
        let network = WebSocketNetwork(url: Self.url, transport: transport, options: options, clock: clock)
        let task = Task { for try await _ in network.responses(to: .test()) {} }
        let connection = await transport.connection(1)
        await connection.waitForMessage("subscribe")
        await clock.wait { !$0.isEmpty }
        // The timer of the pings sleeps.
        #expect(clock.rests == [time > .zero ? BoundedTime.longest : BoundedTime.shortestInterval])
        task.cancel()
        _ = try? await task.value
    }

    @Test func retriesMayPauseForAnyTime() async {
        let clock = StepClock()
        let server = StubNetwork { _, _ in throw RelayError.httpStatus(503, body: "", retryAfter: Self.far) }
        let retry = RetryInterceptor(
            firstDelay: Self.far, maximumDelay: Self.far, timeLimit: Self.far, clock: clock, random: { .nan })
        let task = Task { try await server.intercepted(by: retry).send(.make()) }
        await until { clock.sleepers == 1 }
        #expect(clock.nextPause == BoundedTime.longest)
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    @Test(arguments: past) func pausesOfLessThanNothingAreNone(_ time: Duration) async throws {
        let server = StubNetwork { _, number in
            if number < 3 { throw RelayError.httpStatus(503, body: "", retryAfter: time) }
            return .film
        }
        let retry = RetryInterceptor(firstDelay: time, maximumDelay: time, clock: StepClock())
        #expect(try await server.intercepted(by: retry).send(.make()).text == NetworkResponse.film.text)
    }

    @Test func batchesAndStreamsMayWaitForAnyTime() async {
        let clock = StepClock()
        let batching = BatchingNetwork(in: StubNetwork(), window: Self.far, clock: clock) { _, _ in [] }
        let batch = Task { try await batching.send(.make()) }
        await until { clock.sleepers == 1 }
        #expect(clock.nextPause == BoundedTime.longest)
        batch.cancel()
        let streamClock = StepClock()
        let stream = EventStreamNetwork(
            url: Self.url,
            transport: ScriptedTransport { _ in
                try await Task.sleep(for: .seconds(3_600))
                return .json("")
            },
            timeout: Self.far, silenceTimeout: Self.far, idleTime: Self.far, clock: streamClock)
        let answer = Task { try await stream.send(.make()) }
        await until { streamClock.sleepers == 1 }
        #expect(streamClock.nextPause == BoundedTime.longest)
        answer.cancel()
    }

    @Test func aReconnectionMayWaitForAnyTime() {
        var random = SystemRandomNumberGenerator()
        let policy = ReconnectPolicy(firstDelay: Self.far, maximumDelay: Self.far)
        for attempt in [1, 2, 100, Int.max] {
            #expect(policy.longestDelay(attempt: attempt) == BoundedTime.longest)
            #expect(policy.delay(attempt: attempt, using: &random).map { $0 <= BoundedTime.longest } == true)
        }
        for time in Self.past {
            #expect(ReconnectPolicy(firstDelay: time, maximumDelay: time).longestDelay(attempt: 3) == .zero)
        }
    }

    @Test func aHistogramTakesAnyTime() {
        var histogram = LatencyHistogram()
        for _ in 0..<40 { histogram.add(Self.far) }
        for time in Self.past { histogram.add(time) }
        #expect(histogram.count == 43 && histogram.total == BoundedTime.longest)
    }
}
