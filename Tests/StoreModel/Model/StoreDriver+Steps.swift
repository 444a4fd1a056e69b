import Baton
import RandomCases

extension StoreDriver {
    func perform(_ kind: Step.Kind) throws {
        switch kind {
        case .answer: try publishAnswer(operation(.anything), like: nil)
        case .again:
            let chosen = operation(.anything)
            try publishAnswer(chosen, like: lastAnswers[chosen.index])
        case .moved: try publishMoved()
        case .broken: try breakAnswer()
        case .early: try readEarly()
        case .land: try land()
        case .update: try update()
        case .failure: try failUpdate()
        case .nested: try nestUpdates()
        case .updater: try publishWithUpdater()
        case .invalidate: invalidate()
        case .stale: try invalidateSome()
        case .subscribe: try subscribe()
        case .reread: try readAgain()
        case .unsubscribe: unsubscribe()
        case .snapshot: try readSomething()
        case .late: try subscribeLate()
        case .retain, .release: try retain(kind == .retain)
        case .fetched: noteFetch()
        case .optimistic: try applyLayer()
        case .replace: replaceLayer()
        case .drop: try dropLayer()
        case .pile: try pileLayers()
        case .revert: try revertLayers()
        case .confirm: try confirmLayer()
        case .begin: beginQuery()
        case .end: endQuery()
        case .keep: try keepSnapshot()
        case .restore: try restoreSnapshot()
        case .reset: try reset()
        case .collect, .slice: try collect(kind == .collect)
        case .check: try check()
        case .read: try readAnything()
        case .write: try write()
        case .restart: try restart()
        }
    }

    // MARK: - Operations

    struct Chosen {
        let index: Int
        let key: ModelOperationKey
        let call: ModelCall
        let bound: BoundOperation
    }

    enum Choice {
        case anything
        case query
    }

    /// Chooses an operation with variables; queries are bound once.
    func operation(_ choice: Choice) -> Chosen {
        let queries = universe.operations.indices.filter { universe.operations[$0].kind == .query }
        let index = choice == .query ? generator.pick(queries) : generator.below(universe.operations.count)
        var members: [JSONValue.Member] = []
        if generator.chance(50) { members.append(.init("flag", .bool(generator.chance(50)))) }
        if generator.chance(30) { members.append(.init("v", .int(2))) }
        let variables = JSONValue.object(members)
        let key = ModelOperationKey(index: index, variables: variables)
        let operation = universe.operations[index]
        if let known = bound[key] { return Chosen(index: index, key: key, call: known.call, bound: known.operation) }
        let call = ModelCall(operation: operation, variables: variables)
        let new = store.bind(operation.artifact, variables: variables)
        if operation.kind == .query { bound[key] = (call, new) }
        return Chosen(index: index, key: key, call: call, bound: new)
    }

    // MARK: - Answers

    /// Makes a new response, or a copy of a known answer in which one number differs.
    private func answer(_ chosen: Chosen, like known: JSONValue?) -> JSONValue {
        var answer: JSONValue
        if let known {
            answer = known
            if generator.chance(70) {
                var count = Self.numbers(in: answer)
                if count > 0 {
                    count = generator.below(count)
                    answer = Self.changing(&count, answer, to: generator.below(4))
                }
            }
        } else {
            var answerer = Answerer(chosen.call, isStable: universe.isStable, SeededGenerator(seed: generator.next()))
            answer = answerer.answer()
        }
        lastAnswers[chosen.index] = answer
        return answer
    }

    private static func numbers(in json: JSONValue) -> Int {
        switch json {
        case .object(let members):
            members.reduce(0) { sum, member in
                if case .int = member.value, member.name != "id" { sum + 1 } else { sum + numbers(in: member.value) }
            }
        case .array(let values): values.reduce(0) { $0 + numbers(in: $1) }
        default: 0
        }
    }

    private static func changing(_ index: inout Int, _ json: JSONValue, to number: Int) -> JSONValue {
        switch json {
        case .object(let members):
            var result: [JSONValue.Member] = []
            for member in members {
                if case .int = member.value, member.name != "id" {
                    result.append(.init(member.name, index == 0 ? .int(number) : member.value))
                    index -= 1
                } else {
                    result.append(.init(member.name, changing(&index, member.value, to: number)))
                }
            }
            return .object(result)
        case .array(let values):
            var result: [JSONValue] = []
            for value in values { result.append(changing(&index, value, to: number)) }
            return .array(result)
        default: return json
        }
    }

