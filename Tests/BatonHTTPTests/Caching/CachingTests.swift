import Baton
import BatonHTTP
import Testing

@Suite struct CachingTests {
    let clock = StepClock()

    /// A server that numbers its responses.
    static func server(_ metadata: [String: String] = ["cache-control": "max-age=60"]) -> StubNetwork {
        StubNetwork { request, number in
            if let tag = metadata["etag"], request.configuration.headers["If-None-Match"] == tag {
                return .text("", metadata.merging(["status": "304"]) { $1 })
            }
            return .text("{\"data\":\(number)}", metadata.merging(["status": "200"]) { $1 })
        }
    }

    func cache(
        defaultAge: Duration? = nil, isShared: Bool = false,
        afterMutation: CachingInterceptor.AfterMutation = .removeAll,
        partition: (@Sendable (NetworkRequest) -> String)? = nil
    ) -> CachingInterceptor {
        CachingInterceptor(
            defaultAge: defaultAge, isShared: isShared, afterMutation: afterMutation, partition: partition,
            clock: clock, date: { 0 })
    }

    @Test func aFreshAnswerServesLaterRequests() async throws {
        let (server, cache) = (Self.server(), cache())
        let network = server.intercepted(by: cache)
        _ = try await network.send(.make())
        clock.advance(by: .seconds(59))
        let second = try await network.send(.make(2))
        #expect(second.text == #"{"data":1}"#)
        #expect(second.metadata["age"] == "59" && second.metadata["cache"] == "fresh")
        clock.advance(by: .seconds(1))
        #expect(try await network.send(.make(3)).text == #"{"data":2}"#)
        #expect(cache.statistics.hits == 1 && cache.statistics.misses == 2)
        cache.removeAll()
        #expect(cache.statistics.bytes == 0)
    }

    @Test(arguments: [[:], ["cache-control": "no-store"], ["cache-control": "max-age=60", "vary": "*"]])
    func anAnswerMustBeAllowed(_ metadata: [String: String]) async throws {
        let server = Self.server(metadata)
        let network = server.intercepted(by: cache())
        for id in 0..<2 { _ = try await network.send(.make(id)) }
        #expect(server.sent.count == 2)
    }

