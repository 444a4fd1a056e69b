import Baton
import BatonHTTP
import Testing

/// A cache goes on without the storage that it shares.
@Suite struct StorageLossTests {
    let shared = SharedCachingTests()
    var clock: StepClock { shared.clock }
    var storage: DigestStorage { shared.storage }

    @Test func eachProcessGoesOnWithItsOwnMemory() async throws {
        let server = CachingTests.server(SharedCachingTests.common)
        let cache = shared.cache()
        let network = server.intercepted(by: cache)
        _ = try await network.send(.make())
        storage.set(.failing)
        let calls = storage.calls
        for id in 0..<10 { #expect(try await network.send(.make(id)).text == #"{"data":1}"#) }
        _ = try await network.send(.make(11, name: "Other"))
        #expect(try await network.send(.make(12, name: "Other")).text == #"{"data":2}"#)
        // After the first failure nothing is asked.
        #expect(storage.calls == calls + 1 && cache.statistics.storageFailures == 1)
        clock.advance(by: .seconds(1))
        _ = try await network.send(.make(13))
        _ = try await network.send(.make(14))
        #expect(storage.calls == calls + 2 && server.sent.count == 2)
    }

    @Test func equalRequestsBecomeOneWithoutTheStorage() async throws {
        storage.set(.failing)
        let gate = StepGate()
        let server = StubNetwork { _, _ in
            await gate.pass()
            return .text(#"{"data":1}"#, SharedCachingTests.common)
        }
        let network = server.intercepted(by: shared.cache())
        let tasks = (0..<10).map { id in Task { try await network.send(.make(id)) } }
        await until { gate.arrivals == 1 }
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        for task in tasks { #expect(try await task.value.text == #"{"data":1}"#) }
        #expect(server.sent.count == 1)
    }

    @Test func aSilentStorageIsWaitedForOnce() async throws {
        let server = CachingTests.server(SharedCachingTests.common)
        let network = server.intercepted(by: shared.cache())
        _ = try await network.send(.make())
        storage.set(.silent)
        let slow = Task { try await network.send(.make(2)) }
        await clock.advance(by: .milliseconds(100), afterSleepers: 1)
        #expect(try await slow.value.text == #"{"data":1}"#)
        let calls = storage.calls
        #expect(try await network.send(.make(3)).text == #"{"data":1}"#)
        #expect(storage.calls == calls)
    }

    @Test func oneRequestTriesWhetherTheStorageIsBack() async throws {
        let network = CachingTests.server(SharedCachingTests.common).intercepted(by: shared.cache())
        _ = try await network.send(.make())
        storage.set(.failing)
        _ = try await network.send(.make(2))
        storage.set(.silent)
        clock.advance(by: .seconds(1))
        let calls = storage.calls
        let trying = Task { try await network.send(.make(3)) }
        await until { storage.calls == calls + 1 }
        for id in 4..<8 { _ = try await network.send(.make(id)) }
        #expect(storage.calls == calls + 1)
        await clock.advance(by: .milliseconds(100), afterSleepers: 1)
        _ = try await trying.value
    }

    @Test func othersLearnOfAMutationWhenTheStorageIsBack() async throws {
        let server = CachingTests.server(SharedCachingTests.common)
        let networks = (0..<2).map { _ in server.intercepted(by: shared.cache()) }
        for network in networks { _ = try await network.send(.make()) }
        storage.set(.failing)
        _ = try await networks[0].send(.make(2, kind: .mutation))
        storage.set(.working)
        // The other process knows nothing of the mutation yet.
        #expect(try await networks[1].send(.make(3)).text == #"{"data":1}"#)
        clock.advance(by: .seconds(1))
        #expect(try await networks[0].send(.make(4)).text == #"{"data":3}"#)
        #expect(try await networks[1].send(.make(5)).text == #"{"data":3}"#)
    }

    /// A storage that starts again knows nothing, and what the processes kept meanwhile is asked for once.
    @Test func anEmptyStorageBringsNothingOldBack() async throws {
        let server = CachingTests.server(SharedCachingTests.common)
        let networks = (0..<2).map { _ in server.intercepted(by: shared.cache()) }
        for network in networks { _ = try await network.send(.make()) }
        storage.forget()
        for _ in 0..<3 {
            for network in networks { #expect(try await network.send(.make(2)).text == #"{"data":2}"#) }
        }
        #expect(server.sent.count == 2)
    }

    @Test func aCancelledRequestIsNoFailure() async throws {
        storage.set(.silent)
        let cache = shared.cache()
        let network = CachingTests.server(SharedCachingTests.common).intercepted(by: cache)
        let task = Task { try await network.send(.make()) }
        await until { storage.calls == 1 }
        task.cancel()
        _ = await task.result
        #expect(cache.statistics.storageFailures == 0)
    }
}
