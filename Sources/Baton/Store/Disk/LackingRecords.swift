/// Walks a plan over one version and finds the records of which a file may have what the plan needs.
///
/// The walk goes as far as the version leads. What is read from the file may lead further, so the caller walks again.
struct LackingRecords {
    private let records: Records
    private let plan: BoundPlan
    private let handlers: [MissingFieldHandler]
    private let disk: StoreDisk?
    /// The number of known field types.
    private let types: Int
    private(set) var found: [RecordID] = []
    private var known: Set<RecordID> = []
    private var visited: Set<Dependencies.Pair> = []
    private var steps: [Dependencies.Pair] = []

    /// Finds the records below a root. Missing-field handlers name records that may stand for missing fields.
    static func find(
        in records: Records, _ plan: BoundPlan, at root: RecordID, _ handlers: [MissingFieldHandler] = [],
        of disk: StoreDisk? = nil
    ) -> [RecordID] {
        var walk = LackingRecords(records: records, plan: plan, handlers, disk)
        walk.steps.append(.init(record: root, node: 0))
        while let step = walk.steps.popLast() { walk.visit(step) }
        return walk.found
    }

    private init(records: Records, plan: BoundPlan, _ handlers: [MissingFieldHandler], _ disk: StoreDisk?) {
        self.disk = disk
        types = records.residence == nil ? 0 : plan.names.fieldTypes
        self.records = records
        self.plan = plan
        self.handlers = handlers
    }

    private mutating func lack(_ record: RecordID) {
        if !records.isResident(record, knowing: types), known.insert(record).inserted { found.append(record) }
    }

    private mutating func visit(_ step: Dependencies.Pair) {
        guard visited.insert(step).inserted else { return }
        let record = step.record
        switch records.state(of: record) {
        case .unknown:
            lack(record)
            // The root always exists, and handlers may know its fields.
            guard record == .root, records.isResident(record, knowing: types) else { return }
        case .deleted: return
        case .existing: break
        }
        let slot = records.slot(of: record)
        let shape = records.shape(of: record)
        for index in plan.items(of: Int(step.node)) {
            let item = plan.items[index]
            switch item.kind {
            case .excluded, .dataID, .spread: continue
            case .inline:
                if isMet(item, record) { steps.append(.init(record: record, node: item.child)) }
            case .leaf, .composite:
                var keys = [item.key]
                if item.marks.contains(.handle), let copy = plan.marks[index]?.handle?.storageKey { keys.append(copy) }
                for key in keys {
                    guard let position = shape.position(of: key) else {
                        lack(record)
                        if !handlers.isEmpty, item.kind == .composite, records.isResident(record, knowing: types) {
                            lackCandidates(index, record)
                        }
                        continue
                    }
                    guard item.kind == .composite else { continue }
                    records.value(at: slot, position).forEachLink { steps.append(.init(record: $0, node: item.child)) }
                }
            }
        }
    }

    private mutating func lackCandidates(_ index: Int, _ record: RecordID) {
        let search = MissingFieldSearch(records: records, plan: plan)
        for id in search.candidates(of: index, in: record, handlers) {
            guard let candidate = disk?.record(id) else { continue }
            if records.state(of: candidate) == .unknown { lack(candidate) }
        }
    }

    private func isMet(_ item: BoundPlan.Item, _ record: RecordID) -> Bool {
        guard let condition = item.condition else { return true }
        let type = records.type(of: record)
        return item.isAbstract ? plan.fact(type, is: condition, in: records) == true : type == condition
    }
}