    /// Reads a response in the store and in the model, and checks that both accept or refuse it.
    func normalize(_ chosen: Chosen, like known: JSONValue?) throws -> Held? {
        let json = answer(chosen, like: known)
        tell?("\(chosen.bound.artifact.name): \(json.text)")
        let body = JSONValue.object([.init("data", json)]).jsonBytes
        let staged = try? store.normalize(body, for: chosen.bound)
        let root = store.dataID(of: staged?.root ?? chosen.bound.root).rawValue
        let expected = try? ModelAnswer(chosen.call, json, root: root)
        try expect((staged == nil) == (expected == nil), "the response is taken: \(staged != nil)\n\(json)")
        guard let staged, let expected else { return nil }
        return Held(generation: generation, staged: staged, answer: expected, bound: chosen.bound)
    }

    func publishAnswer(_ chosen: Chosen, like known: JSONValue?) throws {
        guard let held = try normalize(chosen, like: known) else { return }
        try publish(held)
    }

    /// Publishes a copy of the last response in which objects have moved, now or later.
    private func publishMoved() throws {
        let chosen = operation(.anything)
        guard let known = lastAnswers[chosen.index] else { return }
        var mover = Mover(generator: SeededGenerator(seed: generator.next()))
        guard let held = try normalize(chosen, like: mover.moved(known)) else { return }
        if generator.chance(30) { self.held.append(held) } else { try publish(held) }
    }

    /// Checks that the numbers for the log equal those of the model.
    func expectSummary(_ summary: PublishSummary, privateTo root: RecordID = .root) throws {
        // A record of which memory lacks a field counts as changed by a response that brings the field again.
        guard disk == nil else { return }
        guard let (changes, replaced) = changes.last, replaced.isEmpty, layers.isEmpty else { return }
        let own = store.dataID(of: root).rawValue
        let count = changes.records.count { root == .root || $0 != own && !$0.hasPrefix("\(own):") }
        try expect(summary.recordsChanged == count, "\(summary.recordsChanged) records changed and not \(count)")
    }

    private func breakAnswer() throws {
        let chosen = operation(.anything)
        var answerer = Answerer(chosen.call, isStable: universe.isStable, SeededGenerator(seed: generator.next()))
        var body = JSONValue.object([.init("data", answerer.answer())]).jsonBytes
        body[generator.below(body.count)] = UInt8(generator.below(96) + 32)
        _ = try? store.normalize(body, for: chosen.bound)
    }

    private func readEarly() throws {
        let chosen = operation(.anything)
        let known = generator.chance(60) ? lastAnswers[chosen.index] : nil
        if let one = try normalize(chosen, like: known) { held.append(one) }
        if held.count > 4 { held.removeFirst() }
    }

    private func land() throws {
        guard !held.isEmpty else { return }
        try publish(held.remove(at: generator.below(held.count)))
    }

    // MARK: - Reading

    /// Chooses a query and the record at which it is read.
    private func place() throws -> (Chosen, String) {
        let chosen = operation(.query)
        let known = top.records.keys.filter(isNamed).sorted()
        return (chosen, known.isEmpty || generator.chance(60) ? ModelState.root : generator.pick(known))
    }

    private func subscribe() throws {
        guard live.count < 10 else { return }
        let (chosen, root) = try place()
        let reading = try reading(chosen.call, chosen.bound, at: root)
        let subscriber = Subscriber()
        let id = store.subscribe(subscriber, to: reading.dependencies)
        live.append(Live(id: id, subscriber: subscriber, reading: reading))
    }

    private func readAgain() throws {
        for index in live.indices where live[index].isOld && generator.chance(70) {
            let old = live[index].reading
            let reading = try reading(old.call, old.bound, at: old.root)
            let (id, hasChanged) = store.subscribe(
                quietly: live[index].subscriber, to: reading.dependencies, replacing: live[index].id)
            try expect(id == live[index].id && !hasChanged, "a subscription was not replaced")
            live[index].reading = reading
            live[index].isOld = false
        }
    }

    private func unsubscribe() {
        guard !live.isEmpty else { return }
        let id = live.remove(at: generator.below(live.count)).id
        store.unsubscribe(id)
        if generator.chance(20) { store.unsubscribe(id) }
    }

    private func readSomething() throws {
        let (chosen, root) = try place()
        read.append(try reading(chosen.call, chosen.bound, at: root))
        if read.count > 3 { read.removeFirst() }
    }

