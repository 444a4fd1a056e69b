import Baton
import RandomCases
import Testing

@testable import BatonHTTP

@Suite("ResubscribingInterceptor", .timeLimit(.minutes(20)))
struct ResubscribingInterceptorTests {
    private static let closed = RelayError.transport(RelayError.StreamError.closedEarly(responses: 1, bytes: 9))
    private static let offline = RelayError.transport(HTTPError.notHTTP)
    private static let refused = RelayError.transport(RelayError.StreamError.refused([]))

    /// Each attempt gives a number of responses, and then ends or fails.
    private func run(
        _ attempts: [(responses: Int, error: RelayError?)], kind: OperationKind = .subscription,
        policy: ReconnectPolicy = ReconnectPolicy(firstDelay: .zero, maximumDelay: .zero), opensStreams: Bool = false,
        receive: @escaping @Sendable () throws -> Void = {}
    ) async -> (responses: Int, states: [TransportState], attempts: Int, error: RelayError?) {
        let sent = Guarded(0)
        let got = Guarded(0)
        let states = Guarded<[TransportState]>([])
        let request = NetworkRequest(id: 1, operationName: "S", kind: kind, text: "")
            .reporting(to: { state in states.withLock { $0.append(state) } })
        var failure: RelayError?
        do {
            try await ResubscribingInterceptor(policy, random: SeededGenerator(seed: 1)).intercept(request) {
                request, deliver in
                let number = sent.withLock { sent in
                    defer { sent += 1 }
                    return sent
                }
                guard number < attempts.count else { return }
                if opensStreams { request.note(.opened) }
                for _ in 0..<attempts[number].responses { try await deliver(NetworkResponse(body: [])) }
                if let error = attempts[number].error { throw error }
            } deliver: { _ in
                got.withLock { $0 += 1 }
                try receive()
            }
        } catch {
            failure = error as? RelayError
        }
        return (got.withLock(\.self), states.withLock(\.self), sent.withLock(\.self), failure)
    }

    @Test("a subscription that was closed early begins again, and its handles are notified")
    func aSubscriptionThatWasClosedEarlyBeginsAgain() async {
        let outcome = await run([(2, Self.closed), (0, Self.offline), (1, Self.closed), (1, nil)])
        #expect(outcome.responses == 4)
        #expect(
            outcome.states == [
                .reconnecting(attempt: 1), .reconnecting(attempt: 2), .connected, .reconnecting(attempt: 1), .connected,
            ])
        #expect(outcome.error == nil)
        #expect(outcome.attempts == 4)
    }

    @Test("attempts in a row end with the last error")
    func attemptsInARowEndWithTheLastError() async {
        let policy = ReconnectPolicy(maximumAttempts: 2, firstDelay: .zero, maximumDelay: .zero)
        let outcome = await run(
            [(1, Self.closed), (0, Self.offline), (0, .httpStatus(503, body: "")), (1, nil)], policy: policy)
        #expect(outcome.error == .httpStatus(503, body: ""))
        #expect(outcome.attempts == 3)
    }

    @Test("a failure before the first connection, a refusal, and a query are not tried again")
    func otherFailuresAreNotTriedAgain() async {
        #expect(await run([(0, Self.offline)]).error == Self.offline)
        #expect(await run([(1, Self.refused)]).error == Self.refused)
        #expect(await run([(1, .httpStatus(401, body: ""))]).error == .httpStatus(401, body: ""))
        #expect(await run([(1, Self.closed)], kind: .query).error == Self.closed)
        #expect(await run([(1, nil)]).attempts == 1)
        // A break before the first event is a break too, because the stream was open.
        #expect(await run([(0, Self.closed)]).attempts == 2)
    }

    @Test("a stream that was open begins again, even without any event so far")
    func anOpenStreamWithoutEventsBeginsAgain() async {
        for error in [HTTPError.closed(reason: "reset"), .stalled(after: .seconds(30))] {
            let outcome = await run([(0, .transport(error)), (1, nil)], opensStreams: true)
            #expect(outcome.responses == 1)
            #expect(outcome.error == nil)
        }
        // An open stream begins no new row of attempts. Otherwise a server that closes each stream at once would be
        // asked for ever.
        let policy = ReconnectPolicy(maximumAttempts: 2, firstDelay: .zero, maximumDelay: .zero)
        let breaks = [(responses: Int, error: RelayError?)](repeating: (0, Self.closed), count: 9)
        #expect(await run(breaks, policy: policy, opensStreams: true).attempts == 3)
    }

    @Test("a response that a step in front refuses ends the subscription")
    func aRefusedResponseEndsTheSubscription() async {
        for error in [Self.closed, RelayError.transport(Broken())] {
            let outcome = await run([(1, nil), (1, nil)]) { throw error }
            #expect(outcome.attempts == 1)
            #expect(outcome.error == error)
        }
    }

    @Test("behind authentication, a subscription that is refused begins once more with a new credential")
    func aRefusedSubscriptionGetsANewCredential() async throws {
        let refused = NetworkResponse.text(#"{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}]}"#)
        let sent = Notes<String?>()
        let server = StreamingNetwork { request, deliver in
            let header = request.configuration.headers["Authorization"]
            sent.add(header)
            guard sent.all.count < 5 else { return }
            try await deliver(header == "Bearer b" ? .film : refused)
        }
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in .bearer("b") }),
            ResubscribingInterceptor(ReconnectPolicy(firstDelay: .zero, maximumDelay: .zero)))
        #expect(try await network.all(.make(kind: .subscription)).map(\.text) == [NetworkResponse.film.text])
        #expect(sent.all == ["Bearer a", "Bearer b"])
    }

    @Test("in front of authentication, a subscription that breaks begins again with the credential of now")
    func eachAttemptHasTheCredentialOfItsTime() async throws {
        let sent = Notes<String?>()
        let server = StreamingNetwork { request, deliver in
            let header = request.configuration.headers["Authorization"]
            sent.add(header)
            // The first token expires with the first stream.
            guard header == (sent.all.count == 1 ? "Bearer a" : "Bearer b") else {
                throw RelayError.httpStatus(401, body: "")
            }
            let isFirst = header == "Bearer a"
            try await deliver(.text("{}", hasNext: isFirst))
            if isFirst { throw Self.closed }
        }
        let network = server.intercepted(
            by: ResubscribingInterceptor(ReconnectPolicy(firstDelay: .zero, maximumDelay: .zero)),
            AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in .bearer("b") }))
        #expect(try await network.all(.make(kind: .subscription)).count == 2)
        #expect(sent.all == ["Bearer a", "Bearer a", "Bearer b"])
    }

    @Test("a time that the server asks to wait is waited")
    func aServerMayAskForALongerWait() async throws {
        let clock = StepClock()
        let interceptor = ResubscribingInterceptor(
            ReconnectPolicy(firstDelay: .zero, maximumDelay: .zero), clock: clock, random: SeededGenerator(seed: 1))
        let number = Guarded(0)
        let network = StreamingNetwork { _, deliver in
            let count = number.withLock { number in
                number += 1
                return number
            }
            if count == 1 { throw Self.closed }
            if count == 2 { throw RelayError.httpStatus(503, body: "", retryAfter: .seconds(40)) }
            try await deliver(.film)
        }.intercepted(by: interceptor)
        let task = Task { try await network.all(.make(kind: .subscription)).count }
        await clock.advance(by: .seconds(40), afterSleepers: 1)
        #expect(try await task.value == 1)
    }
}
