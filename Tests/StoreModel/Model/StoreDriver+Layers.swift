import Baton
import RandomCases

/// An optimistic change for the store and for the model. Each run on the same records has the same effect.
enum ModelLayer {
    struct Refusal: Error {}

    /// An updater, whose edits are chosen by the seed.
    case updater(UInt64)
    /// An expected answer.
    case answer(ModelAnswer)

    private static let ids = Universe.nodes + ["new0", "new1", "only"]

    private enum Edit {
        case set(String, Int)
        /// Sets a field to the value of another field plus one.
        case count(String)
        case link(String, String)
        case append(String, String)
        case create(String)
        case delete(String)
    }

    private static func edits(_ seed: UInt64) -> (edits: [Edit], throws: Bool) {
        var generator = SeededGenerator(seed: seed)
        let edits = (0..<(1 + generator.below(3))).map { _ -> Edit in
            let (id, other) = (generator.pick(ids), generator.pick(ids))
            return switch generator.below(8) {
            case 0, 1: .set(id, generator.below(4))
            case 2, 3: .count(id)
            case 4: .link(id, other)
            case 5: .append(id, other)
            case 6: .create(id)
            default: .delete(id)
            }
        }
        return (edits, generator.chance(6))
    }

    static func run(_ seed: UInt64, on source: RecordSourceProxy) throws {
        let (edits, throwsAtEnd) = edits(seed)
        for edit in edits {
            switch edit {
            case .set(let id, let value): try source.get(DataID(id))?.setValue(.int(value), forField: "i0")
            case .count(let id):
                guard let record = source.get(DataID(id)) else { break }
                var value = 0
                if case .int(let known)? = record.value(forField: "i0") { value = known }
                try record.setValue(.int(value + 1), forField: "i1")
            case .link(let id, let other):
                guard let record = source.get(DataID(id)) else { break }
                try record.setLinkedRecord(source.get(DataID(other)), forField: "o0")
            case .append(let id, let other):
                guard let record = source.get(DataID(id)), let target = source.get(DataID(other)) else { break }
                try record.setLinkedRecords((record.linkedRecords(forField: "lo") ?? []) + [target], forField: "lo")
            case .create(let id):
                guard source.get(DataID(id)) == nil else { break }
                try source.create(DataID(id), type: "N0").setValue(.string(id), forField: "id")
            case .delete(let id): if source.get(DataID(id)) != nil { try source.delete(DataID(id)) }
            }
        }
        if throwsAtEnd { throw Refusal() }
    }

    /// The records that the layer names.
    var mentioned: Set<String> {
        switch self {
        case .answer(let answer): return answer.mentioned
        case .updater(let seed):
            var found: Set<String> = []
            for edit in Self.edits(seed).edits {
                switch edit {
                case .set(let id, _), .count(let id), .create(let id), .delete(let id): found.insert(id)
                case .link(let id, let other), .append(let id, let other): found.formUnion([id, other])
                }
            }
            return found
        }
    }

    func run(on state: inout ModelState) {
        switch self {
        case .answer(let answer):
            let facts = state.facts
            state.write(answer)
            state.facts = facts
        case .updater(let seed):
            let (edits, throwsAtEnd) = Self.edits(seed)
            if !throwsAtEnd { for edit in edits { Self.run(edit, on: &state) } }
        }
    }

    private static func run(_ edit: Edit, on state: inout ModelState) {
        switch edit {
        case .set(let id, let value):
            if state.records[id] != nil { state.records[id]?.fields["i0"] = .scalar(.int(value)) }
        case .count(let id):
            guard let record = state.records[id] else { break }
            var value = 0
            if case .scalar(.int(let known))? = record.fields["i0"] { value = known }
            state.records[id]?.fields["i1"] = .scalar(.int(value + 1))
        case .link(let id, let other):
            guard state.records[id] != nil else { break }
            let isThere = state.records[other] != nil
            state.records[id]?.fields["o0"] = isThere ? .link(other) : .scalar(.null)
        case .append(let id, let other):
            guard let record = state.records[id], state.records[other] != nil else { break }
            var targets: [String?] = []
            if case .links(let known)? = record.fields["lo"] {
                targets = known.map { $0.flatMap { state.records[$0] == nil ? nil : $0 } }
            }
            state.records[id]?.fields["lo"] = .links(targets + [other])
        case .create(let id):
            guard state.records[id] == nil else { break }
            state.put(id, ModelRecord(type: "N0", fields: ["id": .scalar(.string(id))]))
        case .delete(let id): if state.records[id] != nil { state.delete(id) }
        }
    }
}