    @Test(arguments: [#"{"data":null}"#, #"{"data":1,"errors":[{"message":"x"}]}"#, "<html>", "{}"])
    func anAnswerWithErrorsIsNotKept(_ body: String) async throws {
        let server = StubNetwork { _, _ in .text(body, ["cache-control": "max-age=60"]) }
        let network = server.intercepted(by: cache())
        for id in 0..<2 { #expect(try await network.send(.make(id)).text == body) }
        #expect(server.sent.count == 2)
    }

    @Test func theServerConfirmsAnOldAnswer() async throws {
        let (server, cache) = (Self.server(["cache-control": "max-age=60", "etag": "\"a\""]), cache())
        let network = server.intercepted(by: cache)
        _ = try await network.send(.make())
        clock.advance(by: .seconds(60))
        let confirmed = try await network.send(.make(2))
        #expect(confirmed.text == #"{"data":1}"# && confirmed.metadata["cache"] == "confirmed")
        #expect(confirmed.metadata["status"] == "200")
        clock.advance(by: .seconds(59))
        #expect(try await network.send(.make(3)).metadata["cache"] == "fresh")
        #expect(server.sent.count == 2 && cache.statistics.confirmations == 1)
    }

    @Test func aStatus304ThatIsAnErrorConfirmsToo() async throws {
        let server = StubNetwork { _, number in
            if number > 1 { throw RelayError.httpStatus(304, body: "") }
            return .text(#"{"data":1}"#, ["cache-control": "max-age=60", "last-modified": "x"])
        }
        let network = server.intercepted(by: cache())
        _ = try await network.send(.make())
        clock.advance(by: .seconds(60))
        #expect(try await network.send(.make(2)).text == #"{"data":1}"#)
        #expect(server.sent[1].configuration.headers == ["If-Modified-Since": "x"])
    }

    @Test func anOldAnswerIsUsedWhileItIsFetchedAgain() async throws {
        let server = Self.server(["cache-control": "max-age=60, stale-while-revalidate=60"])
        let network = server.intercepted(by: cache())
        _ = try await network.send(.make())
        clock.advance(by: .seconds(61))
        let stale = try await network.send(.make(2))
        #expect(stale.text == #"{"data":1}"# && stale.metadata["cache"] == "stale")
        await until { server.sent.count == 2 }
        var newest = ""
        while newest != #"{"data":2}"# { newest = try await network.send(.make(3)).text }
        #expect(server.sent.count == 2)
    }

    @Test(arguments: [true, false]) func anOldAnswerReplacesAnError(_ isResponse: Bool) async throws {
        let server = StubNetwork { _, number in
            if number == 1 { return .text(#"{"data":1}"#, ["cache-control": "max-age=60, stale-if-error=60"]) }
            if isResponse { return .text(#"{"errors":[]}"#, ["status": "503"]) }
            throw RelayError.transport(Broken())
        }
        let network = server.intercepted(by: cache())
        _ = try await network.send(.make())
        clock.advance(by: .seconds(61))
        #expect(try await network.send(.make(2)).metadata["cache"] == "stale")
        clock.advance(by: .seconds(60))
        let late = await Task { try await network.send(.make(3)) }.result
        switch late {
        case .success(let response): #expect(response.metadata["status"] == "503")
        case .failure(let error): #expect(error as? RelayError == .transport(Broken()))
        }
    }

    /// If a person or a mutation needs new data, the cache does not replace an error of the server.
    @Test(arguments: [
        NetworkRequest.make(2, fetchKey: "1"), .make(2, headers: ["Cache-Control": "no-cache"]),
        .make(2, headers: ["Cache-Control": "max-age=30"]),
    ])
    func anOldAnswerDoesNotReplaceAnErrorWhereANewOneIsWanted(_ request: NetworkRequest) async throws {
        let server = Self.serverThatFailsLater()
        let network = server.intercepted(by: cache())
        _ = try await network.send(.make())
        clock.advance(by: .seconds(61))
        await #expect(throws: RelayError.noResponse) { try await network.send(request) }
        #expect(try await network.send(.make(3)).metadata["cache"] == "stale")
    }

    @Test func anOldAnswerDoesNotReplaceAnErrorAfterAMutation() async throws {
        let network = Self.serverThatFailsLater().intercepted(by: cache(afterMutation: .confirmAll))
        _ = try await network.send(.make())
        await #expect(throws: RelayError.noResponse) { try await network.send(.make(2, kind: .mutation)) }
        await #expect(throws: RelayError.noResponse) { try await network.send(.make(3)) }
    }

    private static func serverThatFailsLater() -> StubNetwork {
        StubNetwork { _, number in
            guard number == 1 else { throw RelayError.noResponse }
            return .text(#"{"data":1}"#, ["cache-control": "max-age=60, stale-if-error=600"])
        }
    }

    /// A server may apply the condition to the POST itself.
    @Test(arguments: [true, false]) func aServerMayRefuseTheCondition(_ isResponse: Bool) async throws {
        let server = StubNetwork { request, number in
            if request.configuration.headers["If-None-Match"] != nil {
                if isResponse { return .text(#"{"errors":[{"message":"no"}]}"#, ["status": "412"]) }
                throw RelayError.httpStatus(412, body: "")
            }
            return .text("{\"data\":\(number)}", ["cache-control": "max-age=60", "etag": "\"a\"", "status": "200"])
        }
        let network = server.intercepted(by: cache())
        _ = try await network.send(.make())
        clock.advance(by: .seconds(61))
        if isResponse { #expect(try await network.send(.make(2)).metadata["status"] == "412") }
        #expect(try await network.send(.make(3)).text == #"{"data":3}"#)
        #expect(server.sent.count == 3)
    }

    @Test func whatTheCallerSaysInTheContextKeepsAnswersApart() async throws {
        let gate = StepGate()
        let server = StubNetwork { request, number in
            await gate.pass()
            return .text("{\"data\":\(number)}", ["cache-control": "max-age=60"])
        }
        let network = server.intercepted(by: cache())
        func request(_ id: Int, _ tenant: String, priority: Int = 0) -> NetworkRequest {
            var request = NetworkRequest.make(id)
            request.configuration.context[Tenant.self] = tenant
            request.configuration.context[RequestPriority.self] = priority
            return request
        }
        // The requests are equal while they are on their way, and later.
        let first = ["north", "south"].enumerated().map { id, tenant in
            Task { try await network.send(request(id, tenant)).text }
        }
        await until { gate.arrivals == 2 }
        gate.open()
        let texts = [try await first[0].value, try await first[1].value]
        #expect(Set(texts).count == 2)
        for (tenant, text) in zip(["north", "south"], texts) {
            #expect(try await network.send(request(3, tenant, priority: 1)).text == text)
        }
        #expect(server.sent.count == 2)
    }

    private enum Tenant: RequestContextKey { static let defaultValue = "" }

    /// An error that is due to the credentials of one user does not reach another user.
    @Test func anErrorBehindCredentialsIsForOne() async throws {
        let gate = StepGate()
        let server = StubNetwork { _, number in
            await gate.pass()
            if number == 1 { throw RelayError.httpStatus(403, body: "") }
            return .film
        }
        let authentication = AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in nil })
        let network = server.intercepted(by: cache(), authentication)
        let first = Task { try await network.send(.make(1)) }
        await until { gate.arrivals == 1 }
        let second = Task { try await network.send(.make(2)) }
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        await #expect(throws: RelayError.httpStatus(403, body: "")) { try await first.value }
        #expect(try await second.value.text == NetworkResponse.film.text)
    }

    @Test func aNewFetchKeyAsksTheServer() async throws {
        let server = Self.server()
        let network = server.intercepted(by: cache())
        _ = try await network.send(.make())
        #expect(try await network.send(.make(2, fetchKey: "1")).text == #"{"data":2}"#)
        #expect(try await network.send(.make(3, fetchKey: "1")).text == #"{"data":2}"#)
        #expect(try await network.send(.make(4)).text == #"{"data":2}"#)
        #expect(try await network.send(.make(5, fetchKey: "2")).text == #"{"data":3}"#)
        #expect(try await network.send(.make(6, fetchKey: "1")).text == #"{"data":3}"#)
    }

    @Test func usersDoNotShareUnlessTheAnswerIsPublic() async throws {
        for (control, count) in [("max-age=60", 2), ("public, max-age=60", 1)] {
            let server = Self.server(["cache-control": control])
            let network = server.intercepted(by: cache())
            for user in ["a", "b", "a", "b"] {
                _ = try await network.send(.make(headers: ["Authorization": user]))
            }
            #expect(server.sent.count == count)
        }
    }

    @Test func credentialsThatTheCacheCannotSeeNeedAPartition() async throws {
        let authentication = AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in nil })
        let hidden = Self.server()
        let plain = hidden.intercepted(by: cache(), authentication)
        for id in 0..<2 { _ = try await plain.send(.make(id)) }
        #expect(hidden.sent.count == 2)

        let divided = Self.server()
        let network = divided.intercepted(by: cache(partition: { _ in "\(authentication.session)" }), authentication)
        for id in 0..<2 { _ = try await network.send(.make(id)) }
        #expect(divided.sent.count == 1)
        authentication.reset()
        _ = try await network.send(.make(3))
        #expect(divided.sent.count == 2)
    }

    @Test func aSharedCacheKeepsNothingPrivate() async throws {
        for (control, headers, count) in [
            ("private, max-age=60", [:], 2), ("max-age=60", [:], 1), ("max-age=60", ["Authorization": "a"], 2),
            ("s-maxage=60", ["Authorization": "a"], 1),
        ] as [(String, [String: String], Int)] {
            let server = Self.server(["cache-control": control])
            let network = server.intercepted(by: cache(isShared: true))
            for id in 0..<2 { _ = try await network.send(.make(id, headers: headers)) }
            #expect(server.sent.count == count, "\(control)")
        }
    }

    @Test func mutationsRemoveAnswers() async throws {
        func asked(_ effect: CachingInterceptor.AfterMutation) async throws -> Int {
            let server = Self.server(["cache-control": "max-age=60", "etag": "\"a\""])
            let network = server.intercepted(by: cache(afterMutation: effect))
            _ = try await network.send(.make())
            _ = try await network.send(.make(2, name: "Change", kind: .mutation))
            _ = try await network.send(.make(3))
            return server.sent.count { $0.kind == .query }
        }
        #expect(try await asked(.keep) == 1)
        #expect(try await asked(.removeAll) == 2)
        #expect(try await asked(.confirmAll) == 2)
        #expect(try await asked(.remove { _ in ["Film"] }) == 2)
        #expect(try await asked(.remove { _ in ["Other"] }) == 1)
    }

    @Test func anAnswerOlderThanAMutationIsNotKept() async throws {
        let gate = StepGate()
        let server = StubNetwork { request, number in
            if number == 1 { await gate.pass() }
            return .text("{\"data\":\(number)}", ["cache-control": "max-age=60"])
        }
        let network = server.intercepted(by: cache())
        let old = Task { try await network.send(.make(1)) }
        await until { gate.arrivals == 1 }
        _ = try await network.send(.make(2, kind: .mutation))
        gate.open()
        #expect(try await old.value.text == #"{"data":1}"#)
        #expect(try await network.send(.make(3)).text == #"{"data":3}"#)
    }

    @Test(arguments: ["max-age=60", "public"]) func equalRequestsBecomeOne(_ control: String) async throws {
        let gate = StepGate()
        let server = StubNetwork { _, _ in
            await gate.pass()
            return .text(#"{"data":1}"#, ["cache-control": control])
        }
        let began = Notes<Int>()
        let network = server.intercepted(by: LoggingInterceptor { began.add($0.requestID) }, cache())
        let tasks = (0..<10).map { id in Task { try await network.send(.make(id)) } }
        await until { began.all.count == 10 && gate.arrivals == 1 }
        // The other requests may still be on their way from the log to the cache.
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        for task in tasks { #expect(try await task.value.text == #"{"data":1}"#) }
        if control == "max-age=60" { #expect(server.sent.count == 1) }
    }

    @Test func aCancelledLeaderIsReplaced() async throws {
        let gate = StepGate()
        let server = StubNetwork { request, number in
            if number == 1 {
                await gate.pass()
                try Task.checkCancellation()
            }
            return .text("{\"data\":\(number)}", ["cache-control": "max-age=60"])
        }
        let network = server.intercepted(by: cache())
        let leader = Task { try await network.send(.make(1)) }
        await until { gate.arrivals == 1 }
        let follower = Task { try await network.send(.make(2)) }
        leader.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await leader.value }
        #expect(try await follower.value.text == #"{"data":2}"#)
    }

    @Test func anErrorIsForAllThatWait() async throws {
        let server = StubNetwork { _, _ in throw RelayError.noResponse }
        let network = server.intercepted(by: cache())
        for id in 0..<3 {
            await #expect(throws: RelayError.noResponse) { try await network.send(.make(id)) }
        }
    }

    @Test func anAnswerInPartsIsPassedOn() async throws {
        let network = StreamingNetwork { _, deliver in
            for number in 0..<3 {
                try await deliver(
                    .text("{\"data\":\(number)}", hasNext: number < 2, ["cache-control": "max-age=60"]))
            }
        }.intercepted(by: cache())
        for id in 0..<2 {
            #expect(try await network.all(.make(id)).map(\.text) == (0..<3).map { "{\"data\":\($0)}" })
        }
    }

    @Test(arguments: [
        ["Cache-Control": "no-store"], ["cache-control": "no-cache"], ["Cache-Control": "max-age=0"],
        ["If-None-Match": "\"x\""],
    ])
    func aRequestMaySayMore(_ headers: [String: String]) async throws {
        let server = Self.server()
        let network = server.intercepted(by: cache())
        _ = try await network.send(.make())
        clock.advance(by: .seconds(1))
        _ = try await network.send(.make(2, headers: headers))
        #expect(server.sent.count == 2)
    }
}
