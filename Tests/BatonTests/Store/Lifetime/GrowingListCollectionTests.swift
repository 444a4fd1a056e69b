import RandomCases
import Testing

@testable import Baton

/// Collections while one list grows with every publish. All work is counted.
@Suite(.timeLimit(.minutes(20))) struct GrowingListCollectionTests {
    /// A response with a long list, to which each part adds an item.
    private struct Stream {
        let store = Store()
        let operation: BoundOperation
        private var delivery: IncrementalDelivery
        private(set) var count: Int

        init(_ count: Int) throws {
            let plan = "{all:[+Item]@stream(\"S\",0){id:ID! name:String}}"
            let artifact = GeneratedCode.OperationArtifact(
                name: "Stream", kind: .query, text: "", normalization: plan,
                reader: "{all:[+Item]{id:ID! name:String}}")
            operation = store.bind(artifact, variables: .object([]))
            store.operations.retain(operation)
            delivery = try #require(IncrementalDelivery(operation))
            self.count = count
            try begin(Array(0..<count))
        }

        private static func item(_ number: Int) -> String { #"{"id":"i\#(number)","name":"n\#(number)"}"# }

        private mutating func land(_ payload: String) throws {
            store.publish(try store.normalize(Array(payload.utf8), into: &delivery).response, for: operation)
        }

        /// Begins another response, whose list takes the place of the one before.
        mutating func begin(_ numbers: [Int]) throws {
            delivery = try #require(IncrementalDelivery(operation))
            let items = numbers.map(Self.item).joined(separator: ",")
            try land(
                #"{"data":{"all":[\#(items)]},"pending":[{"id":"0","label":"S","path":["all"]}],"hasNext":true}"#)
        }

        mutating func add() throws {
            try land(#"{"incremental":[{"id":"0","items":[\#(Self.item(count))]}],"hasNext":true}"#)
            count += 1
        }
    }

    /// A walk that begins the list again with each publish does not end before the publishes do.
    @Test func aCollectionEndsWhileAListGrows() throws {
        var stream = try Stream(20_000)
        stream.store.collector.begin(.growth)
        var slices = 0
        while case .more = stream.store.collector.collectSlice(), slices < 500 {
            try stream.add()
            slices += 1
        }
        #expect(slices < 200)
        let records = stream.store.records
        #expect(records.rowCount == stream.count + 1, "what was added meanwhile is there")
        stream.store.collector.collectGarbage()
        #expect(stream.store.records.rowCount == stream.count + 1)
    }

    /// What one reading adds to a running collection is what nobody has read before.
    @Test func aNewReadOfALongListIsNoNewWorkForACollection() throws {
        var stream = try Stream(2_000)
        let (store, subscriber) = (stream.store, CountingSubscriber())
        var read = store.read(stream.operation)
        let id = store.subscribe(subscriber, to: read.dependencies)
        store.collector.begin(.growth)
        _ = store.queue.inbox.take()
        for _ in 0..<10 {
            try stream.add()
            read = store.read(stream.operation, after: read.dependencies)
            _ = store.subscribe(subscriber, to: read.dependencies, replacing: id)
            let noted = store.queue.inbox.take()
            #expect(noted.read.count <= 2 * Spine.length)
            #expect(noted.fields.map(\.from) == [stream.count - 1])
        }
        #expect(read.dependencies.pairs.count > 2_000)
    }

    /// Parts, other lists, reads and slices of collections in random order: what the list has is there after each step.
    @Test(arguments: RandomCases.seeds(24, from: 0 as UInt64))
    func noItemOfTheListIsLost(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var stream = try Stream(150)
        let (store, operation) = (stream.store, stream.operation)
        var shown = Array(0..<150)
        var live: [(id: SubscriptionID, subscriber: CountingSubscriber, dependencies: Dependencies)] = []
        for _ in 0..<400 {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0..<4:
                shown.append(stream.count)
                try stream.add()
            case 4:
                // Items that were dropped come back, and some of the list go.
                shown = (0..<stream.count).shuffled(using: &generator)
                shown.removeLast(Int.random(in: 0..<shown.count, using: &generator))
                try stream.begin(shown)
            case 5:
                let read = store.read(operation).dependencies
                let subscriber = CountingSubscriber()
                live.append((store.subscribe(subscriber, to: read), subscriber, read))
            case 6:
                guard let index = live.indices.randomElement(using: &generator) else { continue }
                let read = store.read(operation, after: live[index].dependencies).dependencies
                live[index].id = store.subscribe(live[index].subscriber, to: read, replacing: live[index].id)
                live[index].dependencies = read
            case 7:
                guard let index = live.indices.randomElement(using: &generator) else { continue }
                store.unsubscribe(live.remove(at: index).id)
            default:
                store.collector.begin(.growth)
                _ = store.collector.collectSlice(.init(marking: 40, looking: 60, sweeping: 20, vacating: 1))
            }
            let needed = Set(shown.map { "i\($0)" })
            for id in needed {
                let record = try #require(store.record(DataID(id)))
                #expect(store.records.state(of: record) == .existing, "\(id) stands in the list")
            }
            for read in live where !read.dependencies.haveChanged(in: store.records) {
                for pair in read.dependencies.pairs { #expect(store.records.state(of: pair.record) == .existing) }
            }
        }
        for read in live { store.unsubscribe(read.id) }
        store.collector.collectGarbage()
        #expect(store.records.rowCount == shown.count + 1)
        #expect(store.checkInvariants().isEmpty)
    }
}
