import RandomCases
import Testing

@testable import Baton

/// Invariants for random plans, answers and sequences of work.
@Suite struct RandomStoreTests {
    @Test(arguments: RandomCases.seeds(14)) func whatIsReadIsWhatWasAnswered(_ seed: Int) throws {
        var random = RandomPlan(seed: UInt64(seed))
        for _ in 0..<25 {
            let text = random.plan()
            let plan = try SelectionPlan.decode(text)
            let artifact = GeneratedCode.OperationArtifact(
                name: "R", kind: .query, text: "", normalization: text, reader: text)
            let answer = random.answer(plan.items)
            let body = JSONValue.object([.init("data", answer)]).jsonBytes
            let store = Store()
            let operation = store.bind(artifact, variables: .object([]))
            let first = store.publish(try store.normalize(body, for: operation), for: operation)
            #expect(first.recordsChanged == first.recordsWritten)
            let read = { store.read(AnyData.self, at: operation.root, operation.reader) }
            let snapshot = read()
            #expect(snapshot.data?.json(plan.items) == answer, "\(text)\n\(answer)")
            #expect(!snapshot.isMissingData)
            #expect(store.json(of: operation) == answer)
            #expect(store.check(operation) == .available(fetchedAt: nil))
            // The same response again changes nothing, even with its members in another order.
            let dump = store.dump()
            let subscriber = CountingSubscriber()
            _ = store.subscribe(subscriber, to: snapshot.dependencies)
            for again in [body, JSONValue.object([.init("data", Self.shuffled(answer, &random.generator))]).jsonBytes] {
                let second = store.publish(try store.normalize(again, for: operation), for: operation)
                #expect(second.recordsChanged == 0, "\(text)\n\(answer)")
            }
            #expect(store.dump() == dump)
            // Every damaged body either fails and leaves the store as it was, or is a valid answer.
            for _ in 0..<10 {
                var damaged = body
                let index = Int.random(in: 0..<damaged.count, using: &random.generator)
                damaged[index] = UInt8.random(in: 0x20...0x7E, using: &random.generator)
                _ = try? store.normalize(damaged, for: operation)
            }
            #expect(store.dump() == dump)
            #expect(subscriber.count == 0)
            // A field that goes missing is missing for the check and for the reader.
            #expect(read().data?.json(plan.items) == answer)
        }
    }

    /// A response that only confirmed values when it was read still lands them after other responses have changed them.
    @Test(arguments: RandomCases.seeds(6)) func answersLandAsIfReadWhenTheyArePublished(_ seed: Int) throws {
        var random = RandomPlan(seed: UInt64(seed) + 1000)
        for _ in 0..<25 {
            let text = random.plan()
            let plan = try SelectionPlan.decode(text)
            let artifact = GeneratedCode.OperationArtifact(
                name: "R", kind: .query, text: "", normalization: text, reader: text)
            let answers = (0..<4).map { _ in
                JSONValue.object([.init("data", random.answer(plan.items))]).jsonBytes
            }
            let early = Store()
            let late = Store()
            let operation = early.bind(artifact, variables: .object([]))
            let lateOperation = late.bind(artifact, variables: .object([]))
            func publish(_ body: [UInt8], _ store: Store, _ operation: BoundOperation) throws {
                _ = store.publish(try store.normalize(body, for: operation), for: operation)
            }
            try publish(answers[0], early, operation)
            // These answers are read while the first one is in the store. The last equals the first, so all of its
            // values are only confirmed.
            let sequence = [answers[1], answers[2], answers[0], answers[3], answers[0]]
            let read = try sequence.map { try early.normalize($0, for: operation) }
            for response in read { early.publish(response, for: operation) }
            for body in [answers[0]] + sequence { try publish(body, late, lateOperation) }
            #expect(early.dump() == late.dump(), "\(text)")
        }
    }

    private static func shuffled(_ value: JSONValue, _ generator: inout SeededGenerator) -> JSONValue {
        switch value {
        case .object(let members):
            var result: [JSONValue.Member] = []
            for member in members { result.append(.init(member.name, shuffled(member.value, &generator))) }
            return .object(result.shuffled(using: &generator))
        case .array(let values):
            var result: [JSONValue] = []
            for value in values { result.append(shuffled(value, &generator)) }
            return .array(result)
        default: return value
        }
    }

    // MARK: - Against a simple model

    /// Records as dictionaries, and subscriptions as the values that they saw.
    struct Model {
        var records: [String: [String: JSONValue]] = [:]
        var deleted: Set<String> = []

        func seen(_ id: String, _ fields: [String]) -> [JSONValue?]? {
            deleted.contains(id) || records[id] == nil ? nil : fields.map { records[id]?[$0] }
        }
    }

