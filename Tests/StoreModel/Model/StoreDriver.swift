import Baton
import RandomCases

/// Performs the same steps on a store and on the model, and compares the two.
final class StoreDriver: ModelDriver {
    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    /// A reader that subscribes to changes.
    final class Subscriber: StoreSubscriber {
        private let calls = Guarded(0)
        var count: Int { calls.withLock { $0 } }
        func storeDidChange(at epoch: Epoch) { calls.withLock { $0 += 1 } }
    }

    /// The result of a read in the store and in the model.
    struct Reading {
        let call: ModelCall
        let bound: BoundOperation
        let root: String
        let dependencies: Dependencies
        let model: ModelSnapshot
        /// The clock of the read.
        let clock: Int
    }

    struct Live {
        let id: SubscriptionID
        let subscriber: Subscriber
        var reading: Reading
        var told = 0
        /// Whether the subscriber was notified and has not read again.
        var isOld = false
    }

    /// A response that was read but not published.
    struct Held {
        /// The generation of the store when the response was read.
        let generation: Int
        let staged: StagedResponse
        let answer: ModelAnswer
        let bound: BoundOperation
    }

    var store = Store()
    var tell: ((String) -> Void)?
    let universe: Universe
    /// The published state without optimistic layers.
    var model = ModelState()
    var layers: [(id: LayerID, layer: ModelLayer)] = []
    /// The state that readers see.
    var top = ModelState()
    var generator = SeededGenerator(seed: 0)
    var bound: [ModelOperationKey: (call: ModelCall, operation: BoundOperation)] = [:]
    var lastAnswers: [Int: JSONValue] = [:]
    var live: [Live] = []
    var held: [Held] = []
    var read: [Reading] = []
    /// The last fetch of each operation, by operation and variables.
    var fetched: [ModelOperationKey: ModelFetch] = [:]
    var retained: [ModelOperationKey: Int] = [:]
    /// The clock of each record's last change.
    var changedAt: [String: Int] = [:]
    var factsChangedAt = 0
    var emptiedAt = 0
    var generation = 0
    var notes = ModelNotes()
    /// The last snapshot.
    var kept: ModelSnapshotOfAll?
    /// The changes of the publishes of this step, and the records that they rewrote.
    var changes: [(changes: ModelChanges, replaced: Set<String>)] = []
    /// The file under the store; nil for a store without one.
    var disk: (any ModelDisk)?
    /// Hears of each state that was published, and of each that was written.
    var observe: ((Observation) -> Void)?
    /// The clock of the last restart.
    var restartedAt = 0
    /// The state at the last write.
    var written = ModelState()
    /// True if fields that no operation of the model has selected yet stay in the file.
    let leavesUnknown: Bool
    private var steps = 0
    /// The epoch of the store at the last comparison.
    private var comparedAt: Epoch = 0

    convenience init(world: UInt64) { self.init(Universe(seed: world)) }

    enum Observation { case published, written }

    init(_ universe: Universe, disk: (any ModelDisk)? = nil, leavesUnknown: Bool = false) {
        self.universe = universe
        self.disk = disk
        self.leavesUnknown = leavesUnknown
        if let disk, let made = try? Store(disk: disk) { store = made }
        store.acceptValuesOfAnyType(leavingUnknown: leavesUnknown)
    }

    /// Has the next step compared.
    func resetComparison() { comparedAt = 0 }

    func expect(_ holds: Bool, _ text: @autoclosure () -> String) throws {
        if !holds { throw Difference(description: text()) }
    }

    func publish(replacing replaced: Set<String> = [], _ body: (inout ModelState) throws -> Void) rethrows {
        let before = top
        try body(&model)
        model.clock += 1
        top = Self.replay(model, layers)
        let changes = top.differences(from: before)
        for id in changes.records.union(replaced) { changedAt[id] = model.clock }
        if !changes.facts.isEmpty { factsChangedAt = model.clock }
        self.changes.append((changes, replaced))
        observe?(.published)
    }

    func perform(_ step: Step) throws {
        generator = SeededGenerator(seed: step.seed)
        changes = []
        if disk != nil, !Self.isOfDisk(step.kind) { return }
        try perform(step.kind)
        try checkSubscribers()
        if disk != nil {
            if generator.chance(30) {
                try compareWithDisk()
                let violations = store.checkInvariants()
                try expect(violations.isEmpty, violations.joined(separator: "; "))
            }
            return
        }
        // Without a publish, only the entries of subscriptions and operations can differ. Such a step is checked only
        // sometimes.
        if store.epoch != comparedAt || steps % 4 == 0 {
            let violations = store.checkInvariants()
            try expect(violations.isEmpty, violations.joined(separator: "; "))
        }
        if store.epoch != comparedAt { try compare() }
        comparedAt = store.epoch
        steps += 1
        if steps % 64 == 0 { try compareText() }
    }

    /// Drops all layers, and checks that the store equals the published state.
    func finish() throws {
        while !layers.isEmpty { try dropLayer() }
        if disk != nil { return try compareWithDisk() }
        try compareText()
        let violations = store.checkInvariants()
        try expect(violations.isEmpty, violations.joined(separator: "; "))
    }

    // MARK: - Comparing

