import RandomCases
import StoreModel
import Testing

@testable import Baton

/// Coverage compared with dictionaries, for random operations, late responses, updates, deletions, invalidations
/// and ages.
@Suite struct AvailabilityModelTests {
    @Test(arguments: RandomCases.seeds(20)) func everyCheckSaysWhatDictionariesSay(_ seed: Int) throws {
        var run = try ModelRun(seed: UInt64(seed))
        for step in 0..<80 {
            try run.move()
            for index in run.operations.indices {
                let found = run.store.checkAvailability(of: run.operations[index], at: .seconds(run.now)).availability
                let expected = run.model.check(run.plans[index], index, now: run.now)
                let isSame =
                    switch (found, expected) {
                    case (.missing, .missing), (.stale, .stale): true
                    case (.available(let left), .available(let right)): left == right.map { .seconds($0) }
                    default: false
                    }
                #expect(isSame, "step \(step): \(found), not \(expected), of \(run.texts[index])")
                if !isSame { return }
            }
        }
    }
}

/// A model of the documented behaviour of a store, in dictionaries.
private struct AvailabilityModel {
    enum Finding {
        case missing
        case stale
        case available(Int?)
    }

    struct Mark {
        let time: Int
        let began: Epoch
    }

    struct Field {
        var value: JSONValue
        var mark: Mark?
    }

    var records: [String: [String: Field]] = ["root": [:]]
    var types: [String: String] = [:]
    var deleted: Set<String> = []
    var fetches: [Int: Mark] = [:]
    var everything: Epoch = 0
    var ofRecord: [String: Epoch] = [:]
    var ofType: [String: Epoch] = [:]
    var ofOperation: [Int: Epoch] = [:]

    /// Links are kept as the names of records.
    mutating func write(_ items: [SelectionPlan.Item], _ answer: JSONValue, at record: String, _ mark: Mark) {
        if deleted.remove(record) != nil { records[record] = nil }
        for item in items {
            guard case .field(let field) = item.kind, let value = answer[field.responseKey] else { continue }
            let key = VariableValues(sent: .null, declared: []).storageKey(field)
            let stored = field.selections.isEmpty ? value : link(value, field, "\(record).\(key)", mark)
            records[record, default: [:]][key] = Field(value: stored, mark: mark)
        }
    }

    private mutating func link(_ value: JSONValue, _ field: SelectionPlan.Field, _ place: String, _ mark: Mark)
        -> JSONValue
    {
        switch value {
        case .array(let items):
            return .array(items.enumerated().map { link($1, field, "\(place):\($0)", mark) })
        case .object:
            guard case .object(let type, _) = field.type.named else { return .null }
            var record = place
            if case .string(let id)? = value["id"] { record = id }
            write(field.selections, value, at: record, mark)
            types[record] = type
            return .string(record)
        default: return value
        }
    }

    func check(_ plan: SelectionPlan, _ operation: Int, now: Int) -> Finding {
        var walk = Walk(model: self, fetch: fetches[operation], now: now)
        walk.check(plan.items, "root")
        if walk.isMissing { return .missing }
        let oldest = walk.oldest ?? fetches[operation]?.time
        let invalidated = ofOperation[operation] ?? 0
        if invalidated > 0, fetches[operation].map({ $0.began < invalidated }) ?? true { return .stale }
        if let limit = plan.marks.maxAge, let oldest, .seconds(now - oldest) > limit { return .stale }
        return walk.isStale ? .stale : .available(oldest)
    }

    private struct Walk {
        let model: AvailabilityModel
        let fetch: Mark?
        let now: Int
        var isMissing = false
        var isStale = false
        var oldest: Int?