    @Test(arguments: RandomCases.seeds(8)) func exactlyTheReadersOfChangedFieldsAreTold(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 1000)
        let store = Store()
        var model = Model()
        let ids = (0..<12).map { "r\($0)" }
        let names = ["a", "b", "c", "d", "e"]
        // A fragment for each set of fields.
        let artifacts = (1..<32).map { bits in
            let fields = names.indices.filter { bits & (1 << $0) != 0 }.map { names[$0] }
            let plan = "{\(fields.map { "\($0):Int" }.joined(separator: " "))}"
            return (
                fields,
                GeneratedCode.OperationArtifact(
                    name: "F\(bits)", kind: .query, text: "", normalization: plan, reader: plan)
            )
        }
        struct Live {
            let id: SubscriptionID
            let subscriber: CountingSubscriber
            let record: String
            let fields: [String]
            var told = 0
        }
        var live: [Live] = []
        for _ in 0..<600 {
            let before = model
            var expected = 0
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3:
                let (fields, artifact) = artifacts.randomElement(using: &generator) ?? artifacts[0]
                let record = ids.randomElement(using: &generator) ?? "r0"
                let subscriber = CountingSubscriber()
                let operation = store.bind(artifact, variables: .object([]))
                guard let number = store.names.record(DataID(record), adding: true) else { continue }
                let snapshot = store.read(AnyData.self, at: number, operation.reader)
                let isThere = model.seen(record, fields) != nil
                #expect((snapshot.data != nil) == isThere)
                let id = store.subscribe(subscriber, to: snapshot.dependencies)
                live.append(Live(id: id, subscriber: subscriber, record: record, fields: fields))
            case 3:
                guard !live.isEmpty else { continue }
                let gone = live.remove(at: Int.random(in: 0..<live.count, using: &generator))
                store.unsubscribe(gone.id)
            case 4:
                let record = ids.randomElement(using: &generator) ?? "r0"
                try store.update { try $0.delete(DataID(record)) }
                model.records[record] = nil
                model.deleted.insert(record)
            default:
                let count = Int.random(in: 1...4, using: &generator)
                let chosen = (0..<count).map { _ in ids.randomElement(using: &generator) ?? "r0" }
                let writes = chosen.map {
                    ($0, names.randomElement(using: &generator) ?? "a", Int.random(in: 0..<3, using: &generator))
                }
                try store.update { records in
                    for (record, field, value) in writes {
                        let proxy = try records.get(DataID(record)) ?? records.create(DataID(record), type: "R")
                        try proxy.setValue(.int(value), forField: field)
                    }
                }
                for (record, field, value) in writes {
                    model.deleted.remove(record)
                    model.records[record, default: [:]][field] = .int(value)
                }
            }
            for index in live.indices {
                let (record, fields) = (live[index].record, live[index].fields)
                // An unknown record differs from a deleted one.
                let isChanged =
                    before.seen(record, fields) != model.seen(record, fields)
                    || before.deleted.contains(record) != model.deleted.contains(record)
                if isChanged {
                    live[index].told += 1
                    expected += 1
                }
                #expect(live[index].subscriber.count == live[index].told, "\(record) \(fields)")
            }
            #expect(store.subscriptionCount == live.count)
        }
        #expect(live.contains { $0.told > 0 })
    }

    // MARK: - Threads

    /// Readers see whole responses: every response writes one number everywhere, and no read finds two numbers.
    @Test func readersNeverSeeHalfAnAnswer() async throws {
        let plan = "{stamp:Int items:[+Item!]!{id:ID! stamp:Int}}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "S", kind: .query, text: "", normalization: plan, reader: plan)
        let items = try SelectionPlan.decode(plan).items
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        @Sendable func body(_ stamp: Int, _ count: Int) -> [UInt8] {
            let list = (0..<count).map { #"{"id":"\#($0)","stamp":\#(stamp)}"# }.joined(separator: ",")
            return Array(#"{"data":{"stamp":\#(stamp),"items":[\#(list)]}}"#.utf8)
        }
        try store.write(String(decoding: body(0, 100), as: UTF8.self), for: operation)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    for round in 0..<60 {
                        // Small answers are merged in place, large ones in a copy.
                        let stamp = writer * 1000 + round
                        guard let staged = try? store.normalize(body(stamp, 100 * (writer % 2 * 3 + 1)), for: operation)
                        else { return }
                        store.publish(staged, for: operation)
                        _ = try? store.update { records in try records.root.setValue(.int(round), forField: "other") }
                    }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    let subscriber = CountingSubscriber()
                    var id: SubscriptionID?
                    for _ in 0..<120 {
                        let snapshot = store.read(AnyData.self, at: operation.root, operation.reader)
                        guard case .object(let members)? = snapshot.data?.json(items),
                            case .array(let list)? = members.last?.value
                        else {
                            Issue.record("nothing was read")
                            return
                        }
                        let stamps = Set(list.map { $0["stamp"] ?? .null } + [members[0].value])
                        #expect(stamps.count == 1)
                        id = store.subscribe(subscriber, to: snapshot.dependencies, replacing: id)
                        _ = store.check(operation)
                    }
                    if let id { store.unsubscribe(id) }
                }
            }
        }
        #expect(store.subscriptionCount == 0)
    }
}
