// Freshness has several owners, this one for what is found; ReadingTheDesign.md names the others.

/// Walks a plan over one version of the records and finds missing fields, invalidated records and the age of the data.
///
/// `AvailabilityResult` makes the decision from the findings of the walk. A deleted record counts as present, because
/// links to it read as null. Open steps wait in an array instead of the call stack, because plans nest deeper than
/// small stacks allow. Missing-field handlers are called during the walk; no lock is held.
struct AvailabilityCheck {
    /// The data for the checks besides the search for missing fields.
    struct Question {
        /// The last fetch of the operation. It dates the fields for which no response is known.
        let fetch: FetchRecord?
        let now: Duration
        let handlers: [MissingFieldHandler]
    }

    let records: Records
    let plan: BoundPlan
    /// The place of the first field that is missing.
    private(set) var missing: MissingPlace?
    /// The record and selection set that lack the field, followed by those through which it was reached.
    private(set) var trail: [Dependencies.Pair] = []
    /// The newest version in which one of the records was invalidated, by itself or with its type.
    private(set) var lastInvalidation: Epoch = 0
    /// The fetch time of the oldest field; nil if no response is known to have brought any field.
    private(set) var oldest: Duration?
    /// The first reason that was found for stale data.
    private(set) var staleness: StaleCause?
    /// The values that handlers found.
    private(set) var found: [FoundField] = []

    private let question: Question?
    private let entries: [FetchStamps.Entry]
    private var steps: [Step] = []
    private var turns: [Turn] = []
    /// The visited records with selection sets that have objects below. Without this set the check could visit one
    /// record on very many paths.
    private var visited: Set<Dependencies.Pair> = []
    private var typeInvalidations: [TypeID: Epoch] = [:]
    private let stopsWhenMissing: Bool
    /// True if fields with `@defer` may be missing.
    var skipsLaterParts = false
    /// Has the fields that are on their way. Under `@defer` they may be missing.
    var arrivals: Arrivals?
    /// True if the check only looks for a missing field that is on its way, and whether it has found one.
    private let seeksArrivals: Bool
    private(set) var isArriving = false

    init(records: Records, plan: BoundPlan, stopsWhenMissing: Bool = true, _ question: Question? = nil) {
        self.stopsWhenMissing = stopsWhenMissing
        seeksArrivals = false
        self.records = records
        self.plan = plan
        self.question = question
        entries = question == nil ? [] : records.stamps.entries
    }

    /// Makes a check that looks for a missing field that is on its way.
    init(records: Records, plan: BoundPlan, seeking arrivals: Arrivals) {
        self.records = records
        self.plan = plan
        self.arrivals = arrivals
        (question, entries, stopsWhenMissing, seeksArrivals) = (nil, [], false, true)
    }

    /// A record that is to be checked with a selection set.
    private struct Step {
        let record: RecordID
        let node: Int
        /// The position in `turns` of the field that leads here; -1 for the root.
        let turn: Int
        /// The index in the list of that field; -1 if the field is no list.
        var index = -1
        /// True under `@defer`.
        var isLater = false
        /// The number of items of the selection set that are done.
        var done = 0
        /// True if the age of a field other than the record's ID was checked.
        var isAgeChecked = false

        var pair: Dependencies.Pair { .init(record: record, node: UInt32(truncatingIfNeeded: node)) }
    }

    /// One component of a path, and the position of the component before it.
    private struct Turn {
        let before: Int
        let component: JSONValue.PathComponent
        /// The record and selection set that contain the field, and the field's key; nil for an index in a list.
        let origin: Dependencies.Pair
        let key: StorageKeyID?
    }

    /// Checks the plan's root at a record.
    mutating func check(_ root: RecordID) {
        steps.append(Step(record: root, node: 0, turn: -1))
        while !isDone, let step = steps.popLast() { check(step) }
        // A record that the store does not know can never be read, even if nothing of it is selected.
        if missing == nil, found.isEmpty, records.state(of: root) == .unknown {
            noteMissing(Step(record: root, node: 0, turn: -1))
        }
    }

    private mutating func noteMissing(_ step: Step, _ index: Int? = nil) {
        if let arrivals, seeksArrivals ? !isArriving : step.isLater, isOnItsWay(step, index, arrivals) {
            isArriving = true
            return
        }
        guard missing == nil else { return }
        missing = place(step, index)
        trail = [step.pair]
        var turn = step.turn
        while turn >= 0 {
            trail.append(turns[turn].origin)
            turn = turns[turn].before
        }
    }

    /// Returns true if a part will fill a missing field, or a field on the way to it.
    private func isOnItsWay(_ step: Step, _ index: Int?, _ arrivals: Arrivals) -> Bool {
        if arrivals.fill(index.map { plan.items[$0].key }, of: step.record, in: records) { return true }
        var turn = step.turn
        while turn >= 0 {
            if let key = turns[turn].key, arrivals.fill(key, of: turns[turn].origin.record, in: records) { return true }
            turn = turns[turn].before
        }
        return false
    }