        mutating func check(_ items: [SelectionPlan.Item], _ record: String) {
            if model.deleted.contains(record) { return }
            let ofType = model.types[record].flatMap { model.ofType[$0] } ?? 0
            let invalidated = max(model.everything, model.ofRecord[record] ?? 0, ofType)
            for item in items {
                guard case .field(let field) = item.kind else { continue }
                let key = VariableValues(sent: .null, declared: []).storageKey(field)
                guard let stored = model.records[record]?[key] else {
                    isMissing = true
                    return
                }
                if key != "id" {
                    let mark = stored.mark ?? fetch
                    if let time = stored.mark?.time { oldest = min(oldest ?? time, time) }
                    if invalidated > 0, mark.map({ $0.began < invalidated }) ?? true { isStale = true }
                    if let limit = item.marks.maxAge, let mark, .seconds(now - mark.time) > limit { isStale = true }
                }
                if !field.selections.isEmpty { follow(stored.value, field.selections) }
            }
        }

        private mutating func follow(_ value: JSONValue, _ items: [SelectionPlan.Item]) {
            switch value {
            case .string(let record): check(items, record)
            case .array(let values): for value in values { follow(value, items) }
            default: break
            }
        }
    }
}

/// One store with a few operations that read the same records, and its model.
private struct ModelRun {
    private struct Pending {
        let operation: Int
        let staged: StagedResponse
        let answer: JSONValue
        let began: Epoch
    }

