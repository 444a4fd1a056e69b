import Baton
import BatonHTTP
import RandomCases
import Testing

/// What leaves the process.
@Suite struct StoredResponseTests {
    let shared = SharedCachingTests()

    @Test func whatIsForOneUserStaysInTheProcess() async throws {
        let authentication = AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in nil })
        for (control, headers, more, count) in [
            ("public, max-age=60", [:], [:], 1), ("public, max-age=60", ["X-Device": "d"], [:], 1),
            ("s-maxage=60", [:], [:], 1), ("s-maxage=60", ["X-Device": "d"], [:], 0),
            ("max-age=60", [:], [:], 0), ("private, max-age=60", [:], [:], 0),
            ("public, private, max-age=60", [:], [:], 0), ("no-store, public", [:], [:], 0),
            ("public, max-age=60", ["Authorization": "planted"], [:], 0),
            ("public, max-age=60", ["cookie": "planted"], [:], 0),
            ("public, max-age=60", [:], ["set-cookie": "session=planted"], 0),
        ] as [(String, [String: String], [String: String], Int)] {
            shared.storage.forget()
            let server = CachingTests.server(["cache-control": control].merging(more) { $1 })
            _ = try await server.intercepted(by: shared.cache()).send(.make(headers: headers))
            #expect(shared.storage.count == count, "\(control) \(headers) \(more)")
        }
        shared.storage.forget()
        let server = CachingTests.server(SharedCachingTests.common)
        _ = try await server.intercepted(by: shared.cache(), authentication).send(.make())
        _ = try await server.intercepted(by: shared.cache(partition: { _ in "anna" })).send(.make())
        var request = NetworkRequest.make()
        request.configuration.context[Tenant.self] = "north"
        _ = try await server.intercepted(by: shared.cache()).send(request)
        #expect(shared.storage.count == 0)
    }

    /// A response that came with credentials does not leave the process when it is confirmed without them.
    @Test func aConfirmationMakesNothingCommon() async throws {
        let server = CachingTests.server(SharedCachingTests.common.merging(["etag": "\"a\""]) { $1 })
        let network = server.intercepted(by: shared.cache())
        _ = try await network.send(.make(headers: ["Authorization": "a"]))
        shared.clock.advance(by: .seconds(61))
        #expect(try await network.send(.make(2)).metadata["cache"] == "confirmed")
        #expect(shared.storage.count == 0)
    }

    @Test func nothingOfARequestLeavesTheProcess() async throws {
        let server = CachingTests.server(
            SharedCachingTests.common.merging(["vary": "X-Device", "x-visitor": "planted"]) { $1 })
        let network = server.intercepted(by: shared.cache(tags: { _ in ["planted"] }))
        _ = try await network.send(
            .make(
                text: "query Film { planted }", variables: [.init("planted", "planted")],
                headers: ["X-Device": "planted", "X-Other": "planted"]))
        #expect(shared.storage.count == 2)
        #expect(!shared.storage.text.contains("planted"))
        #expect(shared.storage.text.contains("data"))
    }

    @Test(arguments: RandomCases.seeds(40)) func damagedBytesAreNoResponse(_ seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let server = CachingTests.server(
            SharedCachingTests.common.merging(["vary": "X-Device", "etag": "\"a\""]) { $1 })
        let storage = KeepingStorage()
        _ = try await server.intercepted(by: shared.cache(storage))
            .send(.make(headers: ["X-Device": "d"], fetchKey: "1"))
        let bytes = try #require(storage.written.all.first)
        #expect(StoredResponse(bytes: bytes)?.bytes == bytes)
        for _ in 0..<100 {
            var damaged = bytes
            switch Int.random(in: 0..<3, using: &random) {
            case 0: damaged.removeLast(.random(in: 1...damaged.count, using: &random))
            case 1:
                damaged.insert(.random(in: 0...255, using: &random), at: .random(in: 0...damaged.count, using: &random))
            default: damaged[.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let response = StoredResponse(bytes: damaged) else { continue }
            // What can be read has the right size, and can be written.
            #expect(StoredResponse(bytes: response.bytes) != nil)
            #expect(response.keepTime >= .zero)
        }
    }

    private enum Tenant: RequestContextKey { static let defaultValue = "" }

    /// Keeps the bytes of each response that is written.
    private struct KeepingStorage: ResponseStorage {
        let written = Notes<[UInt8]>()
        let memory = ResponseMemory()

        func read(_ key: ResponseKey) -> ResponseReading { memory.read(key) }
        func write(_ response: StoredResponse, _ key: ResponseKey) { written.add(response.bytes) }
        func remove(_ key: ResponseKey) {}
        func invalidate(_ tags: Set<ResponseTag>, removing: Bool) {}
        func lease(_ key: ResponseKey, for duration: Duration) -> ResponseLease { .unneeded }
        func release(_ key: ResponseKey, token: UInt64, isUnneeded: Bool, for duration: Duration) {}
    }
}
