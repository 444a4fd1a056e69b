/// Finds the records that can be reached: through the plans of operations, and through every link of what was published
/// meanwhile.
///
/// It can stop after any number of steps, and go on over a later version: whoever publishes meanwhile tells it which
/// fields have changed.
struct Marker: Sendable {
    private var marks = Marks()
    /// Operations that were not begun.
    private var waiting: [MarkWalk] = []
    /// The operation that is being walked.
    private var walk: MarkWalk?
    /// What is reached through every link.
    private var links = MarkWalk(plan: nil)

    var isDone: Bool { walk == nil && waiting.isEmpty && links.isDone }

    /// Says whether a record was reached.
    func hasReached(_ record: RecordID) -> Bool { marks.records.contains(record) }

    /// The fields that were reached of a record that is to lose the others.
    func keys(of record: RecordID) -> Set<StorageKeyID> {
        record == .root ? marks.rootKeys : marks.wideKeys[record] ?? []
    }

    /// Has the fields of these records noted that are reached from now on. To be called before anything is marked.
    mutating func watch(_ records: some Sequence<RecordID>) {
        for record in records where record != .root { marks.wideKeys[record] = [] }
    }

    /// The records that are to lose the fields that nothing reaches, the query root first.
    var watched: [RecordID] { [.root] + marks.wideKeys.keys }

    // MARK: - Where to begin

    /// Adds what an operation selects.
    mutating func add(_ plan: BoundPlan, at root: RecordID) {
        marks.records.insert(root)
        var walk = MarkWalk(plan: plan)
        walk.add(root)
        waiting.append(walk)
    }

    /// Adds a record and all that its links lead to.
    mutating func add(_ record: RecordID) {
        marks.records.insert(record)
        links.add(record)
    }

    /// Adds all that a field leads to.
    mutating func add(_ key: StorageKeyID, of record: RecordID) {
        marks.records.insert(record)
        marks.note(key, of: record)
        links.add(key, of: record)
    }

    /// Adds a record alone.
    mutating func addAlone(_ record: RecordID) { marks.records.insert(record) }

    // MARK: - Walking

    /// Goes on for about so many records and items of lists.
    mutating func run(over records: Records, work: Int) {
        var left = work
        while left > 0, !links.isDone { left -= links.step(&marks, records) }
        while left > 0 {
            guard var current = walk.take() ?? waiting.popLast() else { return }
            while left > 0, !current.isDone { left -= current.step(&marks, records) }
            if !current.isDone { walk = current }
        }
    }
}

/// What was reached.
struct Marks: Sendable {
    /// Records that are not there, or deleted, among them.
    var records = RecordSet()
    /// The fields of the query root.
    var rootKeys: Set<StorageKeyID> = []
    /// The fields of records with very many fields with arguments; nearly always empty.
    var wideKeys: [RecordID: Set<StorageKeyID>] = [:]

    /// The fields of a record are noted.
    @inline(__always)
    func isWatched(_ record: RecordID) -> Bool {
        record == .root || !wideKeys.isEmpty && wideKeys[record] != nil
    }

    /// Notes a field that was reached, if the fields of its record are.
    mutating func note(_ key: StorageKeyID, of record: RecordID) {
        if record == .root { rootKeys.insert(key) } else { wideKeys[record]?.insert(key) }
    }
}

/// A depth-first walk over links, with a stack of its own: records may link to each other in any way.
///
/// A condition on an abstract type is taken to hold, whatever answers have shown: to keep a record too long does no
/// harm.
struct MarkWalk: Sendable {
    /// Nil: every link is followed.
    private let plan: BoundPlan?
    private var steps: [Step] = []
    /// For each selection set with objects the records on which it stood; without a plan there is one.
    private var seen: [RecordSet]

    private struct Step: Sendable {
        let record: RecordID
        let node: UInt32
        /// A field of which the items from `item` on are to be followed; `noKey` for the whole record.
        var key = Self.noKey
        var item: UInt32 = 0

        static let noKey = StorageKeyID(index: .max)
    }

    /// Items of a list that are followed in one step.
    private static let itemsOfStep = 64

    init(plan: BoundPlan?) {
        self.plan = plan
        seen = Array(repeating: RecordSet(), count: plan?.nodes.count ?? 1)
    }

    var isDone: Bool { steps.isEmpty }

