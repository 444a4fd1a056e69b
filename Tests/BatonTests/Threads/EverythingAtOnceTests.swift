import Foundation
import RandomCases
import StoreModel
import Testing

@testable import Baton

/// All operations of an app, run concurrently from many threads over one environment; the thread sanitizer finds most
/// here.
///
/// `Everything` tells what must never be seen: half of a response, a number from before a log-out, a clock that goes
/// back.
@Suite(.serialized, .timeLimit(.minutes(20))) struct EverythingAtOnceTests {
    #if BATON_TSAN
        private static let seconds = 4.0
        private static let sizes = [4, 70, 24]
    #else
        private static let seconds = 1.0
        /// Some answers are merged in place, others in a copy.
        private static let sizes = [4, 300, 60]
    #endif

    @Test(arguments: [UInt64(1), 2]) func usesOfManyThreadsLeaveEverythingInOrder(_ seed: UInt64) async throws {
        let world = EverythingInUse(seed: seed, sizes: Self.sizes)
        let (environment, witness) = (world.environment, world.witness)
        let onlookers = (0..<2).map { _ in Onlooker(witness) }
        for onlooker in onlookers { _ = world.observe(on: onlooker) }
        var actors = world.actions(onlookers)
        // Each actor has its own random numbers. A seed determines what the actors do, but not when.
        actors.append(contentsOf: actors.prefix(3))
        await withTaskGroup(of: Void.self) { group in
            for (index, act) in actors.enumerated() {
                group.addTask {
                    var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(index))
                    while !witness.isOver {
                        await act(&generator)
                        witness.step()
                        await Task.yield()
                    }
                }
            }
            let keys = FetchKeys(count: world.shelves.count)
            for index in 0..<2 {
                group.addTask { await Self.onThread { Self.readUntilOver(world, keys, seed &* 77 &+ UInt64(index)) } }
            }
            group.addTask {
                await Self.onThread {
                    let begin = Date()
                    // The test runs until everything has happened, even on a busy machine.
                    while Date().timeIntervalSince(begin) < Self.seconds
                        || Date().timeIntervalSince(begin) < 45 * Self.seconds && !Self.hasMuchHappened(witness)
                    {
                        Thread.sleep(forTimeInterval: 0.01)
                    }
                    witness.end()
                }
            }
        }
        witness.calm()
        await Self.settle(environment)
        #expect(witness.complaints == [])
        #expect(environment.store.layerCount == 0)
        #expect(environment.store.checkInvariants() == [])
        try await Self.expectTheLastToBeShown(world, onlookers)
        for what in Self.all { #expect(witness.count(of: what) > 0, "\(what)") }
    }

    /// After the release of all holders, the store is empty.
    @Test func whatIsLeftIsNothing() async throws {
        let environment: RelayEnvironment
        do {
            let world = EverythingInUse(seed: 9, sizes: Self.sizes)
            environment = world.environment
            let actions = world.actions([Onlooker(world.witness)])
            await withTaskGroup(of: Void.self) { group in
                for (index, act) in actions.enumerated() {
                    group.addTask {
                        var generator = SeededGenerator(seed: UInt64(index) &+ 5)
                        for _ in 0..<25 { await act(&generator) }
                    }
                }
            }
            await Self.settle(environment)
            #expect(world.witness.complaints == [])
        }
        await Self.settle(environment)
        while environment.operations.releaseOldest() {}
        environment.collectGarbage()
        await Self.settle(environment)
        #expect(environment.store.subscriptionCount == 0)
        #expect(environment.store.layerCount == 0)
        #expect(environment.records.ids == [.root])
        #expect(environment.records[.root]?.fields == [:])
        #expect(environment.store.checkInvariants() == [])
    }

    // MARK: - Reading

    /// The fetch keys of the shelves, shared by all their readers.
    ///
    /// A new key starts a new request and gives up the one in flight. If a new key came before each response, there
    /// would never be any data.
    private final class FetchKeys: Sendable {
        private let keys: Guarded<[Int]>

        init(count: Int) { keys = Guarded(Array(repeating: 0, count: count)) }

        subscript(shelf: Int) -> Int { keys.withLock { $0[shelf] } }

        func change(_ shelf: Int) { keys.withLock { $0[shelf] += 1 } }
    }

    /// Reads on a thread of its own, which waits for nothing but the next step of an actor: the actors share their
    /// threads with all other tests, from which a reader would otherwise take a core.
    private static func readUntilOver(_ world: EverythingInUse, _ keys: FetchKeys, _ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let witness = world.witness
        var steps = -1
        while !witness.isOver {
            if witness.steps == steps {
                Thread.sleep(forTimeInterval: 0.001)
                continue
            }
            steps = witness.steps
            let floor = witness.floor
            let n = Int.random(in: 0..<world.shelves.count, using: &generator)
            let shelf = world.shelves[n]
            if Int.random(in: 0..<40, using: &generator) == 0, !shelf.isFetching { keys.change(n) }
            let key = keys[n]
            witness.check(shelf.get(.init(n: n), fetchKey: key).data, since: floor, "a reader of a shelf")
            witness.check(shelf.previousData(anyVariables: true), since: floor, "a reader of what was")
            // Handles read when they are notified; this reads the current data of the store.
            let operation = world.environment.store.bind(Everything.ShelfQuery(variables: .init(n: n)))
            let fresh = world.environment.store.read(
                Everything.ShelfQuery.Data.self, at: operation.root, operation.reader)
            witness.check(fresh.data, since: floor, "a reader of the store")
            witness.check(world.counter.get(.init(n: 0)).data, since: floor, "a reader of the counter")
            witness.check(world.note.get(.init(n: 0)).data, since: floor, "a reader of notes")
            for error in shelf.errors + world.counter.errors {
                if let tag = Int(error.message), tag < floor { witness.complain("an error of before a reset: \(tag)") }
            }
            if Int.random(in: 0..<50, using: &generator) == 0 {
                _ = (shelf.explanation?.description, shelf.isMissingData, shelf.fetchError)
                shelf.retry()
            }
        }
    }

    // MARK: - Afterwards

    private static func expectTheLastToBeShown(_ world: EverythingInUse, _ onlookers: [Onlooker]) async throws {
        let environment = world.environment
        world.ask()
        for shelf in world.shelves { await shelf.refetched() }
        await world.counter.refetched()
        try environment.update { try Everything.write(world.witness.tag, ("k", "l"), "clock", $0) }
        try environment.update { try Everything.write(world.witness.tag, ("n", "m"), "note", $0) }
        await settle(environment)
        func fresh<Query: GraphQLQuery>(_ query: Query) -> Query.Data? {
            let operation = environment.store.bind(query)
            return environment.store.read(Query.Data.self, at: operation.root, operation.reader).data
        }
        var expected: [String: any Tagged] = [:]
        for (n, shelf) in world.shelves.enumerated() {
            let data = try #require(fresh(Everything.ShelfQuery(variables: .init(n: n))))
            #expect(shelf.result.data == data)
            #expect(data.shelf?.items?.count == sizes[n])
            expected["shelf \(n)"] = data
        }
        expected["counter"] = fresh(Everything.CounterQuery(variables: .init(n: 0)))
        expected["clock"] = fresh(Everything.ClockQuery(variables: .init(n: 0)))
        expected["note"] = fresh(Everything.NoteQuery(variables: .init(n: 0)))
        for onlooker in onlookers {
            let results = await onlooker.results
            for (name, data) in expected {
                #expect(results[name].map(data.isEqual) == true, "\(name)")
                #expect(!data.tags.isEmpty, "\(name)")
            }
        }
        #expect(world.witness.complaints == [])
        #expect(environment.store.checkInvariants() == [])
    }

    /// Returns true if enough has happened for the test to mean anything.
    private static func hasMuchHappened(_ witness: Witness) -> Bool { all.allSatisfy { witness.count(of: $0) > 1 } }

    private static let all = [
        "a fetch", "a fetch aside", "a handle for a moment", "an optimistic update", "a fragment", "a reset",
        "a reader of a shelf", "a reader of what was", "a reader of the store", "a reader of the counter",
        "a reader of notes",
        "a reader of a snapshot", "an observer of clock", "an observer of a row", "a response", "an event", "a failure",
        "a cancellation", "an optimistic publish", "a revert", "a collection",
    ]

    private static func settle(_ environment: RelayEnvironment) async {
        while true {
            let counts = environment.activity.counts
            if counts.requests == 0 && counts.deliveries == 0 && counts.collections == 0 { return }
            await environment.activity.change(after: counts.revision)
        }
    }

    private static func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }
}
