import Baton
import BatonHTTP
import Testing

/// Several caches over one storage stand for several processes.
@Suite struct SharedCachingTests {
    static let common = ["cache-control": "public, max-age=60"]

    let clock = StepClock()
    let storage = DigestStorage()

    func cache(
        _ storage: (any ResponseStorage)? = nil, afterMutation: CachingInterceptor.AfterMutation = .removeAll,
        partition: (@Sendable (NetworkRequest) -> String)? = nil,
        tags: (@Sendable (NetworkRequest) -> Set<ResponseTag>)? = nil,
        limits: CachingInterceptor.StorageLimits = .init()
    ) -> CachingInterceptor {
        CachingInterceptor(
            isShared: true, afterMutation: afterMutation, partition: partition, storage: storage ?? self.storage,
            storageLimits: limits, tags: tags, clock: clock, date: { [clock] in clock.now.offset.milliseconds / 1000 })
    }

    @Test(arguments: [true, false])
    func whatOneProcessReceivedServesTheOthers(_ isMemory: Bool) async throws {
        let storage: any ResponseStorage = isMemory ? ResponseMemory(clock: clock) : storage
        let server = CachingTests.server(Self.common)
        let first = server.intercepted(by: cache(storage))
        let second = server.intercepted(by: cache(storage))
        _ = try await first.send(.make())
        clock.advance(by: .seconds(20))
        let response = try await second.send(.make(2))
        #expect(response.text == #"{"data":1}"# && response.metadata["cache"] == "fresh")
        #expect(response.metadata["age"] == "20" && response.metadata["status"] == "200")
        clock.advance(by: .seconds(40))
        #expect(try await second.send(.make(3)).text == #"{"data":2}"#)
        #expect(try await first.send(.make(4)).text == #"{"data":2}"#)
        #expect(server.sent.count == 2)
    }

    @Test func aMutationReachesEveryProcessWithItsNextRequest() async throws {
        for (effect, count) in [
            (.keep, 1), (.removeAll, 2), (.confirmAll, 2), (.remove { _ in ["Film"] }, 2),
            (.remove { _ in ["Other"] }, 1), (.remove { _ in ["film:1"] }, 2),
        ] as [(CachingInterceptor.AfterMutation, Int)] {
            storage.forget()
            let server = CachingTests.server(Self.common)
            let caches = (0..<2).map { _ in cache(afterMutation: effect, tags: { _ in ["film:1"] }) }
            let networks = caches.map { server.intercepted(by: $0) }
            for network in networks { _ = try await network.send(.make()) }
            _ = try await networks[0].send(.make(2, name: "Change", kind: .mutation))
            for network in networks { _ = try await network.send(.make(3)) }
            #expect(server.sent.count { $0.kind == .query } == count)
        }
    }

    @Test func whoHasTheAnswerToAMutationFindsNothingOlder() async throws {
        let server = CachingTests.server(Self.common)
        let other = server.intercepted(by: cache())
        _ = try await other.send(.make())
        let texts = Notes<String>()
        // The reader asks another process while the response to the mutation is being delivered. The cache is called as
        // a network calls it: a stream between the two would let the cache go on meanwhile.
        try await cache().intercept(
            .make(2, kind: .mutation), next: { request, deliver in try await deliver(server.send(request)) },
            deliver: { _ in texts.add(try await other.send(.make(3)).text) })
        #expect(texts.all == [#"{"data":3}"#])
    }

    @Test func anInvalidationByTagReachesEveryProcess() async throws {
        let server = CachingTests.server(Self.common)
        let caches = (0..<2).map { _ in cache(tags: { ["film:\($0.variables[0].value.text)"] }) }
        let networks = caches.map { server.intercepted(by: $0) }
        let requests = (1...2).map { NetworkRequest.make(variables: [.init("id", .int($0))]) }
        for network in networks { for request in requests { _ = try await network.send(request) } }
        await caches[0].invalidate(["film:1"])
        for network in networks { for request in requests { _ = try await network.send(request) } }
        #expect(server.sent.map { $0.variables[0].value } == [1, 2, 1])
        caches[1].removeAll()
        for network in networks.reversed() { _ = try await network.send(requests[0]) }
        #expect(server.sent.count == 4)
        #expect(!storage.text.contains("film"))
    }