    /// Subscribes after a read; changes since the read must be notified at once, as far as record versions show them.
    private func subscribeLate() throws {
        guard !read.isEmpty, live.count < 10 else { return }
        let reading = read.remove(at: generator.below(read.count))
        let subscriber = Subscriber()
        let id = store.subscribe(subscriber, to: reading.dependencies)
        let now = ModelReader.read(top, reading.call, at: reading.root)
        let must = now.json != reading.model.json || now.isMissingData != reading.model.isMissingData
        let may =
            reading.model.records.contains { changedAt[$0] ?? 0 > reading.clock }
            || reading.model.usesFacts && factsChangedAt > reading.clock || emptiedAt > reading.clock
        let told = subscriber.count == 1
        // What was left in the file may have been laid under a record since, or an update has written the same value.
        try expect((told || !must) && (may || leavesUnknown || !told), "who subscribes late is told: \(told)")
        live.append(Live(id: id, subscriber: subscriber, reading: reading, told: subscriber.count, isOld: told))
    }

    private func readAnything() throws {
        let (chosen, root) = try place()
        _ = try reading(chosen.call, chosen.bound, at: root)
    }

    // MARK: - Operations that are kept

    private func retain(_ isMore: Bool) throws {
        let chosen = operation(.query)
        let count = retained[chosen.key] ?? 0
        if isMore { store.operations.retain(chosen.bound) } else { store.operations.releaseWithoutBuffer(chosen.bound) }
        retained[chosen.key] = max(count + (isMore ? 1 : -1), 0)
        try expect(
            store.operations.holderCount(of: chosen.bound) == retained[chosen.key], "an operation is retained wrongly")
    }

    private func noteFetch() {
        let chosen = operation(.query)
        store.noteFetch(of: chosen.bound, key: nil, at: .seconds(model.clock))
        fetched[chosen.key] = ModelFetch(time: model.clock, clock: model.clock)
    }

    private func check() throws {
        let chosen = operation(.query)
        let expected = ModelCheck(top, chosen.call, at: ModelState.root)
        let fetch = fetched[chosen.key]
        let own = max(
            top.invalidatedOperations[chosen.key] ?? 0, top.invalidatedQueries[chosen.index] ?? 0,
            expected.lastInvalidation)
        let isStale = own > 0 && (fetch?.clock ?? -1) < own || fetch?.isRevoked == true
        let found = store.check(chosen.bound)
        if isStale, expected.missing == nil, case .available(nil) = found, isOfUnreadRecords(own, chosen) { return }
        let isRight =
            switch found {
            case .missing(let place): place.path == expected.missing
            case .stale: expected.missing == nil && isStale
            case .available(let time):
                expected.missing == nil && !isStale && time == fetch.map { Duration.seconds($0.time) }
            }
        try expect(
            isRight,
            "\(chosen.call.operation.artifact.name) is \(found); missing is \(expected.missing ?? []), stale: \(isStale)"
        )
    }

    /// Returns true if only invalidations of single records before the restart make an operation stale. The store does
    /// not know them as long as it has all that the operation needs of those records from answers after the restart.
    private func isOfUnreadRecords(_ invalidated: Int, _ chosen: Chosen) -> Bool {
        guard disk != nil, invalidated <= restartedAt else { return false }
        var others = top
        others.invalidatedRecords = [:]
        return ModelCheck(others, chosen.call, at: ModelState.root).lastInvalidation == 0
    }

    private func invalidate() {
        publish { $0.invalidateAll() }
        store.invalidate()
    }

    /// Makes a record, a type, an operation, or all operations of a query stale.
    private func invalidateSome() throws {
        switch generator.below(4) {
        case 0:
            let id = generator.pick((top.records.keys.filter(isNamed) + ["new0"]).sorted())
            tell?("the record \(id)")
            let isThere = store.invalidate(DataID(id)) != nil
            try expect(isThere == (top.records[id] != nil), "\(id) was made stale: \(isThere)")
            if isThere { publish { $0.invalidatedRecords[id] = $0.clock + 1 } }
        case 1:
            let type = generator.pick(["N0", "N1", "L0", "P", "A", "B", "None"])
            tell?("the type \(type)")
            store.invalidate(type: TypeName(type))
            publish { $0.invalidatedTypes[type] = $0.clock + 1 }
        case 2:
            let chosen = operation(.query)
            store.invalidate(chosen.bound)
            publish { $0.invalidatedOperations[chosen.key] = $0.clock + 1 }
        default:
            let chosen = operation(.query)
            store.invalidate(all: chosen.bound.artifact)
            publish { $0.invalidatedQueries[chosen.index] = $0.clock + 1 }
        }
    }
}