    func checkSubscribers() throws {
        for index in live.indices {
            let reading = live[index].reading
            let told = live[index].subscriber.count - live[index].told
            live[index].told += told
            let must = changes.count { reading.model.mustHear(of: $0.changes) }
            let may = changes.count { reading.model.mayHear(of: $0.changes, replaced: $0.replaced) }
            try expect(
                must <= told && told <= may,
                "the reader of \(reading.call.operation.artifact.name) at \(reading.root) was told \(told) times, not \(must) to \(may)"
            )
            if told > 0 { live[index].isOld = true }
        }
        // A subscriber that was not notified must see the same data.
        if !live.isEmpty {
            let one = live[generator.below(live.count)]
            if !one.isOld {
                let now = try reading(one.reading.call, one.reading.bound, at: one.reading.root)
                try expect(
                    now.model.json == one.reading.model.json,
                    "the reader of \(one.reading.call.operation.artifact.name) at \(one.reading.root) was not told, and sees something else"
                )
            }
        }
        try expect(store.subscriptionCount == live.count, "subscriptions are counted wrongly")
    }

    /// Reads in the store and in the model, and checks that both agree.
    func reading(_ call: ModelCall, _ bound: BoundOperation, at root: String) throws -> Reading {
        guard let record = disk == nil ? store.record(DataID(root)) : store.soughtRecord(DataID(root)) else {
            throw Difference(description: "the record \(root) is not known")
        }
        let snapshot = store.read(AnyData.self, at: record, bound.reader)
        let json = snapshot.data?.json(call.items)
        let expected = ModelReader.read(top, call, at: root)
        try expect(
            json == expected.json,
            "\(call.operation.artifact.name) at \(root) reads \(json?.text ?? "nothing") and not \(expected.json?.text ?? "nothing")"
        )
        try expect(
            snapshot.isMissingData == expected.isMissingData,
            "\(call.operation.artifact.name) at \(root) is missing data: \(snapshot.isMissingData)")
        return Reading(
            call: call, bound: bound, root: root, dependencies: snapshot.dependencies, model: expected,
            clock: model.clock)
    }

    private func compare() throws { try compareContents { _ in true } }

    /// Compares the records whose identities are chosen.
    func compareContents(_ isChosen: (String) -> Bool) throws {
        var existing = 0
        var deleted = 0
        for record in store.contents() where isChosen(record.id.rawValue) {
            let id = record.id.rawValue
            guard let type = record.type else {
                deleted += 1
                try expect(top.deleted.contains(id), "\(id) is deleted")
                continue
            }
            existing += 1
            guard let expected = top.records[id] else { throw Difference(description: "\(id) exists") }
            try expect(type.rawValue == expected.type, "\(id) is \(type) and not \(expected.type)")
            try expect(
                record.fields.count == expected.fields.count
                    || leavesUnknown && record.fields.count < expected.fields.count,
                "\(id) has \(record.fields.map(\.key.rawValue)) and not \(expected.fields.keys.sorted())")
            for (key, value) in record.fields {
                guard let expected = expected.fields[key.rawValue], matches(value, expected) else {
                    throw Difference(
                        description:
                            "\(id).\(key) is \(value) and not \(expected.fields[key.rawValue]?.json.text ?? "missing")"
                    )
                }
            }
        }
        let found = Set(store.contents().map(\.id.rawValue))
        let missing = top.records.keys.filter { isChosen($0) && !found.contains($0) }.sorted()
        try expect(missing.isEmpty, "the store lacks \(missing.prefix(5))")
        let all = (existing: top.records.keys.count(where: isChosen), deleted: top.deleted.count(where: isChosen))
        try expect(existing == all.existing, "there are \(existing) records and not \(all.existing)")
        try expect(deleted == all.deleted, "\(deleted) records are deleted and not \(all.deleted)")
        let facts = store.typeFacts
        try expect(facts.count == top.facts.count, "there are \(facts.count) facts and not \(top.facts.count)")
        for (type, abstractType, holds) in facts {
            let fact = ModelState.Fact(type: type.rawValue, abstractType: abstractType.rawValue)
            try expect(top.facts[fact] == holds, "\(type) is \(abstractType): \(holds)")
        }
    }

    private func matches(_ value: Value, _ expected: ModelValue) -> Bool {
        switch (value, expected) {
        case (.link(let target), .link(let id)): return store.dataID(of: target).rawValue == id
        case (.links(let targets), .links(let ids)):
            guard targets.count == ids.count else { return false }
            return zip(targets, ids).allSatisfy { target, id in
                guard let id else { return target == .none }
                return target != .none && store.dataID(of: target).rawValue == id
            }
        case (.list(let values), .list(let items)):
            return values.count == items.count && zip(values, items).allSatisfy(matches)
        case (.link, _), (.links, _), (.list, _), (_, .link), (_, .links), (_, .list): return false
        case (_, .scalar(let json)): return value.json == json
        }
    }

    private func compareText() throws {
        let (text, expected) = (store.dump(), top.dump)
        try expect(text == expected, "the store is\n\(text)\nand not\n\(expected)")
    }
}

extension Value {
    /// A scalar as JSON.
    var json: JSONValue? {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .scalar(let scalar): scalar.json
        case .link, .links, .list: nil
        }
    }
}
