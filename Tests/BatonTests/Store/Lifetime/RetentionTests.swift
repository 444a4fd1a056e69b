import StoreModel
import Testing

@testable import Baton

/// How long what nobody holds stays.
@Suite(.timeLimit(.minutes(20))) struct RetentionTests {
    /// A clock that stands still until the test moves it.
    private final class Time: Sendable {
        private let state = Guarded(Duration.zero)
        var now: Duration { state.withLock { $0 } }
        func pass(_ duration: Duration) { state.withLock { $0 += duration } }
    }

    private func store(_ options: StoreOptions, _ time: Time) -> (Operations, Store) {
        let store = Store(options: options, now: { time.now })
        return (store.operations, store)
    }

    @Test func whatWasReleasedGoesWhenItsTimeIsOver() {
        let time = Time()
        let (operations, store) = store(StoreOptions(expiration: .seconds(60)), time)
        let (first, second) = (store.bind(Films.FilmQuery(id: "1")), store.bind(Films.FilmQuery(id: "2")))
        for operation in [first, second] { operations.retain(operation) }
        operations.release(first)
        time.pass(.seconds(40))
        operations.release(second)
        operations.releaseExpired()
        #expect(operations.isRetained(first) && operations.isRetained(second))
        time.pass(.seconds(20))
        operations.releaseExpired()
        #expect(!operations.isRetained(first))
        #expect(operations.isRetained(second))
        // Who holds it again stops the clock.
        operations.retain(second)
        time.pass(.seconds(600))
        operations.releaseExpired()
        #expect(operations.isRetained(second))
    }

    @Test func whatIsOldWhenItIsReleasedGoesAtOnce() {
        let time = Time()
        let (operations, store) = store(StoreOptions(expiration: .seconds(60)), time)
        let operation = store.bind(Films.FilmQuery(id: "1"))
        operations.retain(operation)
        store.noteFetch(of: operation, key: nil, at: time.now)
        time.pass(.seconds(61))
        operations.release(operation)
        #expect(!operations.isRetained(operation))
        #expect(store.operations.holderCount(of: operation) == 0)
    }

    @Test func overTheBudgetWhatWasReleasedFirstGoesFirst() async throws {
        let clock = ContinuousClock()
        let network = ScriptedNetwork()
        let unlimited = RelayEnvironment(network: network, clock: clock)
        func fill(_ environment: RelayEnvironment) throws -> [BoundOperation] {
            try (0..<8).map { index in
                let operation = environment.store.bind(Films.ListQuery(variables: .init(first: .value(index))))
                environment.operations.retain(operation)
                let films = (0..<200).map {
                    #"{"id":"\#(index)-\#($0)","title":"A title that is not short","favourite":true,"director":null}"#
                }
                try environment.store.write(
                    #"{"data":{"films":[\#(films.joined(separator: ","))],"total":1}}"#, for: operation)
                return operation
            }
        }
        _ = try fill(unlimited)
        let all = unlimited.memoryUse
        let environment = RelayEnvironment(
            network: network, options: StoreOptions(memoryBudget: all * 3 / 4), clock: clock)
        let hold = environment.holdCollection()
        let operations = try fill(environment)
        // The first stays held, whatever the budget says.
        for operation in operations.dropFirst() { environment.operations.release(operation) }
        hold.release()
        while case let counts = environment.activity.counts, counts.collections > 0 {
            await environment.activity.change(after: counts.revision)
        }
        environment.collectGarbage()
        #expect(environment.memoryUse <= all * 3 / 4)
        #expect(environment.operations.isRetained(operations[0]))
        #expect(!environment.operations.isRetained(operations[1]))
        // On a busy machine one operation more may go than has to, so the last one of many is looked at.
        #expect(environment.operations.isRetained(operations[7]))
        #expect(environment.store.check(operations[0]).isAvailable)
        #expect(environment.store.check(operations[7]).isAvailable)
        #expect(!environment.store.check(operations[1]).isComplete)
    }

    @Test func memoryUseGrowsAndShrinks() throws {
        let environment = RelayEnvironment(network: ScriptedNetwork())
        let operation = environment.store.bind(Films.ListQuery())
        environment.operations.retain(operation)
        let empty = environment.memoryUse
        let films = (0..<3000).map {
            #"{"id":"film \#($0)","title":"A title of some thirty letters","favourite":true,"director":null}"#
        }
        try environment.store.write(
            #"{"data":{"films":[\#(films.joined(separator: ","))],"total":1}}"#, for: operation)
        let full = environment.memoryUse
        // Per film a row of four values, a title on the heap, a slot, a name with its buckets, and a link.
        #expect(full - empty > 3000 * (4 * 16 + 48 + 16 + 24 + 4))
        #expect(full - empty < 3000 * 400)
        try environment.store.write(#"{"data":{"films":[],"total":0}}"#, for: operation)
        environment.collectGarbage()
        #expect(environment.memoryUse < empty + (full - empty) / 10)
    }

    /// Readers, writers, retains, releases and slices at once; says most under the thread sanitizer.
    @Test func whatIsHeldIsWholeWhateverIsCollectedMeanwhile() async throws {
        let environment = RelayEnvironment(
            network: ScriptedNetwork(), options: StoreOptions(releaseBufferSize: 1, memoryBudget: 1 << 20))
        let store = environment.store
        let held = store.bind(Films.ListQuery())
        environment.operations.retain(held)
        @Sendable func answer(_ round: Int) -> String {
            let films = (0..<30).map { (index: Int) -> String in
                let id = index < 10 ? "\(index)" : "\(round)-\(index)"
                return #"{"id":"\#(id)","title":"T\#(round)","favourite":true,"director":{"id":"d\#(id)","name":"N"}}"#
            }
            return #"{"data":{"films":[\#(films.joined(separator: ","))],"total":\#(round)}}"#
        }
        try store.write(answer(0), for: held)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<2 {
                group.addTask {
                    for round in 0..<150 { _ = try? store.write(answer(worker * 1000 + round), for: held) }
                }
            }
            group.addTask {
                for round in 0..<300 {
                    let other = store.bind(Films.FilmQuery(id: "\(round % 7)"))
                    environment.operations.retain(other)
                    _ = try? store.write(Films.film("\(round % 7)", "Other"), for: other)
                    environment.operations.release(other)
                }
            }
            group.addTask {
                for _ in 0..<40 {
                    environment.collectGarbage()
                    let hold = environment.holdCollection()
                    await Task.yield()
                    hold.release()
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<300 {
                        let snapshot = store.read(Films.ListQuery.Data.self, at: held.root, held.reader)
                        #expect(!snapshot.isMissingData)
                        #expect(snapshot.data?.films.count == 30)
                        #expect(store.check(held).isAvailable)
                        let row = (snapshot.data?.films.randomElement() ?? nil).flatMap { store.bind($0.row) }
                        if let row {
                            let data = store.read(Films.FilmRow.Data.self, at: row.record, row.selections).data
                            // It may have been collected since, but it is not another.
                            #expect(data == nil || data?.director != nil)
                        }
                    }
                }
            }
        }
        environment.collectGarbage()
        #expect(store.check(held).isAvailable)
        #expect(store.checkInvariants() == [])
    }
}