    mutating func add(_ record: RecordID) {
        if seen[0].insert(record) { steps.append(Step(record: record, node: 0)) }
    }

    mutating func add(_ key: StorageKeyID, of record: RecordID) {
        steps.append(Step(record: record, node: 0, key: key))
    }

    /// Makes one step; gives the work that it was.
    mutating func step(_ marks: inout Marks, _ records: borrowing Records) -> Int {
        guard let step = steps.popLast() else { return 0 }
        let slot = records.slot(of: step.record)
        guard slot.state == .existing else { return 1 }
        let row = records.row(of: step.record)
        let shape = records.block(at: slot).shape
        if step.key != Step.noKey {
            guard let position = shape.position(of: step.key), let value = row.value(at: position) else { return 1 }
            return 1 + follow(value, step, &marks)
        }
        let isWatched = marks.isWatched(step.record)
        guard let plan else {
            for position in shape.keys.indices {
                let key = shape.keys[position]
                if isWatched { marks.note(key, of: step.record) }
                guard let value = row.value(at: position) else { continue }
                _ = follow(value, Step(record: step.record, node: 0, key: key), &marks)
            }
            return 1 + shape.keys.count
        }
        for index in plan.items(of: Int(step.node)) {
            let item = plan.items[index]
            if isWatched, item.key != Step.noKey { marks.note(item.key, of: step.record) }
            switch item.kind {
            case .inline:
                // Without a condition it stands for fields that may come later.
                if item.condition.map({ item.isAbstract || $0 == row.type }) ?? true {
                    target(step.record, item.child, &marks)
                }
            case .composite:
                guard let position = shape.position(of: item.key), let value = row.value(at: position) else { break }
                _ = follow(value, Step(record: step.record, node: item.child, key: item.key), &marks)
            default: break
            }
            if item.marks.contains(.handle), let handle = plan.marks[index]?.handle {
                follow(handle, of: step.record, row, shape, item.child, &marks, records)
            }
        }
        return 1 + plan.nodes[Int(step.node)].count
    }

    /// Follows what a handler keeps of a field: a connection has what the field has, and always its page info.
    private mutating func follow(
        _ handle: BoundMarks.Handle, of record: RecordID, _ row: BorrowedRow, _ shape: Shape, _ node: UInt32,
        _ marks: inout Marks, _ records: borrowing Records
    ) {
        marks.note(handle.storageKey, of: record)
        guard let plan, node != .max, let position = shape.position(of: handle.storageKey),
            let value = row.value(at: position)
        else { return }
        _ = follow(value, Step(record: record, node: node, key: handle.storageKey), &marks)
        if case .link(let copy) = value.pointee,
            case .link(let info) = records.value(plan.names.connections.pageInfo, of: copy)
        {
            marks.records.insert(info)
        }
    }

    /// Follows the links in the value of a field, those of a long list in several steps.
    private mutating func follow(_ value: UnsafePointer<Value>, _ step: Step, _ marks: inout Marks) -> Int {
        if case .link(let record) = value.pointee {
            target(record, step.node, &marks)
            return 1
        }
        let list = BorrowedList(value.pointee)
        let first = Int(step.item)
        let end = min(first + Self.itemsOfStep, list.count)
        guard first < end else { return 0 }
        if end < list.count {
            var rest = step
            rest.item = UInt32(truncatingIfNeeded: end)
            steps.append(rest)
        }
        return follow(list, first..<end, step.node, &marks)
    }

    /// Recursion is bounded by the lists in the type of the field.
    private mutating func follow(
        _ list: BorrowedList, _ range: Range<Int>, _ node: UInt32, _ marks: inout Marks
    ) -> Int {
        var work = 0
        for index in range {
            if let record = list.record(at: index) {
                target(record, node, &marks)
                work += 1
            } else if !list.isLinks {
                let inner = list.list(at: index)
                work += 1 + follow(inner, 0..<inner.count, node, &marks)
            }
        }
        return work
    }

    @inline(__always)
    private mutating func target(_ record: RecordID, _ node: UInt32, _ marks: inout Marks) {
        marks.records.insert(record)
        if let plan, !plan.nodes[Int(node)].hasObjects, !marks.isWatched(record) { return }
        if seen[plan == nil ? 0 : Int(node)].insert(record) { steps.append(Step(record: record, node: node)) }
    }
}
