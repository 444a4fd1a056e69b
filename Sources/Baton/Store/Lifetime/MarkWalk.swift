/// A depth-first walk along links. Its stack is an array, because links may be nested to any depth.
///
/// A condition on an abstract type counts as fulfilled, because keeping a record too long does no harm.
struct MarkWalk: Sendable {
    /// The plan to follow; nil if every link is followed.
    private let plan: BoundPlan?
    private var steps: [Step] = []
    /// For each selection set with objects, the visited records; a walk without a plan has one set.
    private var seen: [RecordSet]
    /// The added fields in order, and the item from which each is followed. A field that changes with every publish
    /// stands here once, so that its list is not waiting as often as it has changed.
    private var order: [Field] = []
    private var fields: [Field: UInt32] = [:]

    private struct Field: Hashable, Sendable {
        let record: RecordID
        let key: StorageKeyID
    }

    private struct Step: Sendable {
        let record: RecordID
        let node: UInt32
        /// The field whose list items are followed from `item` on; `noKey` for the whole record.
        var key = Self.noKey
        var item: UInt32 = 0

        static let noKey = StorageKeyID(index: .max)
    }

    /// The number of list items that are followed in one step.
    private static let itemsOfStep = 64

    init(plan: BoundPlan?) {
        self.plan = plan
        seen = Array(repeating: RecordSet(), count: plan?.nodes.count ?? 1)
    }

    var isDone: Bool { steps.isEmpty && order.isEmpty }

    /// Adds a record, even if it was visited before, because its links may have changed since.
    mutating func addRecord(_ record: RecordID) {
        seen[0].insert(record)
        steps.append(Step(record: record, node: 0))
    }

    mutating func addField(_ key: StorageKeyID, of record: RecordID, from: Int) {
        let (field, from) = (Field(record: record, key: key), UInt32(truncatingIfNeeded: from))
        if let known = fields.updateValue(from, forKey: field) {
            if known < from { fields[field] = known }
        } else {
            order.append(field)
        }
    }

    /// Makes one step and returns its work.
    mutating func step(_ marks: inout Marks, _ records: borrowing Records) -> Int {
        guard let step = steps.popLast() else { return stepField(&marks, records) }
        let hidden = marks.hidden.isEmpty || step.key != Step.noKey ? 0 : followHidden(of: step, &marks)
        return hidden + stepSeen(step, &marks, records)
    }

    /// Follows some items of an added field.
    private mutating func stepField(_ marks: inout Marks, _ records: borrowing Records) -> Int {
        guard let field = order.popLast(), let from = fields.removeValue(forKey: field) else { return 0 }
        let slot = records.slot(of: field.record)
        guard slot.state == .existing, let position = records.block(at: slot).shape.position(of: field.key),
            let value = records.row(of: field.record).value(at: position)
        else { return 1 }
        if case .link(let record) = value.pointee {
            target(record, 0, &marks)
            return 1
        }
        let list = BorrowedList(value.pointee)
        let end = min(Int(from) + Self.itemsOfStep, list.count)
        guard from < end else { return 1 }
        if end < list.count { addField(field.key, of: field.record, from: end) }
        return 1 + follow(list, Int(from)..<end, 0, &marks)
    }

    /// Makes a step through the values that readers see.
    private mutating func stepSeen(_ step: Step, _ marks: inout Marks, _ records: borrowing Records) -> Int {
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
            for (position, key) in shape.keys.enumerated() {
                if isWatched { marks.noteField(key, of: step.record) }
                guard let value = row.value(at: position) else { continue }
                _ = follow(value, Step(record: step.record, node: 0, key: key), &marks)
            }
            return 1 + shape.count
        }
        for index in plan.items(of: Int(step.node)) {
            let item = plan.items[index]
            if isWatched, item.key != Step.noKey { marks.noteField(item.key, of: step.record) }
            switch item.kind {
            case .inline:
                // Without a condition, the child is always followed: it may be a fragment whose fields arrive later.
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

    /// Follows the links of a record that layers hide from readers. Conditions on types count as fulfilled, because the
    /// record may have another type below a layer.
    private mutating func followHidden(of step: Step, _ marks: inout Marks) -> Int {
        guard let links = marks.hidden[step.record] else { return 0 }
        var work = 1
        func follow(_ key: StorageKeyID, _ node: UInt32) {
            for link in links where link.key == key {
                if case .link(let record) = link.value {
                    target(record, node, &marks)
                } else {
                    let list = BorrowedList(link.value)
                    work += self.follow(list, 0..<list.count, node, &marks)
                }
            }
        }
        guard let plan else {
            for key in Set(links.map(\.key)) { follow(key, 0) }
            return work
        }
        for index in plan.items(of: Int(step.node)) {
            let item = plan.items[index]
            switch item.kind {
            case .inline: target(step.record, item.child, &marks)
            case .composite: follow(item.key, item.child)
            default: break
            }
            guard item.marks.contains(.handle), let handle = plan.marks[index]?.handle else { continue }
            marks.noteField(handle.storageKey, of: step.record)
            if item.child != .max { follow(handle.storageKey, item.child) }
        }
        return work
    }

    /// Follows the copy that a handler keeps of a field. A connection has the selections of the field, and always its
    /// page info.
    private mutating func follow(
        _ handle: BoundMarks.Handle, of record: RecordID, _ row: BorrowedRow, _ shape: Shape, _ node: UInt32,
        _ marks: inout Marks, _ records: borrowing Records
    ) {
        marks.noteField(handle.storageKey, of: record)
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

    /// Follows the links in a field's value. The links of a long list are followed in several steps.
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

    /// Follows the links of a list. The recursion is bounded by the number of lists in the field's type.
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
