/// Walks a plan over one version of the records and looks for what is missing, what was invalidated and how old it all
/// is.
///
/// A deleted record counts as present: links to it read as null. What is to be walked next is kept in an array: plans
/// nest deeper than small stacks allow. Missing-field handlers are called while it walks; no lock is held.
struct AvailabilityCheck {
    /// What is asked besides whether all is there.
    struct Question {
        /// The last fetch of the operation, which counts for what no answer is known to have brought.
        let fetch: FetchRecord?
        let now: Duration
        let handlers: [MissingFieldHandler]
    }

    let records: Records
    let plan: BoundPlan
    /// The place of the first field that is missing.
    private(set) var missing: MissingPlace?
    /// The record and selection set with that field, and those through which it was reached.
    private(set) var trail: [Dependencies.Pair] = []
    /// The newest version in which one of the records was invalidated, alone or with its type.
    private(set) var lastInvalidation: Epoch = 0
    /// When the oldest of what was read was fetched; nil if no answer is known to have brought any of it.
    private(set) var oldest: Duration?
    /// Why what was read is stale; the first reason found.
    private(set) var staleness: StaleCause?
    /// What handlers found.
    private(set) var found: [FoundField] = []

    private let question: Question?
    private let entries: [FetchStamps.Entry]
    private var steps: [Step] = []
    private var turns: [Turn] = []
    /// Records and selection sets with objects below: links that several answers made together can reach a record in
    /// very many ways.
    private var visited: Set<Dependencies.Pair> = []
    private var typeInvalidations: [TypeID: Epoch] = [:]
    private let stopsWhenMissing: Bool
    /// Fragments that come later need not be there.
    var skipsLaterParts = false

    init(records: Records, plan: BoundPlan, stopsWhenMissing: Bool = true, _ question: Question? = nil) {
        self.stopsWhenMissing = stopsWhenMissing
        self.records = records
        self.plan = plan
        self.question = question
        entries = question == nil ? [] : records.stamps.entries
    }

    /// A record that is to be checked with a selection set.
    private struct Step {
        let record: RecordID
        let node: Int
        /// The field that leads there, in `turns`; -1 for the root.
        let turn: Int
        /// The position in the list of that field; -1 if it is no list.
        var index = -1
        /// How many items of the selection set are done.
        var done = 0
        /// Something besides the identity of the record was judged.
        var isJudged = false

        var pair: Dependencies.Pair { .init(record: record, node: UInt32(truncatingIfNeeded: node)) }
    }

    /// One component of a path, and the position of the one before it.
    private struct Turn {
        let before: Int
        let component: PathComponent
        /// The record and selection set with the field.
        let origin: Dependencies.Pair
    }

    /// Checks the plan's root at a record.
    mutating func check(_ root: RecordID) {
        steps.append(Step(record: root, node: 0, turn: -1))
        while !isDone, let step = steps.popLast() { check(step) }
        // Nothing can be read at a record that is not there, though nothing of it be selected.
        if missing == nil, found.isEmpty, records.state(of: root) == .unknown {
            note(Step(record: root, node: 0, turn: -1))
        }
    }

    private mutating func note(_ step: Step, _ index: Int? = nil) {
        guard missing == nil else { return }
        missing = place(step, index)
        trail = [step.pair]
        var turn = step.turn
        while turn >= 0 {
            trail.append(turns[turn].origin)
            turn = turns[turn].before
        }
    }