    private func place(_ step: Step, _ index: Int?) -> MissingPlace {
        var path: [JSONValue.PathComponent] = index.map { [.key(plan.responseKeys[$0])] } ?? []
        if step.index >= 0 { path.append(.index(step.index)) }
        var turn = step.turn
        while turn >= 0 {
            path.append(turns[turn].component)
            turn = turns[turn].before
        }
        return MissingPlace(
            path: path.reversed(), record: step.record, type: records.type(of: step.record),
            key: index.map { plan.items[$0].key })
    }

    private var isDone: Bool { seeksArrivals ? isArriving : stopsWhenMissing && missing != nil }

    // MARK: - Walking

    /// Checks the remaining items of a step up to the first link. The rest of the step waits until the linked records
    /// are checked, so that the fields are checked in the order of the plan.
    private mutating func check(_ step: Step) {
        let record = step.record
        let slot = records.slot(of: record)
        if step.done == 0 {
            if slot.state == .unknown, step.turn >= 0 { return noteMissing(step) }
            if plan.nodes[step.node].hasObjects {
                let pair = Dependencies.Pair(record: record, node: UInt32(truncatingIfNeeded: step.node))
                guard visited.insert(pair).inserted else { return }
            }
        }
        let type = records.type(of: record)
        var age = Age(invalidated: invalidation(of: record, type), isAgeChecked: step.isAgeChecked)
        lastInvalidation = max(lastInvalidation, age.invalidated)
        guard slot.state != .deleted else { return }
        if question != nil { age.begin(records.stamps.stamp(of: record), entries) }
        let shape = records.shape(of: record)
        let items = plan.items(of: step.node)
        for index in items.dropFirst(step.done) {
            if isDone { return }
            let item = plan.items[index]
            switch item.kind {
            case .excluded, .dataID, .spread: continue
            // No response brings a client field, nor the objects below it.
            case .leaf where item.marks.contains(.client), .composite where item.marks.contains(.client): continue
            case .inline where skipsLaterParts && item.marks.contains(.deferred): continue
            case .leaf:
                if shape.position(of: item.key) == nil {
                    lack(index, step)
                } else if question != nil {
                    checkAge(index, step, type, &age)
                }
                continue
            case .inline, .composite: break
            }
            let count = steps.count
            var rest = step
            rest.done = index + 1 - items.lowerBound
            steps.append(rest)
            if item.kind == .inline {
                enter(item, step, type, slot.state)
            } else if let position = shape.position(of: item.key) {
                if question != nil { checkAge(index, step, type, &age) }
                follow(records.value(at: slot, position), index, step)
            } else {
                lack(index, step)
            }
            if item.marks.contains(.handle) { followCopy(index, step) }
            guard steps.count == count + 1 else {
                steps[count].isAgeChecked = age.isAgeChecked
                steps[(count + 1)...].reverse()
                return
            }
            steps.removeLast()
        }
        if question != nil, !age.isAgeChecked, age.invalidated > 0 { checkAgeOfIdentity(record, type, age) }
    }

    /// Continues with the same record inside a type condition, if the condition is fulfilled.
    private mutating func enter(_ item: BoundPlan.Item, _ step: Step, _ type: TypeID, _ state: Records.State) {
        var isMet = true
        if let condition = item.condition {
            if !item.isAbstract {
                isMet = type == condition
            } else if let holds = plan.fact(type, is: condition, in: records) {
                isMet = holds
            } else {
                isMet = false
                if state == .existing {
                    var inner = step
                    inner.isLater = step.isLater || item.marks.contains(.deferred)
                    noteMissing(inner)
                }
            }
        }
        if isMet {
            var inner = Step(record: step.record, node: Int(item.child), turn: step.turn, index: step.index)
            inner.isLater = step.isLater || item.marks.contains(.deferred)
            steps.append(inner)
        }
    }

    /// Continues with the copy that a handler keeps of a field, because reads use the copy.
    private mutating func followCopy(_ index: Int, _ step: Step) {
        guard let key = plan.marks[index]?.handle?.storageKey else { return }
        guard let value = records.value(key, of: step.record) else { return noteMissing(step, index) }
        follow(value, index, step)
    }

    /// Continues with the records that a field links to.
    private mutating func follow(_ value: Value, _ index: Int, _ step: Step) {
        switch value {
        case .link, .links, .list: break
        default: return
        }
        var turn = step.turn
        if step.index >= 0 { turn = addTurn(turn, .index(step.index), step.pair) }
        turn = addTurn(turn, .key(plan.responseKeys[index]), step.pair, plan.items[index].key)
        follow(value, Int(plan.items[index].child), turn: turn, isLater: step.isLater)
    }

    private mutating func addTurn(
        _ before: Int, _ component: JSONValue.PathComponent, _ origin: Dependencies.Pair, _ key: StorageKeyID? = nil
    ) -> Int {
        turns.append(Turn(before: before, component: component, origin: origin, key: key))
        return turns.count - 1
    }

