import RandomCases
import Testing

@testable import Baton

/// Random graphs, retains, releases, subscriptions and publishes between the slices of collections, compared with a
/// model that walks.
@Suite struct ReachabilityTests {
    private struct Live {
        let id: SubscriptionID
        let subscriber: CountingSubscriber
        let records: Set<String>
    }

    private struct World {
        let store = Store()
        var model = ReachabilityModel()
        var generator: SeededGenerator
        var retained: [(query: ReachabilityModel.Query, operation: BoundOperation)] = []
        var live: [Live] = []
        let ids = (0..<24).map { "r\($0)" }
        let fields = (0..<4).map { "q\($0)" }

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        func state(_ id: String) -> Records.State {
            guard let record = store.record(DataID(id)) else { return .unknown }
            return store.records.state(of: record)
        }

        /// The records that must exist.
        var needed: Set<String> {
            live.reduce(model.reachable(by: retained.map(\.query))) {
                $0.union($1.records.filter { model.records[$0] != nil })
            }
        }

        /// Returns the record as the store has it.
        func stored(_ id: String) -> ReachabilityModel.Record? {
            guard let record = store.record(DataID(id)) else { return nil }
            let records = store.records
            guard records.state(of: record) == .existing else { return nil }
            var result = ReachabilityModel.Record(value: -1)
            if case .int(let value) = records.value(store.names.key("v"), of: record) { result.value = value }
            if case .link(let target) = records.value(store.names.key("one"), of: record) {
                result.one = store.names.dataID(of: target).rawValue
            }
            if case .links(let targets) = records.value(store.names.key("many"), of: record) {
                result.many = targets.map { store.names.dataID(of: $0).rawValue }
            }
            return result
        }

        /// Checks that no needed record is missing or different, and that no missing record was needed.
        mutating func check(needed: Set<String>) {
            let keys = Set(store.records.shape(of: .root).keys.map { store.names.name(of: $0) })
            for field in Array(model.root.keys) where !keys.contains(field) {
                #expect(!retained.contains { $0.query.field == field })
                model.root[field] = nil
            }
            for id in needed {
                #expect(stored(id) == model.records[id], "\(id) was needed")
            }
            for id in Array(model.records.keys) where state(id) != .existing {
                #expect(!needed.contains(id))
                model.records[id] = nil
            }
        }

        mutating func publish() throws {
            let count = Int.random(in: 1...3, using: &generator)
            var writes: [(id: String, record: ReachabilityModel.Record)] = []
            for _ in 0..<count {
                let id = ids.randomElement(using: &generator) ?? "r0"
                // Links lead only to existing records, because there are no proxies of others.
                let targets = ids.filter { state($0) == .existing || $0 == id }
                let one = Bool.random(using: &generator) ? targets.randomElement(using: &generator) : nil
                let many = (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
                    targets.randomElement(using: &generator)
                }
                writes.append((id, .init(value: Int.random(in: 0..<100, using: &generator), one: one, many: many)))
            }
            let field = fields.randomElement(using: &generator) ?? "q0"
            let anchor = writes.first?.id ?? "r0"
            let setsRoot = Int.random(in: 0..<3, using: &generator) == 0
            try store.update { source in
                for (id, _) in writes where source.get(DataID(id)) == nil { try source.create(DataID(id), type: "T") }
                for (id, record) in writes {
                    let proxy = source.get(DataID(id))
                    try proxy?.setValue(.string(id), forField: "id")
                    try proxy?.setValue(.int(record.value), forField: "v")
                    try proxy?.setLinkedRecord(record.one.flatMap { source.get(DataID($0)) }, forField: "one")
                    try proxy?.setLinkedRecords(record.many.map { source.get(DataID($0)) }, forField: "many")
                }
                if setsRoot { try source.root.setLinkedRecord(source.get(DataID(anchor)), forField: field) }
            }
            for (id, record) in writes { model.records[id] = record }
            if setsRoot { model.root[field] = anchor }
        }

        mutating func step() throws {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0..<4: try publish()
            case 4:
                let query = ReachabilityModel.Query(
                    field: fields.randomElement(using: &generator) ?? "q0",
                    selection: ReachabilityModel.selection(depth: 4, &generator))
                let isAtOnce = Bool.random(using: &generator)
                let operation = store.bind(query.artifact, variables: .object([]), retaining: isAtOnce)
                if !isAtOnce { store.operations.retain(operation) }
                retained.append((query, operation))
            case 5:
                guard !retained.isEmpty else { return }
                store.operations.releaseWithoutBuffer(
                    retained.remove(at: Int.random(in: 0..<retained.count, using: &generator)).operation)
            case 6:
                let id = ids.randomElement(using: &generator) ?? "r0"
                guard state(id) == .existing, let record = store.record(DataID(id)) else { return }
                let plan = "{v:Int one:+T{id:ID! v:Int}}"
                let artifact = GeneratedCode.OperationArtifact(
                    name: "S", kind: .query, text: "", normalization: plan, reader: plan)
                let operation = store.bind(artifact, variables: .object([]))
                let snapshot = store.read(AnyData.self, at: record, operation.reader)
                let subscriber = CountingSubscriber()
                let subscription = store.subscribe(subscriber, to: snapshot.dependencies)
                var read: Set = [id]
                if let one = model.records[id]?.one { read.insert(one) }
                live.append(Live(id: subscription, subscriber: subscriber, records: read))
            case 7:
                guard !live.isEmpty else { return }
                store.unsubscribe(live.remove(at: Int.random(in: 0..<live.count, using: &generator)).id)
            default:
                let before = needed
                let told = live.map(\.subscriber.count)
                store.collector.begin(.release)
                _ = store.collector.collectSlice(.init(marking: 3, looking: 5, sweeping: 2, vacating: 1))
                check(needed: before)
                #expect(live.map(\.subscriber.count) == told, "to collect is no change")
            }
        }
    }

    @Test(arguments: RandomCases.seeds(8)) func whatIsReachableStaysAndNothingElse(_ seed: Int) throws {
        var world = World(seed: UInt64(seed) + 4242)
        for round in 0..<400 {
            try world.step()
            guard round % 50 == 49 else { continue }
            // Nothing else runs during this collection, so exactly the reachable records stay.
            let needed = world.needed
            _ = world.store.collector.collectGarbage()
            world.check(needed: needed)
            for id in world.ids { #expect((world.state(id) == .existing) == needed.contains(id), "\(id)") }
            let keys = Set(world.store.records.shape(of: .root).keys.map { world.store.names.name(of: $0) })
            #expect(world.store.checkInvariants() == [])
            let reached = Set(world.retained.map(\.query.field))
            #expect(keys.isSubset(of: reached))
            #expect(keys == reached.filter { world.model.root[$0] != nil })
            #expect(
                world.store.records.rowCount == needed.count
                    + (world.store.records.state(of: .root) == .existing ? 1 : 0))
        }
    }
}
