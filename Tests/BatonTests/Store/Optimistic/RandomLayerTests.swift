import RandomCases
import Testing

@testable import Baton

/// The store equals the base with all layers replayed in order, after any sequence of work.
@Suite struct RandomLayerTests {
    private struct Live {
        let subscriber: CountingSubscriber
        let record: String
        let fields: [String]
        var told = 0

        func seen(_ records: LayerModel.Records) -> LayerModel.Entry? {
            guard var entry = records[record] else { return nil }
            entry.fields = entry.fields.filter { fields.contains($0.key) }
            return entry
        }
    }

    /// A fragment for each set of fields.
    private static let artifacts = (1..<8).map { bits in
        let fields = LayerModel.fields.indices.filter { bits & (1 << $0) != 0 }.map { LayerModel.fields[$0] }
        let plan = "{\(fields.map { "\($0):Int" }.joined(separator: " "))}"
        return (
            fields,
            GeneratedCode.OperationArtifact(name: "F\(bits)", kind: .query, text: "", normalization: plan, reader: plan)
        )
    }

    private static let answer = GeneratedCode.OperationArtifact(
        name: "A", kind: .query, text: "", normalization: "{items:[+R]!{id:ID! a:Int b:Int}}",
        reader: "{items:[+R]!{id:ID! a:Int b:Int}}")

    /// Returns the records of a random answer with their numbers.
    private static func answer(_ generator: inout SeededGenerator) -> [(String, Int, Int)] {
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            (
                LayerModel.ids.randomElement(using: &generator) ?? "r0", Int.random(in: 0..<3, using: &generator),
                Int.random(in: 0..<3, using: &generator)
            )
        }
    }

    private static func write(_ items: [(String, Int, Int)], into records: inout LayerModel.Records) {
        for (id, a, b) in items {
            if records[id]?.type != "R" || records[id]?.isDeleted == true { records[id] = .init() }
            records[id]?.fields["id"] = .string(id)
            records[id]?.fields["a"] = .int(a)
            records[id]?.fields["b"] = .int(b)
        }
    }

    @Test(arguments: RandomCases.seeds(5)) func layersAreReplayedInOrderOverTheBase(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 5000)
        let store = Store()
        var model = LayerModel()
        var live: [Live] = []
        var early: [(StagedResponse, [(String, Int, Int)])] = []
        let operation = store.bind(Self.answer, variables: .object([]))
        for (fields, artifact) in Self.artifacts {
            for record in LayerModel.ids where Bool.random(using: &generator) {
                let subscriber = CountingSubscriber()
                let reading = store.bind(artifact, variables: .object([]))
                let number = try #require(store.names.record(DataID(record), adding: true))
                let snapshot = store.read(AnyData.self, at: number, reading.reader)
                _ = store.subscribe(subscriber, to: snapshot.dependencies)
                live.append(Live(subscriber: subscriber, record: record, fields: fields))
            }
        }
        func body(_ items: [(String, Int, Int)]) -> [UInt8] {
            let list = items.map { #"{"id":"\#($0.0)","a":\#($0.1),"b":\#($0.2)}"# }.joined(separator: ",")
            return Array(#"{"data":{"items":[\#(list)]}}"#.utf8)
        }
        for step in 0..<200 {
            let before = model.top
            switch Int.random(in: 0..<12, using: &generator) {
            case 0..<3:
                let steps = LayerModel.steps(&generator)
                let id = store.apply { try LayerModel.run(steps, on: $0) }
                model.layers.append((id, steps))
            case 3, 4:
                guard !model.layers.isEmpty else { continue }
                let gone = model.layers.remove(at: Int.random(in: 0..<model.layers.count, using: &generator))
                var ids = [gone.id]
                while !model.layers.isEmpty, Bool.random(using: &generator) {
                    ids.append(model.layers.remove(at: Int.random(in: 0..<model.layers.count, using: &generator)).id)
                }
                #expect(store.drop(ids))
                #expect(!store.drop(ids))
            case 5:
                guard !model.layers.isEmpty else { continue }
                let index = Int.random(in: 0..<model.layers.count, using: &generator)
                model.layers[index].steps = LayerModel.steps(&generator)
                let steps = model.layers[index].steps
                store.replace(model.layers[index].id, with: { try LayerModel.run(steps, on: $0) })
            case 6:
                // The response is read now and published later; its confirmed values may be covered or changed by then.
                let items = Self.answer(&generator)
                early.append((try store.normalize(body(items), for: operation), items))
                continue
            case 7, 8:
                var (staged, items) = early.popLast() ?? (nil, [])
                if staged == nil || Bool.random(using: &generator) {
                    items = Self.answer(&generator)
                    staged = try store.normalize(body(items), for: operation)
                }
                let dropped =
                    Bool.random(using: &generator) ? model.layers.indices.randomElement(using: &generator) : nil
                let id = dropped.map { model.layers.remove(at: $0).id }
                if let staged { store.publish(staged, for: operation, dropping: id) }
                Self.write(items, into: &model.base)
            default:
                let steps = LayerModel.steps(&generator)
                if let after = try? LayerModel.run(steps, on: model.base) {
                    try store.update { try LayerModel.run(steps, on: $0) }
                    model.base = after
                } else {
                    #expect(throws: LayerModel.Refused.self) { try store.update { try LayerModel.run(steps, on: $0) } }
                }
            }
            let after = model.top
            let isEqual =
                LayerModel.difference(LayerModel.records(of: store, withLayers: true), after)
                + LayerModel.difference(LayerModel.records(of: store, withLayers: false), model.base)
            #expect(isEqual == "", "\(step)")
            if isEqual != "" { return }
            #expect(store.layerCount == model.layers.count)
            for index in live.indices {
                if live[index].seen(before) != live[index].seen(after) { live[index].told += 1 }
                #expect(live[index].subscriber.count == live[index].told, "\(step) \(live[index].record)")
                live[index].told = live[index].subscriber.count
            }
        }
        for layer in model.layers.shuffled(using: &generator) { store.drop(layer.id) }
        #expect(LayerModel.records(of: store, withLayers: true) == model.base)
        #expect(store.records.covered.isEmpty)
        #expect(store.queue.inTurn { $0.layers.numbers.isEmpty })
    }
}
