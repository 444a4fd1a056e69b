import Baton
import Foundation
import Testing

@testable import BatonHTTP

/// The operations that are sent again because of errors in a response. A mutation that was carried out is never among
/// them.
@Suite("A mutation that was refused, and one that was carried out")
struct RefusedMutationTests {
    private static let url = URL(string: "https://host/graphql") ?? URL(fileURLWithPath: "/")
    private static let code = #""extensions":{"code":"UNAUTHENTICATED"}"#
    private static let pathless = #""errors":[{"message":"no",\#(code)}]"#
    private static let placed = #""errors":[{"message":"no","path":["like","secret"],\#(code)}]"#

    struct Answer: Sendable, CustomTestStringConvertible {
        let body: String
        var status: String?
        var metadata: [String: String] { status.map { ["status": $0] } ?? [:] }
        var testDescription: String { "\(status ?? "-") \(body)" }
    }

    /// Sends an operation through the authentication. Returns its response, and the number of sendings.
    private static func send(
        _ kind: OperationKind, answeredBy answer: Answer
    ) async throws -> (text: String, count: Int) {
        let server = StubNetwork { _, number in number == 1 ? .text(answer.body, answer.metadata) : .film }
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in .bearer("b") }))
        let text = try await network.send(.make(kind: kind, idempotencyKey: "k")).text
        return (text, server.sent.count)
    }

    @Test(
        "a mutation that may have been carried out is not sent again with another credential",
        arguments: [
            Answer(body: "{\"data\":null,\(placed)}"), Answer(body: "{\(placed)}"),
            Answer(body: "{\"data\":null,\(pathless)}"), Answer(body: "{\(pathless),\"data\":{\"like\":null}}"),
            Answer(body: "{\(pathless)}", status: "500"), Answer(body: "{\(pathless)}", status: "503"),
            Answer(body: "{\"data\":null,\(placed)}", status: "401"),
            Answer(body: "{\"data\":{\"like\":{}},\(pathless)}", status: "401"),
        ])
    func aMutationThatMayHaveBeenCarriedOutIsNotSentAgain(_ answer: Answer) async throws {
        let (text, count) = try await Self.send(.mutation, answeredBy: answer)
        #expect(text == answer.body)
        #expect(count == 1)
    }

    @Test(
        "a mutation that was refused is sent again with another credential",
        arguments: [
            Answer(body: "{\(pathless)}"), Answer(body: "{\(pathless)}", status: "200"),
            Answer(body: "{\(pathless)}", status: "403"), Answer(body: "{\"data\":null,\(pathless)}", status: "401"),
            Answer(body: "", status: "401"), Answer(body: #"{"errors":[{"message":"who?"}]}"#, status: "401"),
        ])
    func aRefusedMutationIsSentAgain(_ answer: Answer) async throws {
        #expect(try await Self.send(.mutation, answeredBy: answer).count == 2)
    }

    @Test("a query has no effect, and is sent again whatever else its errors say")
    func aQueryIsSentAgainWhateverItsErrorsSay() async throws {
        for answer in [
            Answer(body: "{\"data\":null,\(Self.placed)}"), Answer(body: "{\(Self.pathless)}", status: "500"),
        ] {
            #expect(try await Self.send(.query, answeredBy: answer).count == 2)
        }
    }

    @Test("an error in an event of a subscription is delivered, and a response without data is a refusal")
    func anErrorInAnEventIsNoRefusal() async throws {
        #expect(
            try await Self.send(.subscription, answeredBy: Answer(body: "{\"data\":null,\(Self.placed)}")).count == 1)
        #expect(try await Self.send(.subscription, answeredBy: Answer(body: "{\(Self.placed)}")).count == 2)
    }

    @Test(
        "a stream that ends for want of credentials begins again, unless its mutation was carried out",
        arguments: [
            (OperationKind.subscription, true, 2), (.subscription, false, 2), (.mutation, false, 2),
            (.mutation, true, 1),
        ])
    func aStreamRefusedForItsCredentialsBeginsAgain(_ kind: OperationKind, _ hasPath: Bool, _ count: Int) async throws {
        let error = GraphQLError(
            message: "no", path: hasPath ? [.key("like")] : nil, extensions: ["code": "UNAUTHENTICATED"])
        let server = StubNetwork { _, number in
            if number == 1 { throw RelayError.transport(RelayError.StreamError.refused([error])) }
            return .film
        }
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in .bearer("b") }))
        _ = try? await network.send(.make(kind: kind))
        #expect(server.sent.count == count)
    }

    @Test("the status of an array does not prove that a mutation in it was not carried out")
    func theStatusOfAnArraySaysNothingOfAMutation() async throws {
        let sendings = Guarded(0)
        let body = #"[{"data":{"like":1}},{"data":null,\#(Self.pathless)}]"#
        let transport = ScriptedTransport { _ in
            sendings.withLock { $0 += 1 }
            return .json(body, status: 401)
        }
        let network = BatchingNetwork(
            over: HTTPNetwork(url: Self.url, transport: transport), maximumCount: 2, batchesMutations: true
        ).intercepted(by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in .bearer("b") }))
        async let first = network.send(.make(1, kind: .mutation))
        async let second = network.send(.make(2, kind: .mutation))
        #expect(try await Set([first.text, second.text]).count == 2)
        #expect(sendings.withLock(\.self) == 1)
    }

    @Test(
        "a mutation with a key is not sent again once its response shows that it was carried out",
        arguments: [true, false])
    func aMutationThatWasCarriedOutIsNotTriedAgain(_ isCarriedOut: Bool) async throws {
        let body = isCarriedOut ? "{\"data\":null,\(Self.placed)}" : #"{"errors":[{"message":"busy"}]}"#
        let server = StubNetwork { _, _ in .text(body, ["status": "503"]) }
        let retry = RetryInterceptor(maximumRetries: 1, firstDelay: .zero, mutations: .withKey())
        #expect(try await server.intercepted(by: retry).send(.make(kind: .mutation, idempotencyKey: "k")).text == body)
        #expect(server.sent.count == (isCarriedOut ? 1 : 2))
    }

    // MARK: - Refreshing

    @Test("an error that a refresh throws reaches the caller, and is not tried again")
    func aFailedRefreshIsNotTriedAgain() async {
        let refreshes = Notes<Void>()
        let server = StubNetwork { _, _ in throw RelayError.httpStatus(401, body: "") }
        let authentication = AuthenticationInterceptor {
            .bearer("a")
        } refresh: { _ in
            refreshes.add(())
            throw Broken()
        }
        let network = server.intercepted(by: RetryInterceptor(firstDelay: .zero), authentication)
        await #expect(throws: Broken.self) { try await network.send(.make()) }
        #expect(server.sent.count == 1 && refreshes.all.count == 1)
    }

    @Test("a refresh that a network fails is tried again")
    func aRefreshThatANetworkFailsIsTriedAgain() async throws {
        let refreshes = Notes<Void>()
        let server = AuthenticationTests.server(accepting: "b")
        let authentication = AuthenticationInterceptor {
            .bearer("a")
        } refresh: { _ in
            refreshes.add(())
            if refreshes.all.count == 1 { throw HTTPError.offline(reason: "tunnel") }
            return .bearer("b")
        }
        let network = server.intercepted(by: RetryInterceptor(firstDelay: .zero), authentication)
        #expect(try await network.send(.make()).text == NetworkResponse.film.text)
        #expect(refreshes.all.count == 2)
    }

    @Test("a subscription whose refresh is refused does not begin again")
    func aSubscriptionWithARefusedRefreshEnds() async {
        let starts = Guarded(0)
        let network = StreamingNetwork { _, deliver in
            let start = starts.withLock {
                $0 += 1
                return $0
            }
            if start > 1 { throw RelayError.httpStatus(401, body: "") }
            try await deliver(.text(#"{"data":{"n":1}}"#, hasNext: true))
            throw RelayError.transport(RelayError.StreamError.closedEarly(responses: 1, bytes: 1))
        }.intercepted(
            by: ResubscribingInterceptor(ReconnectPolicy(maximumAttempts: 5, firstDelay: .zero)),
            AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in throw Broken() }))
        await #expect(throws: Broken.self) { try await network.all(.make(kind: .subscription)) }
        #expect(starts.withLock(\.self) == 2)
    }

    // MARK: - Persisted queries

    @Test(
        "a mutation whose resolver says 'PersistedQueryNotFound' is not sent again with its text",
        arguments: [
            Answer(body: #"{"data":{"like":null},"errors":[{"message":"PersistedQueryNotFound","path":["like"]}]}"#),
            Answer(body: #"{"data":null,"errors":[{"message":"PersistedQueryNotFound","path":["like"]}]}"#),
            Answer(body: #"{"data":{"like":1},"errors":[{"message":"PersistedQueryNotFound"}]}"#),
            Answer(body: #"{"errors":[{"message":"PersistedQueryNotFound"},{"message":"x","path":["like"]}]}"#),
            Answer(body: #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#, status: "500"),
            Answer(body: #"{"data":{"like":1},"errors":[{"message":"PersistedQueryNotSupported","path":["like"]}]}"#),
        ])
    func anErrorOfAResolverIsNoUnknownHash(_ answer: Answer) async throws {
        let transport = ScriptedTransport { _ in .json(answer.body, status: answer.status.flatMap { Int($0) } ?? 200) }
        let network = HTTPNetwork(url: Self.url, transport: transport, documents: .automatic)
        #expect(try await network.send(.make(kind: .mutation)).text == answer.body)
        #expect(transport.sent.count == 1)
    }

    @Test(
        "a mutation with an unknown hash is sent again with its text, also beside a null",
        arguments: [
            #"{"data":null,"errors":[{"message":"PersistedQueryNotFound"}]}"#,
            #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
        ])
    func anUnknownHashIsSentAgainWithItsText(_ body: String) async throws {
        let transport = ScriptedTransport { sent in
            .json(sent.text.contains("query\"") ? #"{"data":{"like":1}}"# : body)
        }
        let network = HTTPNetwork(url: Self.url, transport: transport, documents: .automatic)
        #expect(try await network.send(.make(kind: .mutation)).text == #"{"data":{"like":1}}"#)
        #expect(transport.sent.count == 2)
    }

    // MARK: - Keys

    @Test("a mutation carries its idempotency key with every attempt, and no other operation has one")
    func aMutationCarriesItsKeyWithEveryAttempt() async throws {
        let transport = ScriptedTransport { sent in
            .json(
                sent.text.contains("query\"") ? #"{"data":{}}"# : #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
        }
        let network = HTTPNetwork(url: Self.url, transport: transport, documents: .automatic)
        _ = try await network.send(.make(kind: .mutation, idempotencyKey: "k"))
        #expect(transport.sent.map { $0.headers["Idempotency-Key"] } == ["k", "k"])
        _ = try await network.send(.make(kind: .mutation, headers: ["idempotency-key": "mine"], idempotencyKey: "k"))
        #expect(transport.sent.last?.headers["Idempotency-Key"] == "mine")
        _ = try await network.send(.make(kind: .query))
        #expect(transport.sent.last?.headers["Idempotency-Key"] == nil)
        let silent = HTTPNetwork(url: Self.url, transport: transport, idempotencyKeyHeader: nil)
        _ = try await silent.send(.make(kind: .mutation, idempotencyKey: "k"))
        #expect(transport.sent.last?.headers["Idempotency-Key"] == nil)
        let named = HTTPNetwork(url: Self.url, transport: transport, idempotencyKeyHeader: "X-Key")
        _ = try await named.send(.make(kind: .mutation, idempotencyKey: "k"))
        #expect(transport.sent.last?.headers["X-Key"] == "k")
    }

    @Test("mutations that share a message have their keys in it")
    func mutationsOfOneMessageHaveTheirKeysInIt() async throws {
        let keys = [#""extensions":{"idempotencyKey":"k1"}"#, #""extensions":{"idempotencyKey":"k2"}"#]
        let transport = ScriptedTransport { _ in .json("[{},{}]") }
        let bodies = Notes<String>()
        for network in [
            BatchingNetwork(
                over: HTTPNetwork(url: Self.url, transport: transport), maximumCount: 2, batchesMutations: true),
            BatchingNetwork(in: StubNetwork(), maximumCount: 2, batchesMutations: true) { body, _ in
                bodies.add(String(decoding: body, as: UTF8.self))
                return Array("[{},{}]".utf8)
            },
        ] {
            async let first = network.send(.make(1, kind: .mutation, idempotencyKey: "k1"))
            async let second = network.send(.make(2, kind: .mutation, idempotencyKey: "k2"))
            _ = try await (first, second)
        }
        for body in [transport.sent.last?.text, bodies.all.last] {
            #expect(keys.allSatisfy { body?.contains($0) == true })
        }
        #expect(transport.sent.last?.headers["Idempotency-Key"] == nil)
    }
}
