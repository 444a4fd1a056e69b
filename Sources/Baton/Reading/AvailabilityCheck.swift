/// Walks a normalization plan over one version of the records and looks for what is missing or was invalidated.
///
/// A deleted record counts as present: links to it read as null. Recursion is bounded by the depth of the plan.
struct AvailabilityCheck {
    let records: Records
    let plan: BoundPlan
    /// The place of the first field that is missing.
    private(set) var missing: MissingPlace?
    /// The newest version in which one of the records was invalidated.
    private(set) var lastInvalidation: Epoch = 0
    private var path: [PathComponent] = []
    /// Records and selection sets with objects below: links that several answers made together can reach a record in very many ways.
    private var visited: Set<Dependencies.Pair> = []
    private let stopsWhenMissing: Bool

    init(records: Records, plan: BoundPlan, stopsWhenMissing: Bool = true) {
        self.stopsWhenMissing = stopsWhenMissing
        self.records = records
        self.plan = plan
    }

    /// Checks the plan's root at a record.
    mutating func check(_ root: RecordID) {
        if records.state(of: root) == .unknown { note(root) }
        check(root, 0)
    }

    private mutating func note(_ record: RecordID, _ key: StorageKeyID? = nil) {
        if missing == nil {
            missing = MissingPlace(path: path, record: record, type: records.type(of: record), key: key)
        }
    }

    private var isDone: Bool { stopsWhenMissing && missing != nil }

    private mutating func check(_ record: RecordID, _ node: Int) {
        if plan.nodes[node].hasObjects {
            let pair = Dependencies.Pair(record: record, node: UInt32(truncatingIfNeeded: node))
            guard visited.insert(pair).inserted else { return }
        }
        if !records.invalidatedRecords.isEmpty, let epoch = records.invalidatedRecords[record] {
            lastInvalidation = max(lastInvalidation, epoch)
        }
        let slot = records.slot(of: record)
        guard slot.state != .deleted else { return }
        let type = records.type(of: record)
        let shape = records.shape(of: record)
        for index in plan.items(of: node) {
            if isDone { return }
            let item = plan.items[index]
            switch item.kind {
            case .excluded, .spread: break
            // No answer brings it, nor what it leads to.
            case .leaf where item.marks.contains(.client), .composite where item.marks.contains(.client): break
            case .inline:
                guard let condition = item.condition else {
                    check(record, Int(item.child))
                    break
                }
                if !item.isAbstract {
                    if type == condition { check(record, Int(item.child)) }
                } else if let holds = records.fact(type, is: condition) {
                    if holds { check(record, Int(item.child)) }
                } else if slot.state == .existing {
                    note(record)
                }
            case .leaf, .composite:
                path.append(.key(plan.responseKeys[index]))
                if let position = shape.position(of: item.key) {
                    if item.kind == .composite { follow(records.value(at: slot, position), Int(item.child)) }
                } else {
                    note(record, item.key)
                }
                path.removeLast()
            }
        }
    }

    private mutating func follow(_ value: Value, _ node: Int) {
        switch value {
        case .link(let record): target(record, node)
        case .links(let records):
            for (index, record) in records.enumerated() where record != .none {
                if isDone { return }
                path.append(.index(index))
                target(record, node)
                path.removeLast()
            }
        case .list(let values):
            for (index, value) in values.enumerated() {
                path.append(.index(index))
                follow(value, node)
                path.removeLast()
            }
        default: break
        }
    }

    private mutating func target(_ record: RecordID, _ node: Int) {
        if records.state(of: record) == .unknown { note(record) }
        check(record, node)
    }
}