    let store = Store()
    var model = AvailabilityModel()
    private(set) var now = 0
    private(set) var texts: [String] = []
    private(set) var plans: [SelectionPlan] = []
    private(set) var operations: [BoundOperation] = []
    private var generator: SeededGenerator
    private var pending: [Pending] = []
    private var layers: [LayerID] = []

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed &+ 77)
        for index in 0..<7 {
            let limit = chance(15) ? "@maxAge(\(Int.random(in: 10...60, using: &generator)))" : ""
            let text = limit + selections(type: nil, depth: 0)
            let artifact = GeneratedCode.OperationArtifact(
                name: "O\(index)", kind: .query, text: "", normalization: text, reader: "{}")
            texts.append(text)
            plans.append(try SelectionPlan.decode(text))
            operations.append(store.bind(artifact, variables: .object([])))
        }
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    // MARK: - Plans and answers

    /// The types `A` and `B` have an `id`, `P` has none.
    private mutating func selections(type: String?, depth: Int) -> String {
        var items = type == nil || type == "P" ? [] : ["id:ID!"]
        let wide = type == nil ? 12 : 8
        for _ in 0..<(1 + pick(3)) {
            let limit = chance(12) ? "@maxAge(\(5 + pick(50)))" : ""
            items.append("s\(pick(wide)):Int\(limit)")
        }
        if depth < 3 {
            for field in ["la:+A", "lb:[+B]", "lp:P", "lq:[[+A]]"] where chance(45) || type == nil && items.count == 1 {
                let inner = selections(
                    type: field.contains("A") ? "A" : field.contains("B") ? "B" : "P", depth: depth + 1)
                items.append(field + inner)
            }
        }
        var seen: Set<Substring> = []
        items = items.filter { seen.insert($0.prefix { $0 != ":" }).inserted }
        return "{\(items.joined(separator: " "))}"
    }

    /// A record has the same fields everywhere in one response.
    private mutating func answer(
        _ items: [SelectionPlan.Item], _ record: String, _ known: inout [String: JSONValue]
    ) -> JSONValue {
        var members: [JSONValue.Member] = []
        for item in items {
            guard case .field(let field) = item.kind else { continue }
            let place = "\(record).\(field.name)"
            if field.name == "id" {
                members.append(.init("id", .string(record)))
            } else if field.selections.isEmpty {
                let value = known[place] ?? (chance(10) ? .null : .int(pick(3)))
                known[place] = value
                members.append(.init(field.name, value))
            } else {
                let target = known[place] ?? target(field.type, place)
                known[place] = target
                members.append(.init(field.name, fill(target, field.selections, &known)))
            }
        }
        return .object(members)
    }

    /// Returns names of records in the form of the field's type.
    private mutating func target(_ type: SelectionPlan.FieldType, _ place: String) -> JSONValue {
        if chance(10) { return .null }
        switch type {
        case .nonNull(let inner): return target(inner, place)
        case .list(let inner): return .array((0..<pick(4)).map { target(inner, "\(place):\($0)") })
        case .named(.object("P", _)): return .string(place)
        case .named(.object(let name, _)): return .string("\(name)\(pick(4))")
        case .named: return .null
        }
    }

    private mutating func fill(
        _ target: JSONValue, _ items: [SelectionPlan.Item], _ known: inout [String: JSONValue]
    ) -> JSONValue {
        switch target {
        case .string(let record): answer(items, record, &known)
        case .array(let values): .array(values.map { fill($0, items, &known) })
        default: .null
        }
    }

    // MARK: - Moves

    mutating func move() throws {
        now += pick(12)
        switch pick(24) {
        case 0..<9: try fetch()
        case 9..<12: land()
        case 12..<14: try update()
        case 14: try delete()
        case 15:
            model.everything = store.invalidate().epoch
            (model.ofRecord, model.ofType, model.ofOperation) = ([:], [:], [:])
        case 16:
            let record = "\(["A", "B"][pick(2)])\(pick(4))"
            if let summary = store.invalidate(DataID(record)) { model.ofRecord[record] = summary.epoch }
        case 17, 18: applyLayer()
        case 19:
            if !layers.isEmpty { store.drop(layers.remove(at: pick(layers.count))) }
        case 20:
            let type = ["A", "B", "P"][pick(3)]
            model.ofType[type] = store.invalidate(type: TypeName(type)).epoch
        default:
            let index = pick(operations.count)
            model.ofOperation[index] = store.invalidate(operations[index]).epoch
        }
    }

    private mutating func fetch() throws {
        let index = pick(operations.count)
        var known: [String: JSONValue] = [:]
        let answer = answer(plans[index].items, "root", &known)
        let body = JSONValue.object([.init("data", answer)]).jsonBytes
        let began = store.epoch
        let staged = try store.normalize(body, for: operations[index])
        pending.append(Pending(operation: index, staged: staged, answer: answer, began: began))
        if chance(75) { land(pending.count - 1) }
    }

    private mutating func land(_ position: Int? = nil) {
        guard !pending.isEmpty else { return }
        let next = pending.remove(at: position ?? pick(pending.count))
        let mark = FetchMark(time: .seconds(now), began: next.began)
        store.publish(next.staged.fetched(mark), for: operations[next.operation])
        store.noteFetch(of: operations[next.operation], key: nil, at: mark.time, began: mark.began)
        model.write(plans[next.operation].items, next.answer, at: "root", .init(time: now, began: next.began))
        model.fetches[next.operation] = .init(time: now, began: next.began)
    }

    /// Changes an existing scalar, which keeps its age.
    private mutating func update() throws {
        let record = "\(["A", "B"][pick(2)])\(pick(4))"
        let key = "s\(pick(8))"
        guard !model.deleted.contains(record), model.records[record]?[key] != nil else { return }
        try store.update { try $0.get(DataID(record))?.setValue(.int(9), forField: key) }
        model.records[record]?[key]?.value = .int(9)
    }

    /// Adds a layer. The fields that it writes are not available because of it, and get no new age.
    private mutating func applyLayer() {
        let record = "\(["A", "B"][pick(2)])\(pick(4))"
        let key = "s\(pick(8))"
        let layer = store.apply { records in
            guard let record = records.get(DataID(record)), record.value(forField: key) != nil else { return }
            try record.setValue(.int(8), forField: key)
        }
        layers.append(layer)
    }

    private mutating func delete() throws {
        let record = "\(["A", "B"][pick(2)])\(pick(4))"
        guard model.records[record] != nil else { return }
        try store.update { try $0.delete(DataID(record)) }
        model.deleted.insert(record)
    }
}

extension StagedResponse {
    /// The same response with another fetch time.
    fileprivate func fetched(_ mark: FetchMark) -> StagedResponse {
        var records = take()
        records.fetch = mark
        return StagedResponse(
            records: records, handled: handled, generation: generation, presence: presence, errors: errors,
            extensions: extensions, root: root, hold: hold)
    }
}