    @Test func anAnswerOnItsWayDuringAMutationElsewhereIsNotKept() async throws {
        let gate = StepGate()
        let server = StubNetwork { request, number in
            if number == 1 { await gate.pass() }
            return .text("{\"data\":\(number)}", Self.common)
        }
        let networks = (0..<2).map { _ in server.intercepted(by: cache()) }
        let old = Task { try await networks[0].send(.make(1)) }
        await until { gate.arrivals == 1 }
        _ = try await networks[1].send(.make(2, kind: .mutation))
        gate.open()
        #expect(try await old.value.text == #"{"data":1}"#)
        for network in networks { #expect(try await network.send(.make(3)).text == #"{"data":3}"#) }
    }

    @Test(arguments: [true, false]) func oneProcessAsksForAll(_ isMemory: Bool) async throws {
        let storage: any ResponseStorage = isMemory ? ResponseMemory(clock: clock) : storage
        // The test moves the clock while the storage is asked.
        let patient = CachingInterceptor.StorageLimits(deadline: .seconds(60))
        let gate = StepGate()
        let server = StubNetwork { _, number in
            await gate.pass()
            return .text("{\"data\":\(number)}", Self.common)
        }
        let first = server.intercepted(by: cache(storage, limits: patient))
        let leader = Task { try await first.send(.make()) }
        await until { gate.arrivals == 1 }
        let texts = Notes<String>()
        let followers = (0..<3).map { _ in
            let network = server.intercepted(by: cache(storage, limits: patient))
            return Task { texts.add(try await network.send(.make(2)).text) }
        }
        // Each of the others sleeps until it looks again.
        await until { clock.sleepers == 3 && clock.nextPause == .milliseconds(10) }
        gate.open()
        _ = try await leader.value
        await until {
            if clock.sleepers > 0 { clock.advance(by: .milliseconds(10)) }
            return texts.all.count == 3
        }
        for follower in followers { try await follower.value }
        #expect(texts.all == Array(repeating: #"{"data":1}"#, count: 3))
        #expect(server.sent.count == 1)
    }

    @Test func afterAFailureTheNextProcessAsks() async throws {
        let server = StubNetwork { _, number in
            if number == 1 { throw RelayError.noResponse }
            return .text("{\"data\":\(number)}", Self.common)
        }
        await #expect(throws: RelayError.noResponse) { try await server.intercepted(by: cache()).send(.make()) }
        #expect(storage.leases == 0)
        #expect(try await server.intercepted(by: cache()).send(.make()).text == #"{"data":2}"#)
    }

    @Test func whatServesOneProcessIsNotWaitedFor() async throws {
        let server = CachingTests.server(["cache-control": "max-age=60"])
        for id in 0..<3 { _ = try await server.intercepted(by: cache()).send(.make(id)) }
        #expect(server.sent.count == 3 && storage.count == 0 && storage.leases == 0)
    }

    @Test func aLeaseEnds() async throws {
        let memory = ResponseMemory(clock: clock)
        let gate = StepGate()
        let server = StubNetwork { _, number in
            if number == 1 { await gate.pass() }
            return .text("{\"data\":\(number)}", Self.common)
        }
        let first = server.intercepted(by: cache(memory))
        let slow = Task { try await first.send(.make()) }
        await until { gate.arrivals == 1 }
        let second = server.intercepted(by: cache(memory))
        let other = Task { try await second.send(.make(2)) }
        await clock.advance(by: .seconds(5), afterSleepers: 1)
        #expect(try await other.value.text == #"{"data":2}"#)
        gate.open()
        _ = try await slow.value
    }

    @Test func fetchKeysAndVaryGoAlong() async throws {
        let server = CachingTests.server(Self.common.merging(["vary": "Accept-Language"]) { $1 })
        let networks = (0..<2).map { _ in server.intercepted(by: cache()) }
        func ask(_ process: Int, _ language: String, _ fetchKey: String? = nil) async throws -> String {
            try await networks[process].send(.make(headers: ["Accept-Language": language], fetchKey: fetchKey)).text
        }
        #expect(try await ask(0, "de") == #"{"data":1}"#)
        #expect(try await ask(0, "en") == #"{"data":2}"#)
        #expect(try await ask(1, "de") == #"{"data":1}"#)
        #expect(try await ask(1, "en") == #"{"data":2}"#)
        #expect(try await ask(0, "de", "secret key") == #"{"data":3}"#)
        #expect(try await ask(1, "de", "secret key") == #"{"data":3}"#)
        #expect(try await ask(1, "de") == #"{"data":3}"#)
        #expect(!storage.text.contains("secret key"))
    }

    @Test func theServerConfirmsWhatAnotherProcessReceived() async throws {
        let server = CachingTests.server(Self.common.merging(["etag": "\"a\""]) { $1 })
        let networks = (0..<2).map { _ in server.intercepted(by: cache()) }
        _ = try await networks[0].send(.make())
        clock.advance(by: .seconds(61))
        let confirmed = try await networks[1].send(.make(2))
        #expect(confirmed.text == #"{"data":1}"# && confirmed.metadata["cache"] == "confirmed")
        #expect(try await networks[0].send(.make(3)).metadata["cache"] == "fresh")
        #expect(server.sent.count == 2)
    }

    @Test func oneProcessFetchesAgainWhatAllUseMeanwhile() async throws {
        let gate = StepGate()
        let server = StubNetwork { _, number in
            if number == 2 { await gate.pass() }
            return .text("{\"data\":\(number)}", ["cache-control": "public, max-age=60, stale-while-revalidate=60"])
        }
        let networks = (0..<2).map { _ in server.intercepted(by: cache()) }
        _ = try await networks[0].send(.make())
        clock.advance(by: .seconds(61))
        for network in networks { #expect(try await network.send(.make(2)).metadata["cache"] == "stale") }
        await until { gate.arrivals == 1 }
        gate.open()
        for network in networks {
            var newest = ""
            while newest != #"{"data":2}"# { newest = try await network.send(.make(3)).text }
        }
        #expect(server.sent.count == 2)
    }
}
