import RandomCases
import Testing

@testable import Baton

/// The one count of who holds an operation, and the release buffer in which it ends.
@Suite struct HolderCountTests {
    private func store(bufferSize: Int) -> Store { Store(options: StoreOptions(releaseBufferSize: bufferSize)) }

    @Test func whoReadsIsNoHolder() {
        let store = store(bufferSize: 1)
        let (kept, other) = (store.bind(Films.FilmQuery(id: "1")), store.bind(Films.FilmQuery(id: "2")))
        store.operations.retain(kept)
        store.operations.release(kept)
        store.operations.whileReading(kept) {
            #expect(store.operations.holderCount(of: kept) == 0)
            #expect(store.operations.isRetained(kept))
        }
        store.operations.whileReading(other) {
            #expect(store.operations.roots.count == 2, "what is read is not collected")
        }
        #expect(store.operations.isRetained(kept), "the buffer is as it was")
        #expect(!store.operations.isRetained(other))
        #expect(store.operations.roots.count == 1)
    }

    @Test func aHolderThatLetsGoWhileSomebodyReadsFillsTheBuffer() {
        let store = store(bufferSize: 1)
        let operation = store.bind(Films.FilmQuery(id: "1"))
        store.operations.retain(operation)
        store.operations.whileReading(operation) { store.operations.release(operation) }
        #expect(store.operations.holderCount(of: operation) == 0)
        #expect(store.operations.isRetained(operation))
    }

    @Test func whatIsBoundAgainIsTakenOutOfTheBuffer() {
        let store = store(bufferSize: 1)
        do {
            let operation = store.bind(Films.FilmQuery(id: "1"))
            store.operations.retain(operation)
            store.operations.release(operation)
        }
        let again = store.bind(Films.FilmQuery(id: "1"))
        #expect(store.operations.isRetained(again))
        store.operations.retain(again)
        let other = store.bind(Films.FilmQuery(id: "2"))
        store.operations.retain(other)
        store.operations.release(other)
        #expect(store.operations.holderCount(of: again) == 1)
        #expect(store.operations.releaseOldest(), "the other one")
        #expect(!store.operations.releaseOldest(), "what is held again is in the buffer no longer")
        #expect(store.operations.isRetained(again))
    }

    /// A new operation, one that is in use, and one that is only in the buffer.
    @Test func anOperationIsRetainedAsItIsBound() {
        let store = store(bufferSize: 1)
        do {
            let operation = store.bind(Films.FilmQuery(id: "1"), retaining: true)
            #expect(store.operations.holderCount(of: operation) == 1)
            _ = store.bind(Films.FilmQuery(id: "1"), retaining: true)
            #expect(store.operations.holderCount(of: operation) == 2)
            for _ in 0..<2 { store.operations.release(operation) }
        }
        let again = store.bind(Films.FilmQuery(id: "1"), retaining: true)
        #expect(store.operations.holderCount(of: again) == 1)
        #expect(!store.operations.releaseOldest(), "what is held again is in the buffer no longer")
        #expect(store.bind(Films.FilmQuery(id: "1")) === again && store.operations.holderCount(of: again) == 1)
    }

    @Test func theBufferDoesNotKeepTheStore() {
        weak var left: Store?
        do {
            let store = store(bufferSize: 4)
            let (held, buffered) = (store.bind(Films.FilmQuery(id: "1")), store.bind(Films.FilmQuery(id: "2")))
            for operation in [held, buffered] { store.operations.retain(operation) }
            store.operations.release(buffered)
            left = store
        }
        #expect(left == nil)
    }

    @Test func theErrorsOfTheLastAnswerStayAsLongAsTheBufferKeepsTheOperation() async throws {
        let stage = Stage(releaseBufferSize: 1)
        let operations = stage.environment.operations
        let query = Films.FilmQuery(id: "1")
        _ = try await stage.seed(query, #"{"data":{"film":null},"errors":[{"message":"no"}]}"#)
        #expect(operations.isRetained(stage.environment.store.bind(query)))
        #expect(stage.environment.read(query).errors.map(\.message) == ["no"])
        #expect(operations.releaseOldest())
        #expect(stage.environment.read(query).errors.isEmpty)
    }

    /// Holders that come and go on several threads, while the buffer is emptied.
    @Test func theCountIsRightWhateverHappensAtOnce() async {
        let environment = RelayEnvironment(network: ScriptedNetwork(), options: StoreOptions(releaseBufferSize: 2))
        let store = environment.store
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(worker))
                    var held: [BoundOperation] = []
                    for _ in 0..<2000 {
                        switch Int.random(in: 0..<8, using: &generator) {
                        case 0...2:
                            let id = "\(Int.random(in: 0..<5, using: &generator))"
                            held.append(store.bind(Films.FilmQuery(id: id)))
                            store.operations.retain(held[held.count - 1])
                        case 3: store.operations.releaseExpired()
                        case 4: _ = store.operations.releaseOldest()
                        default: if let last = held.popLast() { store.operations.release(last) }
                        }
                    }
                    for operation in held { store.operations.release(operation) }
                }
            }
        }
        #expect(store.checkInvariants() == [])
        while store.operations.releaseOldest() {}
        #expect(store.operations.roots.isEmpty)
    }
}
