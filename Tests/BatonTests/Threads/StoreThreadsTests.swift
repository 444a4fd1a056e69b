import StoreModel
import Testing

@testable import Baton

/// Concurrent work on a store from many threads; the thread sanitizer finds most here.
///
/// Every answer writes one number everywhere, so a reader that finds two numbers has seen half of a response.
@Suite(.timeLimit(.minutes(20))) struct StoreThreadsTests {
    private static let plan = "{stamp:Int items:[+Item!]!{id:ID! stamp:Int}}"

    private struct World: Sendable {
        let store = Store(options: StoreOptions(history: StoreOptions.History(fields: true)))
        let artifact = GeneratedCode.OperationArtifact(
            name: "S", kind: .query, text: "", normalization: plan, reader: plan)
        let mutation = GeneratedCode.OperationArtifact(
            name: "M", kind: .mutation, text: "", normalization: "{like:+Other{id:ID! likes:Int}}", reader: "{}")
        let items: [SelectionPlan.Item]
        let operation: BoundOperation

        init() throws {
            items = try SelectionPlan.decode(plan).items
            operation = store.bind(artifact, variables: .object([]))
        }

        func body(_ stamp: Int, _ count: Int) -> [UInt8] {
            let list = (0..<count).map { #"{"id":"\#($0)","stamp":\#(stamp)}"# }.joined(separator: ",")
            return Array(#"{"data":{"stamp":\#(stamp),"items":[\#(list)]}}"#.utf8)
        }

        func publish(_ stamp: Int, _ count: Int) throws {
            store.publish(try store.normalize(body(stamp, count), for: operation), for: operation)
        }

        func read() -> ReadResult<AnyData> {
            store.read(AnyData.self, at: operation.root, operation.reader)
        }

        /// Returns the numbers that a read finds; none if there is no data.
        func stamps(_ snapshot: ReadResult<AnyData>) -> Set<JSONValue> {
            guard let json = snapshot.data?.json(items), case .array(let list)? = json["items"] else { return [] }
            return Set(list.compactMap { $0["stamp"] } + [json["stamp"] ?? .null])
        }
    }

    @Test func everybodySeesWholeVersions() async throws {
        let world = try World()
        let store = world.store
        try world.publish(0, 300)
        await withTaskGroup(of: Void.self) { group in
            // Small answers are merged in place, large ones in a copy.
            for writer in 1...2 {
                group.addTask {
                    for round in 0..<40 { try? world.publish(writer * 1000 + round, writer == 1 ? 300 : 20) }
                }
            }
            // Readers that subscribe to their reads.
            for _ in 0..<2 {
                group.addTask {
                    let subscriber = CountingSubscriber()
                    var id: SubscriptionID?
                    for _ in 0..<80 {
                        let snapshot = world.read()
                        let stamps = world.stamps(snapshot)
                        #expect(stamps.count == 1, "half of a response: \(stamps)")
                        id = store.subscribe(subscriber, to: snapshot.dependencies, replacing: id)
                    }
                    if let id { store.unsubscribe(id) }
                }
            }
            // Updates, optimistic layers that count on the data below, mutations, and deletions.
            group.addTask {
                for round in 0..<40 {
                    let layer = store.apply({ records in
                        try records.root.setValue(.int(round), forField: "own")
                        try records.get("other")?.setValue(.int(round), forField: "likes")
                    })
                    _ = try? store.update { records in
                        if records.get("other") == nil { try records.create("other", type: "Other") }
                        if round % 5 == 4 { try records.delete("other") }
                    }
                    store.replace(layer, with: { try $0.root.setValue(.int(-round), forField: "own") })
                    store.drop(layer)
                }
            }
            group.addTask {
                for round in 0..<40 {
                    store.queryBegins(round + 1)
                    let call = store.bind(world.mutation, variables: .object([]))
                    let body = Array(#"{"data":{"like":{"id":"other","likes":\#(round)}}}"#.utf8)
                    if let staged = try? store.normalize(body, for: call) { store.publish(staged, for: call) }
                    store.queryEnds(round + 1)
                }
            }
            // Work on the whole store, and invalidations.
            group.addTask {
                for round in 0..<25 {
                    _ = (store.check(world.operation), store.snapshot().count, store.inspection.count)
                    _ = store.explain(DataID("\(round)"), "stamp").description
                    store.operations.retain(world.operation)
                    store.noteFetch(of: world.operation, key: round, at: .seconds(round))
                    if round % 3 == 0 { store.invalidate() } else { store.invalidate(DataID("\(round)")) }
                    store.operations.releaseWithoutBuffer(world.operation)
                }
            }
        }
        #expect(store.layerCount == 0)
        #expect(store.subscriptionCount == 0)
        #expect(store.checkInvariants() == [])
    }

    /// A restored snapshot and an emptied store are whole versions too.
    @Test func restoringAndResettingAreWholeVersions() async throws {
        let world = try World()
        let store = world.store
        try world.publish(1, 200)
        let one = store.snapshot()
        try world.publish(2, 200)
        let two = store.snapshot()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<30 {
                    _ = try? store.restore(round % 2 == 0 ? one : two)
                    if round % 10 == 9 {
                        store.reset()
                    }
                }
            }
            group.addTask { for round in 0..<30 { try? world.publish(10 + round, 200) } }
            for _ in 0..<2 {
                group.addTask {
                    let subscriber = CountingSubscriber()
                    for _ in 0..<60 {
                        let snapshot = world.read()
                        let stamps = world.stamps(snapshot)
                        #expect(stamps.count == (snapshot.data == nil ? 0 : 1))
                        store.unsubscribe(store.subscribe(subscriber, to: snapshot.dependencies))
                    }
                }
            }
        }
        try store.restore(one)
        #expect(store.snapshot() == one)
        #expect(store.checkInvariants() == [])
    }

    /// Requests that are given up while their responses land leave nothing behind, with handles and observers.
    @Test func cancellationLeavesTheStoreInOrder() async throws {
        let environment = RelayEnvironment(network: HammerTests.Immediate())
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    for round in 0..<30 {
                        let task = Task { try await environment.fetch(Films.FilmQuery(id: "\(round % 5)")) }
                        if (worker + round) % 2 == 0 { task.cancel() }
                        _ = await task.result
                        if worker == 0, round % 10 == 9 { environment.reset(refetching: true) }
                        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeAndNetwork)
                        _ = handle.get(id: "\(round % 3)")
                        _ = handle.explanation?.description
                    }
                }
            }
        }
        while environment.activity.counts.requests > 0 {
            await environment.activity.change(after: environment.activity.counts.revision)
        }
        #expect(environment.store.checkInvariants() == [])
    }
}
