import Baton
import RandomCases

/// Fetches operations with a manual clock, and compares the ages in the store with marks that the model keeps for each
/// field.
///
/// The steps include answers that began at different times, repeated answers, updates, deletions, invalidations of all
/// kinds, limits of fields and operations, snapshots and collections.
final class AgeDriver: ModelDriver {
    typealias Difference = StoreDriver.Difference

    /// The time of a fetch, and the newest version at its beginning.
    struct Mark {
        var time: Int
        let began: Int
    }

    struct Fetch {
        var mark: Mark
        var isRevoked = false
    }

    struct Query {
        let call: ModelCall
        let bound: BoundOperation
        var fetch: Fetch?
        /// The version of the last invalidation of this operation or of its query.
        var invalidated = 0
        var lastAnswer: JSONValue?
    }

    private struct Kept {
        let bytes: [UInt8]
        let state: ModelState
        let marks: [String: [String: Mark]]
        let fetches: [Fetch?]
        let time: Int
    }

    let store = Store()
    var tell: ((String) -> Void)?
    private var generator = SeededGenerator(seed: 0)
    private var state = ModelState()
    /// The mark of the last response for each field, by record and field.
    private var marks: [String: [String: Mark]] = [:]
    private var queries: [Query] = []
    private var now = 0
    /// The versions at which a pending request may have begun.
    private var begun: [Int] = []
    private var kept: Kept?

    init(world: UInt64) {
        var plans = AgePlanWriter(generator: SeededGenerator(seed: world))
        for index in 0..<9 {
            let operation = ModelOperation("O\(index)", .query, plans.plan())
            let bound = store.bind(operation.artifact, variables: .object([]))
            store.operations.retain(bound)
            queries.append(Query(call: ModelCall(operation: operation, variables: .object([])), bound: bound))
        }
    }

    private var epoch: Int { Int(truncatingIfNeeded: store.epoch) }

    private func expect(_ holds: Bool, _ text: @autoclosure () -> String) throws {
        if !holds { throw Difference(description: text()) }
    }

    // MARK: - Steps

    func perform(_ step: Step) throws {
        generator = SeededGenerator(seed: step.seed)
        try perform(step.kind)
        begun.append(epoch)
        if begun.count > 6 { begun.removeFirst() }
        for query in queries { try check(query) }
        let violations = store.checkInvariants()
        try expect(violations.isEmpty, violations.joined(separator: "; "))
    }

    func finish() throws {}

    private func perform(_ kind: Step.Kind) throws {
        switch kind {
        case .answer, .again, .early, .land, .confirm: try fetch(isAgain: kind != .answer)
        case .update, .nested, .updater: try update()
        case .failure: try delete()
        case .read, .check, .reread, .late: now += generator.below(4)
        case .invalidate:
            store.invalidate()
            state.invalidateAll()
            state.invalidated = epoch
            for index in queries.indices { queries[index].invalidated = 0 }
        case .stale: invalidateSome()
        case .keep:
            let fetches = queries.map { query -> Fetch? in
                var fetch = query.fetch
                if let mark = fetch?.mark, mark.began < query.invalidated { fetch?.isRevoked = true }
                return fetch
            }
            kept = Kept(
                bytes: store.snapshot(at: .seconds(now)), state: state, marks: marks, fetches: fetches, time: now)
        case .restore: try restore()
        case .collect, .slice:
            if kind == .collect {
                store.collector.collectGarbage()
            } else {
                store.collectSome(slices: 1 + generator.below(4), size: 1 + generator.below(12))
            }
            forgetCollected()
        default: break
        }
    }

    private func fetch(isAgain: Bool) throws {
        let index = generator.below(queries.count)
        let query = queries[index]
        var answerer = Answerer(query.call, isStable: true, SeededGenerator(seed: generator.next()))
        var json = answerer.answer()
        if isAgain, let last = query.lastAnswer, generator.chance(70) { json = last }
        queries[index].lastAnswer = json
        let began = generator.chance(40) && !begun.isEmpty ? generator.pick(begun) : epoch
        let mark = Mark(time: now, began: began)
        tell?("\(query.bound.artifact.name) at \(now), begun at \(began): \(json.text)")
        let staged = try store.normalize(
            JSONValue.object([.init("data", json)]).jsonBytes, for: query.bound,
            fetch: FetchMark(time: .seconds(now), began: Epoch(began)))
        let answer = try ModelAnswer(query.call, json, root: ModelState.root)
        store.publish(staged, for: query.bound)
        state.write(answer)
        for entry in answer.entries { for (key, _) in entry.fields { marks[entry.id, default: [:]][key] = mark } }
        if generator.chance(80) {
            store.noteFetch(of: query.bound, key: nil, at: .seconds(now), began: Epoch(began))
            queries[index].fetch = Fetch(mark: mark)
        }
    }

    /// Runs an update. A written field keeps its age.
    private func update() throws {
        let ids = state.records.filter { $0.value.fields["i0"] != nil }.keys.sorted()
        guard !ids.isEmpty else { return }
        let (id, number) = (generator.pick(ids), generator.below(4))
        try store.update { source in
            let record = id == ModelState.root ? source.root : source.get(DataID(id))
            try record?.setValue(.int(number), forField: "i0")
        }
        state.records[id]?.fields["i0"] = .scalar(.int(number))
    }

    private func delete() throws {
        let ids = state.records.keys.filter { $0 != ModelState.root }.sorted()
        guard !ids.isEmpty else { return }
        let id = generator.pick(ids)
        try store.update { try $0.delete(DataID(id)) }
        state.delete(id)
        marks[id] = nil
    }