extension StoreDriver {
    /// Applies every layer to the base, in order.
    static func replay(_ base: ModelState, _ layers: [(id: LayerID, layer: ModelLayer)]) -> ModelState {
        var state = base
        for (_, layer) in layers { layer.run(on: &state) }
        return state
    }

    func applyLayer() throws {
        guard layers.count < 5 else { return }
        if generator.chance(30) {
            let chosen = operation(.anything)
            var answerer = Answerer(chosen.call, isStable: universe.isStable, SeededGenerator(seed: generator.next()))
            let json = answerer.answer()
            let body = JSONValue.object([.init("data", json)]).jsonBytes
            guard let staged = try? store.normalizeExpected(body, for: chosen.bound) else { return }
            let answer = try ModelAnswer(chosen.call, json, root: store.dataID(of: staged.root).rawValue)
            let id = store.apply(staged)
            layers.append((id, .answer(answer)))
            // Facts about types that the response proves stay. A type that the response does not show proves nothing.
            publish { $0.facts.merge(answer.facts.filter(\.value)) { known, _ in known } }
        } else {
            let seed = generator.next()
            layers.append((store.apply({ try ModelLayer.run(seed, on: $0) }), .updater(seed)))
            publish { _ in }
        }
        try expect(store.layerCount == layers.count, "there are \(store.layerCount) layers and not \(layers.count)")
    }

    /// Adds several layers, mostly layers that read fields that others write.
    func pileLayers() throws {
        for _ in 0..<generator.below(12) where layers.count < 24 {
            let seed = generator.next()
            layers.append((store.apply({ try ModelLayer.run(seed, on: $0) }), .updater(seed)))
            publish { _ in }
        }
        try expect(store.layerCount == layers.count, "there are \(store.layerCount) layers and not \(layers.count)")
    }

    /// Reverts some layers in any order, sometimes together with a layer that was reverted before.
    func revertLayers() throws {
        guard !layers.isEmpty else { return }
        var ids: [LayerID] = []
        if generator.chance(20) {
            let gone = store.apply { _ in }
            publish { _ in }
            try expect(store.drop(gone), "a layer was gone")
            publish { _ in }
            ids.append(gone)
        }
        for _ in 0..<(1 + generator.below(layers.count)) {
            ids.append(layers.remove(at: generator.below(layers.count)).id)
        }
        if generator.chance(20), let first = ids.last { ids.append(first) }
        try expect(store.drop(ids), "layers were gone")
        publish { _ in }
        try expect(!store.drop(ids), "layers went twice")
        try expect(store.layerCount == layers.count, "there are \(store.layerCount) layers and not \(layers.count)")
    }

    func replaceLayer() {
        guard !layers.isEmpty else { return }
        let index = generator.below(layers.count)
        let seed = generator.next()
        store.replace(layers[index].id, with: { try ModelLayer.run(seed, on: $0) })
        layers[index].layer = .updater(seed)
        publish { _ in }
    }

    func dropLayer() throws {
        guard !layers.isEmpty else { return }
        let id = layers.remove(at: generator.below(layers.count)).id
        try expect(store.drop(id), "a layer was gone")
        publish { _ in }
        try expect(!store.drop(id), "a layer went twice")
    }

    /// Publishes the response of an optimistic change: one publish drops the layer and writes the response.
    func confirmLayer() throws {
        let chosen = operation(.anything)
        guard !layers.isEmpty, let held = try normalize(chosen, like: nil) else { return }
        let id = layers.remove(at: generator.below(layers.count)).id
        store.publish(held.staged, for: held.bound, dropping: id)
        publish { $0.write(held.answer) }
        if held.bound.artifact.kind != .query { notes.note(held.answer.written, at: model.clock) }
        if held.bound.artifact.kind == .mutation { try compareBelowLayers(held, chosen.call) }
    }

    /// Checks that the sender of a mutation reads its response without layers.
    private func compareBelowLayers(_ held: Held, _ call: ModelCall) throws {
        let json = store.read(AnyData.self, of: held.bound).data?.json(call.items)
        let expected = ModelReader.read(model, call, at: store.dataID(of: held.bound.root).rawValue)
        try expect(
            json == expected.json,
            "below layers is \(json?.text ?? "nothing") and not \(expected.json?.text ?? "nothing")")
    }
}
