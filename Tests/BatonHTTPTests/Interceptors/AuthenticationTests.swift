import Baton
import BatonHTTP
import Testing

@Suite struct AuthenticationTests {
    static func server(accepting token: String, gate: StepGate? = nil) -> StubNetwork {
        StubNetwork { request, _ in
            if request.configuration.headers["Authorization"] != "Bearer \(token)" {
                await gate?.pass()
                throw RelayError.httpStatus(401, body: "")
            }
            return .film
        }
    }

    @Test func aRequestCarriesTheCredential() async throws {
        let server = Self.server(accepting: "a")
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in throw Broken() }))
        #expect(try await network.send(.make()).text == NetworkResponse.film.text)
        #expect(server.sent.count == 1)
    }

    @Test func anErrorOfRefreshIsNotToldAsALackOfAResponse() async throws {
        let network = Self.server(accepting: "b").intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in throw Broken() }))
        let error = try #require(await #expect(throws: Broken.self) { try await network.send(.make()) })
        #expect(RelayError.transport(error).underlying is Broken)
        #expect(RelayError.transport(error).description == "The request failed: \(error).")
    }

    @Test func aHeaderOfTheCallerCounts() async throws {
        let server = StubNetwork()
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in throw Broken() }))
        _ = try await network.send(.make(headers: ["authorization": "Basic x"]))
        #expect(server.sent.map(\.configuration.headers) == [["authorization": "Basic x"]])
    }

    @Test func concurrentRejectionsRefreshOnce() async throws {
        let gate = StepGate()
        let server = Self.server(accepting: "b", gate: gate)
        let refreshes = Notes<Credential?>()
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }) { old in
                refreshes.add(old)
                return .bearer("b")
            })
        try await withThrowingTaskGroup { group in
            for id in 0..<20 { group.addTask { try await network.send(.make(id)) } }
            await until { gate.arrivals == 20 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(refreshes.all == [.bearer("a")])
        #expect(server.sent.count == 40)
    }

    @Test func aRequestRejectedWithAnOldCredentialTakesTheNewOne() async throws {
        let gate = StepGate()
        let server = StubNetwork { request, _ in
            if request.id == 1, request.configuration.headers["Authorization"] == "Bearer a" { await gate.pass() }
            guard request.configuration.headers["Authorization"] == "Bearer b" else {
                throw RelayError.httpStatus(401, body: "")
            }
            return .film
        }
        let refreshes = Notes<Void>()
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }) { _ in
                refreshes.add(())
                return .bearer(refreshes.all.count == 1 ? "b" : "c")
            })
        async let slow = network.send(.make(1))
        await until { gate.arrivals == 1 }
        _ = try await network.send(.make(2))
        gate.open()
        _ = try await slow
        #expect(refreshes.all.count == 1)
    }

    @Test func aFailedRefreshFailsAllThatWait() async throws {
        let (gate, refreshing) = (StepGate(), StepGate())
        let refreshes = Notes<Void>()
        let network = Self.server(accepting: "b", gate: gate).intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }) { _ in
                refreshes.add(())
                await refreshing.pass()
                throw Broken()
            })
        let failures = await withTaskGroup(of: Bool.self) { group in
            for id in 0..<10 {
                group.addTask {
                    do {
                        _ = try await network.send(.make(id))
                        return false
                    } catch { return error is Broken }
                }
            }
            await until { gate.arrivals == 10 }
            gate.open()
            refreshing.open()
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(failures == 10)
        #expect(refreshes.all.count == 1)
    }

    @Test func aCancelledRequestDoesNotCancelTheRefresh() async throws {
        let refreshing = StepGate()
        let server = Self.server(accepting: "b")
        let wasCancelled = Notes<Bool>()
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }) { _ in
                await refreshing.pass()
                wasCancelled.add(Task.isCancelled)
                return .bearer("b")
            })
        let first = Task { try await network.send(.make(1)) }
        await until { refreshing.arrivals == 1 }
        let second = Task { try await network.send(.make(2)) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        refreshing.open()
        #expect(try await second.value.text == NetworkResponse.film.text)
        #expect(wasCancelled.all == [false])
    }

    /// A mutation that fetches the tokens goes to the same server, through the same steps.
    @Test func theRefreshMayUseTheNetworkItself() async throws {
        let network = Guarded<(any NetworkLayer)?>(nil)
        let server = StubNetwork { request, _ in
            let header = request.configuration.headers["Authorization"]
            if request.operationName == "Login" || request.operationName == "Refresh" {
                #expect(header == (request.operationName == "Login" ? nil : "Refresh r"))
                return .film
            }
            guard header == "Bearer b" else { throw RelayError.httpStatus(401, body: "") }
            return .film
        }
        let authentication = AuthenticationInterceptor {
            _ = try await network.withLock(\.self)?.send(.make(name: "Login", kind: .mutation))
            return .bearer("a")
        } refresh: { _ in
            let headers = ["Authorization": "Refresh r"]
            _ = try await network.withLock(\.self)?.all(.make(name: "Refresh", kind: .mutation, headers: headers))
            return .bearer("b")
        }
        let intercepted = server.intercepted(by: authentication)
        network.withLock { $0 = intercepted }
        #expect(try await intercepted.send(.make()).text == NetworkResponse.film.text)
        #expect(server.sent.map(\.operationName) == ["Login", "Film", "Refresh", "Film"])
    }

    @Test func aRequestWithItsOwnHeaderDoesNotWaitForARefresh() async throws {
        let refreshing = StepGate()
        let server = StubNetwork { request, _ in
            if request.configuration.headers["Authorization"] == "Bearer a" {
                throw RelayError.httpStatus(401, body: "")
            }
            return .film
        }
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }) { _ in
                await refreshing.pass()
                throw Broken()
            })
        let first = Task { try await network.send(.make(1)) }
        await until { refreshing.arrivals == 1 }
        _ = try await network.send(.make(2, headers: ["Authorization": "Basic x"]))
        refreshing.open()
        await #expect(throws: Broken.self) { try await first.value }
    }

    @Test func aGraphQLErrorIsARejectionToo() async throws {
        let refused = #"{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}],"data":null}"#
        let server = StubNetwork { _, number in number == 1 ? .text(refused) : .film }
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in .bearer("b") }))
        #expect(try await network.send(.make()).text == NetworkResponse.film.text)
        #expect(server.sent.map { $0.configuration.headers["Authorization"] } == ["Bearer a", "Bearer b"])
    }

    @Test(arguments: [
        #"{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}],"data":{"film":1}}"#,
        #"{"errors":[{"message":"no","extensions":{"code":"OTHER"}}],"data":null}"#,
        #"{"data":null}"#, "not json", "",
    ])
    func otherAnswersArePassedOn(_ body: String) async throws {
        let server = StubNetwork { _, _ in .text(body) }
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in throw Broken() }))
        #expect(try await network.send(.make()).text == body)
        #expect(server.sent.count == 1)
    }

    @Test func withoutAnotherCredentialTheCallerGetsTheRejection() async throws {
        let authentication = AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in nil })
        let network = Self.server(accepting: "b").intercepted(by: authentication)
        await #expect(throws: RelayError.httpStatus(401, body: "")) { try await network.send(.make()) }
        let refused = NetworkResponse.text(#"{"errors":[{"message":"no"}]}"#, ["status": "401"])
        let other = StubNetwork { _, _ in refused }.intercepted(
            by: AuthenticationInterceptor(load: { nil }, refresh: { _ in nil }))
        #expect(try await other.send(.make()).text == refused.text)
    }

    @Test func theSecondRejectionCounts() async throws {
        let server = Self.server(accepting: "z")
        let network = server.intercepted(
            by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in .bearer("b") }))
        await #expect(throws: RelayError.httpStatus(401, body: "")) { try await network.send(.make()) }
        #expect(server.sent.count == 2)
    }

    @Test func afterAResetNothingIsSentAgainForSomebodyElse() async throws {
        let gate = StepGate()
        let server = Self.server(accepting: "b", gate: gate)
        let users = Notes<Void>()
        let authentication = AuthenticationInterceptor {
            users.add(())
            return .bearer(users.all.count == 1 ? "a" : "b")
        } refresh: { _ in
            throw Broken()
        }
        let network = server.intercepted(by: authentication)
        let old = Task { try await network.send(.make(1)) }
        await until { gate.arrivals == 1 }
        authentication.reset()
        gate.open()
        await #expect(throws: RelayError.httpStatus(401, body: "")) { try await old.value }
        #expect(try await network.send(.make(2)).text == NetworkResponse.film.text)
        #expect(authentication.session == 1)
    }

    @Test func nothingIsSentAgainAfterAResponse() async throws {
        let network = StreamingNetwork { _, deliver in
            try await deliver(.text("{}", hasNext: true))
            throw RelayError.httpStatus(401, body: "")
        }.intercepted(by: AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in .bearer("b") }))
        await #expect(throws: RelayError.httpStatus(401, body: "")) { try await network.all(.make()) }
    }

    @Test func noDescriptionHoldsTheToken() {
        let credential = Credential.bearer("secret")
        var dumped = ""
        dump(credential, to: &dumped)
        dump([credential], to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), dumped, "\([credential])"] {
            #expect(!text.contains("secret"))
        }
    }
}