    private func invalidateSome() {
        switch generator.below(4) {
        case 0:
            let ids = state.records.keys.sorted()
            guard !ids.isEmpty else { return }
            let id = generator.pick(ids)
            _ = store.invalidate(DataID(id))
            state.invalidatedRecords[id] = epoch
            tell?("\(id) at \(epoch)")
        case 1:
            let type = generator.pick(["N0", "N1"])
            store.invalidate(type: TypeName(type))
            state.invalidatedTypes[type] = epoch
            tell?("\(type) at \(epoch)")
        default:
            let index = generator.below(queries.count)
            if generator.chance(50) {
                store.invalidate(queries[index].bound)
            } else {
                store.invalidate(all: queries[index].bound.artifact)
            }
            queries[index].invalidated = epoch
            tell?("\(queries[index].bound.artifact.name) at \(epoch)")
        }
    }

    private func restore() throws {
        guard let kept else { return }
        try store.restore(kept.bytes, at: .seconds(now))
        let shift = now - kept.time
        func later(_ mark: Mark) -> Mark { Mark(time: mark.time + shift, began: mark.began) }
        state = kept.state
        marks = kept.marks.mapValues { $0.mapValues(later) }
        for (index, fetch) in kept.fetches.enumerated() {
            queries[index].invalidated = 0
            queries[index].fetch = fetch.map { Fetch(mark: later($0.mark), isRevoked: $0.isRevoked) }
        }
        // Requests that began earlier are no longer valid.
        begun = []
        forgetCollected()
    }

    private func forgetCollected() {
        let known = Set(store.contents().map(\.id.rawValue))
        for id in Set(state.records.keys).union(state.deleted) where !known.contains(id) {
            state.records[id] = nil
            state.deleted.remove(id)
            state.invalidatedRecords[id] = nil
            marks[id] = nil
        }
    }

    // MARK: - Checking

    private struct Finding {
        var isMissing = false
        var isStale = false
        var oldest: Int?
    }

    private func check(_ query: Query) throws {
        var finding = Finding()
        look(ModelState.root, query.call.items, query, &finding)
        if state.presence(ModelState.root) == .unknown { finding.isMissing = true }
        let oldest = finding.oldest ?? query.fetch?.mark.time
        if let fetch = query.fetch {
            if fetch.isRevoked || fetch.mark.began < query.invalidated { finding.isStale = true }
        } else if query.invalidated > 0 {
            finding.isStale = true
        }
        if let limit = query.call.operation.maxAge, let oldest, now - oldest > limit { finding.isStale = true }
        let found = store.check(query.bound, at: .seconds(now))
        let isRight =
            switch found {
            case .missing: finding.isMissing
            case .stale: !finding.isMissing && finding.isStale
            case .available(let time):
                !finding.isMissing && !finding.isStale && time == oldest.map { .seconds($0) }
            }
        try expect(
            isRight,
            "\(query.bound.artifact.name) is \(found) at \(now); missing: \(finding.isMissing), "
                + "stale: \(finding.isStale), of \(oldest.map(String.init) ?? "no time")")
    }

    private func look(_ id: String, _ items: [SelectionPlan.Item], _ query: Query, _ finding: inout Finding) {
        guard let record = state.records[id] else {
            if state.presence(id) == .unknown { finding.isMissing = true }
            return
        }
        let invalidated = max(
            state.invalidated, state.invalidatedRecords[id] ?? 0, state.invalidatedTypes[record.type] ?? 0)
        for item in items {
            guard case .field(let field) = item.kind else { continue }
            guard let value = record.fields[field.name] else {
                finding.isMissing = true
                continue
            }
            if field.name != "id" {
                let own = marks[id]?[field.name]
                let mark = own ?? query.fetch?.mark
                if let own { finding.oldest = min(finding.oldest ?? own.time, own.time) }
                if invalidated > 0, mark.map({ $0.began < invalidated }) ?? true { finding.isStale = true }
                if let limit = item.marks.maxAge?.components.seconds, let mark, now - mark.time > Int(limit) {
                    finding.isStale = true
                }
            }
            switch value {
            case .link(let target): look(target, field.selections, query, &finding)
            case .links(let targets):
                for target in targets { if let target { look(target, field.selections, query, &finding) } }
            default: break
            }
        }
    }
}

/// Writes random plans of a few fields, so that many plans share parts of records. Some fields have limits.
private struct AgePlanWriter {
    var generator: SeededGenerator

    mutating func plan() -> String {
        (generator.chance(30) ? "@maxAge(\(3 + generator.below(15)))" : "") + selections(depth: 0)
    }

    private mutating func selections(depth: Int) -> String {
        var items = depth > 0 ? ["id:ID!"] : []
        let scalars = ["i0:Int", "i1:Int", "s0:String", "f0:Float", "b0:Boolean", "e0:#Color"].shuffled(
            using: &generator)
        items += scalars.prefix(1 + generator.below(3)).map { $0 + limit() }
        for object in ["o0:+N0", "lo:[+N1]"] where depth < 2 && generator.chance(depth == 0 ? 70 : 35) {
            items.append(object + limit() + selections(depth: depth + 1))
        }
        return "{\(items.joined(separator: " "))}"
    }

    private mutating func limit() -> String { generator.chance(25) ? "@maxAge(\(1 + generator.below(12)))" : "" }
}
