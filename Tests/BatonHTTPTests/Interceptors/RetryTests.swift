import Baton
import BatonHTTP
import Foundation
import Testing

@Suite struct RetryTests {
    /// Runs a request, ends each pause, and returns the pauses.
    static func pauses(
        _ network: any NetworkLayer, _ request: NetworkRequest, on clock: StepClock
    ) async -> (pauses: [Duration], result: Result<NetworkResponse, any Error>) {
        let over = Notes<Void>()
        let task = Task {
            defer { over.add(()) }
            return try await network.send(request)
        }
        var pauses: [Duration] = []
        while true {
            await until { clock.sleepers > 0 || !over.all.isEmpty }
            guard let pause = clock.nextPause else { break }
            pauses.append(pause)
            clock.advance(by: pause)
        }
        return (pauses, await task.result)
    }

    @Test func pausesGrowUpToTheLongest() async throws {
        let clock = StepClock()
        let server = StubNetwork { _, _ in throw RelayError.httpStatus(503, body: "") }
        let retry = RetryInterceptor(
            maximumRetries: 5, firstDelay: .seconds(1), maximumDelay: .seconds(5), clock: clock, random: { 1 })
        let (pauses, result) = await Self.pauses(server.intercepted(by: retry), .make(), on: clock)
        #expect(pauses == [1, 2, 4, 5, 5].map { .seconds($0) })
        #expect(throws: RelayError.httpStatus(503, body: "")) { try result.get() }
        #expect(server.sent.count == 6)
    }

    @Test func jitterIsFull() async throws {
        let clock = StepClock()
        let retry = RetryInterceptor(maximumRetries: 2, firstDelay: .seconds(1), clock: clock, random: { 0.25 })
        let server = StubNetwork { _, _ in throw RelayError.noResponse }
        let (pauses, _) = await Self.pauses(server.intercepted(by: retry), .make(), on: clock)
        #expect(pauses == [.milliseconds(250), .milliseconds(500)])
    }

    @Test func aFailureThatPassesIsNotSeen() async throws {
        let clock = StepClock()
        let server = StubNetwork { _, number in
            if number < 3 { throw RelayError.httpStatus(502, body: "") }
            return .film
        }
        let retry = RetryInterceptor(clock: clock, random: { 1 })
        let (pauses, result) = await Self.pauses(server.intercepted(by: retry), .make(), on: clock)
        #expect(pauses.count == 2)
        #expect(try result.get().text == NetworkResponse.film.text)
    }

    @Test(arguments: [
        (408, true), (425, true), (429, true), (502, true), (503, true), (504, true), (400, false), (401, false),
        (404, false), (500, false), (501, false),
    ])
    func someStatusesMayPass(_ status: Int, _ mayPass: Bool) {
        #expect(RetryInterceptor.isTransient(.httpStatus(status, body: "")) == mayPass)
    }

    @Test func otherFailuresStay() {
        #expect(RetryInterceptor.isTransient(.transport(HTTPError.timedOut(after: .seconds(1)))))
        #expect(RetryInterceptor.isTransient(.transport(Broken())))
        #expect(!RetryInterceptor.isTransient(.transport(HTTPError.bodyTooLarge(limit: 1))))
        #expect(!RetryInterceptor.isTransient(.cancelled))
        #expect(!RetryInterceptor.isTransient(.configuration("")))
        #expect(!RetryInterceptor.isTransient(.contentType(nil, body: "")))
    }

    @Test func theTimeIsLimited() async throws {
        let clock = StepClock()
        let retry = RetryInterceptor(
            maximumRetries: 9, firstDelay: .seconds(2), timeLimit: .seconds(10), clock: clock, random: { 1 })
        let server = StubNetwork { _, _ in throw RelayError.noResponse }
        let (pauses, _) = await Self.pauses(server.intercepted(by: retry), .make(), on: clock)
        // After pauses of 2 and 4 seconds, 4 seconds are left, and the next pause would be 8.
        #expect(pauses == [.seconds(2), .seconds(4)])
    }