    private func place(_ step: Step, _ index: Int?) -> MissingPlace {
        var path: [PathComponent] = index.map { [.key(plan.responseKeys[$0])] } ?? []
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

    private var isDone: Bool { stopsWhenMissing && missing != nil }

    // MARK: - Walking

    /// Checks what is left of a step, up to the first item that leads on; the rest waits below what that leads to, so
    /// that all is in the order of the plan.
    private mutating func check(_ step: Step) {
        let record = step.record
        let slot = records.slot(of: record)
        if step.done == 0 {
            if slot.state == .unknown, step.turn >= 0 { return note(step) }
            if plan.nodes[step.node].hasObjects {
                let pair = Dependencies.Pair(record: record, node: UInt32(truncatingIfNeeded: step.node))
                guard visited.insert(pair).inserted else { return }
            }
        }
        let type = records.type(of: record)
        var age = Age(invalidated: invalidation(of: record, type), isJudged: step.isJudged)
        lastInvalidation = max(lastInvalidation, age.invalidated)
        guard slot.state != .deleted else { return }
        if question != nil { age.begin(records.stamps.stamp(of: record), entries) }
        let shape = records.shape(of: record)
        let items = plan.items(of: step.node)
        for index in items.dropFirst(step.done) {
            if isDone { return }
            let item = plan.items[index]
            switch item.kind {
            case .excluded, .spread: continue
            // No answer brings it, nor what it leads to.
            case .leaf where item.marks.contains(.client), .composite where item.marks.contains(.client): continue
            case .inline where skipsLaterParts && item.marks.contains(.deferred): continue
            case .leaf:
                if shape.position(of: item.key) == nil {
                    lack(index, step)
                } else if question != nil {
                    judge(index, step, type, &age)
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
                if question != nil { judge(index, step, type, &age) }
                follow(records.value(at: slot, position), index, step)
            } else {
                lack(index, step)
            }
            if item.marks.contains(.handle) { followCopy(index, step) }
            guard steps.count == count + 1 else {
                steps[count].isJudged = age.isJudged
                steps[(count + 1)...].reverse()
                return
            }
            steps.removeLast()
        }
        if question != nil, !age.isJudged, age.invalidated > 0 { judgeIdentity(record, type, age) }
    }

    /// Goes on with the same record under a type condition, if it is met.
    private mutating func enter(_ item: BoundPlan.Item, _ step: Step, _ type: TypeID, _ state: Records.State) {
        var isMet = true
        if let condition = item.condition {
            if !item.isAbstract {
                isMet = type == condition
            } else if let holds = records.fact(type, is: condition) {
                isMet = holds
            } else {
                isMet = false
                if state == .existing { note(step) }
            }
        }
        if isMet {
            steps.append(Step(record: step.record, node: Int(item.child), turn: step.turn, index: step.index))
        }
    }

    /// Goes on with what a handler keeps of a field, which is what is read of it.
    private mutating func followCopy(_ index: Int, _ step: Step) {
        guard let key = plan.marks[index]?.handle?.storageKey else { return }
        guard let value = records.value(key, of: step.record) else { return note(step, index) }
        follow(value, index, step)
    }

    /// Goes on with what a field links to.
    private mutating func follow(_ value: Value, _ index: Int, _ step: Step) {
        switch value {
        case .link, .links, .list: break
        default: return
        }
        var turn = step.turn
        if step.index >= 0 { turn = addTurn(turn, .index(step.index), step.pair) }
        turn = addTurn(turn, .key(plan.responseKeys[index]), step.pair)
        follow(value, Int(plan.items[index].child), turn: turn)
    }

    private mutating func addTurn(_ before: Int, _ component: PathComponent, _ origin: Dependencies.Pair) -> Int {
        turns.append(Turn(before: before, component: component, origin: origin))
        return turns.count - 1
    }

    private mutating func follow(_ value: Value, _ node: Int, turn: Int) {
        switch value {
        case .link(let record): steps.append(Step(record: record, node: node, turn: turn))
        case .links(let records):
            for (index, record) in records.enumerated() where record != .none {
                steps.append(Step(record: record, node: node, turn: turn, index: index))
            }
        case .list(let values):
            for (index, value) in values.enumerated() {
                follow(value, node, turn: addTurn(turn, .index(index), turns[turn].origin))
            }
        default: break
        }
    }

    /// A field is not there: perhaps somebody knows where to find it.
    private mutating func lack(_ index: Int, _ step: Step) {
        let item = plan.items[index]
        let record = step.record
        let isKnown = records.state(of: record) == .existing || record == .root
        guard let question, !question.handlers.isEmpty, isKnown,
            let value = MissingFieldSearch(records: records, plan: plan)
                .value(of: index, in: record, question.handlers)
        else { return note(step, index) }
        found.append(FoundField(record: record, key: item.key, value: value))
        if item.kind == .composite { follow(value, index, step) }
    }

    // MARK: - Judging

    /// What is known of the age of one record.
    private struct Age {
        /// When the record was invalidated last, alone or with its type.
        let invalidated: Epoch
        var stamp = FetchStamps.none
        /// One stamp for all fields.
        var isWhole = true
        /// Something besides its identity was judged.
        var isJudged: Bool

        init(invalidated: Epoch, isJudged: Bool) {
            self.invalidated = invalidated
            self.isJudged = isJudged
        }

        mutating func begin(_ stamp: FetchStamps.Stamp, _ entries: [FetchStamps.Entry]) {
            self.stamp = stamp
            isWhole = FetchStamps.isWhole(stamp, entries)
        }
    }

    /// When a record was invalidated last, alone or with its type.
    private mutating func invalidation(of record: RecordID, _ type: TypeID) -> Epoch {
        guard records.recordInvalidated > 0 else { return 0 }
        let own = records.invalidatedRecords[record] ?? 0
        guard !records.invalidations.types.isEmpty else { return own }
        if let known = typeInvalidations[type] { return max(own, known) }
        let last = records.lastInvalidation(of: type)
        typeInvalidations[type] = last
        return max(own, last)
    }

    /// The ID of a record is as old as the link to it. Every other field is judged by the answer that brought it.
    @inline(__always)
    private mutating func judge(_ index: Int, _ step: Step, _ type: TypeID, _ age: inout Age) {
        let item = plan.items[index]
        let record = step.record
        let isLimited = item.marks.contains(.maxAge)
        if age.isWhole && age.isJudged && !isLimited { return }
        if item.key == plan.names.idKey { return }
        age.isJudged = true
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
        let invalidated = max(age.invalidated, records.invalidated)
        if invalidated > 0, began.map({ $0 < invalidated }) ?? true {
            staleness = cause(record, type)
        } else if isLimited, let limit = plan.marks[index]?.maxAge, let time, let now = question?.now,
            now - time > limit
        {
            staleness = .tooOld(place(step, index), age: now - time, limit: limit)
        }
    }

    /// Of an invalidated record only the ID is read: any fetch of the record since will do.
    private mutating func judgeIdentity(_ record: RecordID, _ type: TypeID, _ age: Age) {
        guard staleness == nil, age.stamp != FetchStamps.derived else { return }
        var began = question?.fetch?.epoch
        if age.stamp != FetchStamps.none, Int(age.stamp) < entries.count {
            began = max(began ?? 0, entries[Int(age.stamp)].mark.began)
        }
        if began.map({ $0 < age.invalidated }) ?? true { staleness = cause(record, type) }
    }

    private func cause(_ record: RecordID, _ type: TypeID) -> StaleCause {
        let own = records.invalidatedRecords[record] ?? 0
        let ofType = records.lastInvalidation(of: type)
        if records.invalidated >= max(own, ofType) { return .store }
        return own >= ofType ? .record(record) : .type(type, record)
    }
}

/// Why an operation is stale.
package enum StaleCause: Sendable, Hashable {
    /// Everything was invalidated since.
    case store
    /// The operation was, alone or with all of its query.
    case operation
    /// A record that it reads was.
    case record(RecordID)
    /// All records of a type were, one of which it reads.
    case type(TypeID, RecordID)
    /// A field is older than its limit; without a place, something that the operation reads is older than the
    /// operation's limit.
    case tooOld(MissingPlace?, age: Duration, limit: Duration)
}