    private mutating func follow(_ value: Value, _ node: Int, turn: Int, isLater: Bool) {
        switch value {
        case .link(let record): steps.append(Step(record: record, node: node, turn: turn, isLater: isLater))
        case .links(let records):
            for (index, record) in records.enumerated() where record != .none {
                steps.append(Step(record: record, node: node, turn: turn, index: index, isLater: isLater))
            }
        case .list(let values):
            for (index, value) in values.enumerated() {
                let item = addTurn(turn, .index(index), turns[turn].origin)
                follow(value, node, turn: item, isLater: isLater)
            }
        default: break
        }
    }

    /// Handles a field that the store lacks. A missing-field handler may find its value.
    private mutating func lack(_ index: Int, _ step: Step) {
        let item = plan.items[index]
        let record = step.record
        let isKnown = records.state(of: record) == .existing || record == .root
        guard let question, !question.handlers.isEmpty, isKnown,
            let value = MissingFieldSearch(records: records, plan: plan)
                .value(of: index, in: record, question.handlers)
        else { return noteMissing(step, index) }
        found.append(FoundField(record: record, key: item.key, value: value))
        if item.kind == .composite { follow(value, index, step) }
    }

    // MARK: - Ages

    /// The age of one record, as far as it is known.
    private struct Age {
        /// The version in which the record was last invalidated, by itself or with its type.
        let invalidated: Epoch
        var stamp = FetchStamps.none
        /// True if one stamp counts for all fields.
        var isWhole = true
        /// True if the age of a field other than the record's ID was checked.
        var isAgeChecked: Bool

        init(invalidated: Epoch, isAgeChecked: Bool) {
            self.invalidated = invalidated
            self.isAgeChecked = isAgeChecked
        }

        mutating func begin(_ stamp: FetchStamps.Stamp, _ entries: [FetchStamps.Entry]) {
            self.stamp = stamp
            isWhole = FetchStamps.isWhole(stamp, entries)
        }
    }

    /// Returns the version in which a record was last invalidated, by itself or with its type.
    private mutating func invalidation(of record: RecordID, _ type: TypeID) -> Epoch {
        guard records.invalidations.ofAnyPart > 0 else { return 0 }
        let own = records.invalidations.records[record] ?? 0
        guard !records.invalidations.types.isEmpty else { return own }
        if let known = typeInvalidations[type] { return max(own, known) }
        let last = records.lastInvalidation(of: type)
        typeInvalidations[type] = last
        return max(own, last)
    }

    /// Checks the age of a field by the response that brought it. The ID of a record is skipped, because it is as old
    /// as the link to the record.
    @inline(__always)
    private mutating func checkAge(_ index: Int, _ step: Step, _ type: TypeID, _ age: inout Age) {
        let item = plan.items[index]
        let record = step.record
        let isLimited = item.marks.contains(.maxAge)
        if age.isWhole && age.isAgeChecked && !isLimited { return }
        if item.key == plan.names.idKey { return }
        age.isAgeChecked = true
        let stamp = age.isWhole ? age.stamp : records.stamps.stamp(of: record, item.key, entries)
        if stamp == FetchStamps.derived { return }
        var time = question?.fetch?.time
        var began = question?.fetch?.epoch
        if stamp != FetchStamps.none {
            let mark = entries[Int(stamp)].mark
            time = mark.time
            began = mark.began
            oldest = min(oldest ?? mark.time, mark.time)
        }
        guard staleness == nil else { return }
        let invalidated = max(age.invalidated, records.invalidations.ofStore)
        if invalidated > 0, began.map({ $0 < invalidated }) ?? true {
            staleness = cause(record, type)
        } else if isLimited, let limit = plan.marks[index]?.maxAge, let time, let now = question?.now,
            now - time > limit
        {
            staleness = .tooOld(place(step, index), age: now - time, limit: limit)
        }
    }

    /// Checks an invalidated record whose only selected field is the ID. Any fetch of the record after the invalidation
    /// makes it valid.
    private mutating func checkAgeOfIdentity(_ record: RecordID, _ type: TypeID, _ age: Age) {
        guard staleness == nil, age.stamp != FetchStamps.derived else { return }
        var began = question?.fetch?.epoch
        if age.stamp != FetchStamps.none, Int(age.stamp) < entries.count {
            began = max(began ?? 0, entries[Int(age.stamp)].mark.began)
        }
        if began.map({ $0 < age.invalidated }) ?? true { staleness = cause(record, type) }
    }

    private func cause(_ record: RecordID, _ type: TypeID) -> StaleCause {
        let own = records.invalidations.records[record] ?? 0
        let ofType = records.lastInvalidation(of: type)
        if records.invalidations.ofStore >= max(own, ofType) { return .store }
        return own >= ofType ? .record(record) : .type(type, record)
    }
}