    @Test func aTimeThatTheServerAsksForCounts() async throws {
        let clock = StepClock()
        let retry = RetryInterceptor(maximumRetries: 1, timeLimit: .seconds(30), clock: clock, random: { 0 })
        func pauses(_ answer: @escaping StubNetwork.Answer) async -> [Duration] {
            await Self.pauses(StubNetwork(answer).intercepted(by: retry), .make(), on: clock).pauses
        }
        #expect(
            await pauses { _, _ in throw RelayError.httpStatus(429, body: "", retryAfter: .seconds(7)) }
                == [.seconds(7)])
        #expect(
            await pauses { _, _ in .text(#"{"errors":[{"message":"busy"}]}"#, ["status": "503", "retry-after": "9"]) }
                == [.seconds(9)])
        let inAnHour = Date(timeIntervalSinceNow: 3_600)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        // The limit of this interceptor is shorter than the hour, so that it does not wait at all.
        #expect(
            await pauses { _, _ in
                .text("{}", ["status": "503", "retry-after": formatter.string(from: inAnHour)])
            } == [])
        // Beyond the limit the caller gets the failure at once.
        #expect(
            await pauses { _, _ in throw RelayError.httpStatus(429, body: "", retryAfter: .seconds(31)) } == [])
    }

    @Test func mutationsNeedAKeyAndSubscriptionsAreNotRepeated() async throws {
        let clock = StepClock()
        func attempts(_ request: NetworkRequest, _ mutations: RetryInterceptor.Mutations) async -> [NetworkRequest] {
            let server = StubNetwork { _, _ in throw RelayError.noResponse }
            let retry = RetryInterceptor(maximumRetries: 1, mutations: mutations, clock: clock, random: { 1 })
            _ = await Self.pauses(server.intercepted(by: retry), request, on: clock)
            return server.sent
        }
        #expect(await attempts(.make(kind: .mutation, idempotencyKey: "k"), .never).count == 1)
        #expect(await attempts(.make(kind: .mutation), .withKey()).count == 1)
        #expect(await attempts(.make(kind: .subscription), .withKey()).count == 1)
        let sent = await attempts(.make(kind: .mutation, idempotencyKey: "k"), .withKey())
        #expect(sent.map(\.configuration.headers) == [["Idempotency-Key": "k"], ["Idempotency-Key": "k"]])
        let named = await attempts(.make(kind: .mutation, idempotencyKey: "k"), .withKey(header: "X-Key"))
        #expect(named.last?.configuration.headers == ["X-Key": "k"])
    }

    @Test func nothingIsSentAgainAfterAResponse() async throws {
        let network = StreamingNetwork { _, deliver in
            try await deliver(.text("{}", hasNext: true))
            throw RelayError.noResponse
        }.intercepted(by: RetryInterceptor(clock: StepClock()))
        await #expect(throws: RelayError.noResponse) { try await network.all(.make()) }
    }

    @Test func anAnswerWithAStatusThatMayPassIsHeldBack() async throws {
        let clock = StepClock()
        let busy = NetworkResponse.text(#"{"errors":[{"message":"busy"}]}"#, ["status": "503"])
        let server = StubNetwork { _, number in number == 1 ? busy : .film }
        let retry = RetryInterceptor(maximumRetries: 1, clock: clock, random: { 1 })
        let (_, result) = await Self.pauses(server.intercepted(by: retry), .make(), on: clock)
        #expect(try result.get().text == NetworkResponse.film.text)
        let always = StubNetwork { _, _ in busy }
        let (_, last) = await Self.pauses(always.intercepted(by: retry), .make(), on: clock)
        #expect(try last.get().text == busy.text)
        #expect(always.sent.count == 2)
    }

    @Test func aCancelledRequestEndsItsPause() async throws {
        let clock = StepClock()
        let server = StubNetwork { _, _ in throw RelayError.noResponse }
        let network = server.intercepted(by: RetryInterceptor(clock: clock, random: { 1 }))
        let task = Task { try await network.send(.make()) }
        await until { clock.sleepers == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await until { clock.sleepers == 0 }
        #expect(server.sent.count == 1)
    }

    @Test(arguments: [
        (RelayError.transport(RelayError.StreamError.closedEarly(responses: 0, bytes: 0)), true),
        (.transport(RelayError.StreamError.partTooLarge(limit: 1)), false),
        (.transport(RelayError.StreamError.malformedPart(1, "")), false),
        (.transport(RelayError.StreamError.refused([])), false),
        (.transport(BatchError.notAnArray), false),
        (.transport(WebSocketError.unresponsive(after: .seconds(1))), true),
        (.transport(WebSocketError.closed(code: 1001, reason: "")), true),
        (.transport(WebSocketError.closed(code: 4403, reason: "")), false),
        (.transport(Broken()), true),
    ])
    func someFailuresOfTransportsMayPass(_ error: RelayError, _ mayPass: Bool) {
        #expect(RetryInterceptor.isTransient(error) == mayPass)
    }
}
