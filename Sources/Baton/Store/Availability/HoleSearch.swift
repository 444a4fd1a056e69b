/// Finds the parts that a read of a plan does not show, with the reasons. The reader itself knows only that a value is
/// nil.
///
/// The search visits fields as a read does: in the order of the plan, and no further inside an object without a value.
/// It serves diagnostics and errors. The recursion is bounded by the depth of the plan. Links may lead to one record on
/// very many paths, so the finding about each record is remembered.
struct HoleSearch {
    let records: Records
    let plan: BoundPlan
    let limit: Int
    private(set) var holes: [Hole] = []
    private var path: [JSONValue.PathComponent] = []
    /// False if the search only looks for the reason why the whole read has no value.
    private let collects: Bool
    /// The records with selection sets that have a value and no holes.
    private var whole: Set<Dependencies.Pair> = []
    /// The records with selection sets that have no value, with the lengths of their paths. Noted only if `collects` is
    /// false.
    private var fallen: [Dependencies.Pair: (hole: Hole, depth: Int)] = [:]

    /// Returns at most `limit` holes, in the order in which the fields are read.
    static func holes(in records: Records, at root: RecordID, _ plan: BoundPlan, limit: Int = 8) -> [Hole] {
        var search = HoleSearch(records: records, plan: plan, limit: limit, collects: true)
        if let fall = search.object(root, 0) { search.end(fall, as: .everything) }
        return search.holes
    }

    /// Returns the reason why the whole read has no value; nil if it has a value.
    static func fall(in records: Records, at root: RecordID, _ plan: BoundPlan) -> Hole? {
        var search = HoleSearch(records: records, plan: plan, limit: .max, collects: false)
        return search.object(root, 0)
    }

    private init(records: Records, plan: BoundPlan, limit: Int, collects: Bool) {
        self.records = records
        self.plan = plan
        self.limit = limit
        self.collects = collects
    }

    private var isFull: Bool { holes.count >= limit }

    private func hole(_ reason: Hole.Reason, _ record: RecordID, _ index: Int? = nil) -> Hole {
        let key = index.map { [JSONValue.PathComponent.key(plan.responseKeys[$0])] } ?? []
        return Hole(
            reason: reason,
            place: MissingPlace(
                path: path + key, record: record, type: records.type(of: record),
                key: index.map { plan.items[$0].key }))
    }

    /// Adds a hole: the absent value leaves out the part at the current place, and no part above.
    private mutating func end(_ fall: Hole, as extent: Hole.Extent) {
        guard collects else { return }
        var hole = fall
        hole.extent = extent
        hole.path = path
        holes.append(hole)
    }

    // MARK: - Walking

    /// Returns the reason why an object has no value; nil if it has one.
    private mutating func object(_ record: RecordID, _ node: Int) -> Hole? {
        let pair = Dependencies.Pair(record: record, node: UInt32(truncatingIfNeeded: node))
        if whole.contains(pair) { return nil }
        if let (known, depth) = fallen[pair] {
            var hole = known
            hole.place = MissingPlace(
                path: path + known.place.path.dropFirst(depth), record: known.place.record, type: known.place.type,
                key: known.place.key)
            return hole
        }
        let count = holes.count
        let fall = look(at: record, node)
        if let fall {
            if !collects { fallen[pair] = (fall, path.count) }
        } else if holes.count == count {
            whole.insert(pair)
        }
        return fall
    }

    private mutating func look(at record: RecordID, _ node: Int) -> Hole? {
        switch records.state(of: record) {
        case .existing: break
        case .deleted: return hole(.deleted, record)
        case .unknown: return hole(.missing, record)
        }
        for index in plan.items(of: node) where !isFull {
            let item = plan.items[index]
            switch item.kind {
            case .excluded, .dataID, .spread: break
            case .inline:
                guard isMatch(item, record), let fall = object(record, Int(item.child)) else { break }
                end(fall, as: .inline(item.condition ?? records.type(of: record)))
            case .leaf, .composite:
                let isRequired = item.isRequired && !item.marks.contains(.catches)
                let value = records.value(item.key, of: record)
                guard let value, !value.isNull else {
                    if isRequired { return hole(value == nil ? .missing : .null, record, index) }
                    continue
                }
                path.append(.key(plan.responseKeys[index]))
                let fall = self.value(value, level: 0, index, record)
                if let fall, !isRequired { end(fall, as: .field) }
                path.removeLast()
                if let fall, isRequired { return fall }
            }
        }
        return nil
    }

    private func isMatch(_ item: BoundPlan.Item, _ record: RecordID) -> Bool {
        guard let condition = item.condition else { return true }
        let type = records.type(of: record)
        return item.isAbstract ? plan.fact(type, is: condition, in: records) == true : type == condition
    }

    /// Returns the reason why a stored value that is not null cannot be shown.
    private mutating func value(_ value: Value, level: Int, _ index: Int, _ record: RecordID) -> Hole? {
        let type = plan.types[index]
        guard level == type.listDepth else {
            switch value {
            case .links(let links):
                return list(links.map { $0 == .none ? .null : .link($0) }, level: level, index, record)
            case .list(let values): return list(values, level: level, index, record)
            default: return hole(.unfit, in: index, record)
            }
        }
        guard case .object = type.leaf else { return fits(value, type) ? nil : hole(.unfit, in: index, record) }
        guard case .link(let target) = value else { return hole(.unfit, in: index, record) }
        return object(target, Int(plan.items[index].child))
    }

    private mutating func list(_ values: [Value], level: Int, _ index: Int, _ record: RecordID) -> Hole? {
        let isRequired = plan.types[index].isNonNull(level + 1)
        for (position, value) in values.enumerated() where !isFull {
            path.append(.index(position))
            defer { path.removeLast() }
            if case .null = value {
                if isRequired { return hole(.null, in: index, record) }
                continue
            }
            guard let fall = self.value(value, level: level + 1, index, record) else { continue }
            if !isRequired {
                end(fall, as: .item)
            } else if fall.reason == .deleted {
                end(fall, as: .leftOutItem)
            } else {
                return fall
            }
        }
        return nil
    }

    private func fits(_ value: Value, _ type: BoundType) -> Bool {
        if case .mapped(let position) = type.leaf { return converts(value, position) }
        return switch (type.leaf, value) {
        case (_, .link), (_, .links): false
        case (.int, .int), (.float, .double), (.float, .int), (.boolean, .bool): true
        case (.int, _), (.float, _), (.boolean, _): false
        default: true
        }
    }

    /// Returns true if the conversion of a mapped scalar accepts a value.
    private func converts(_ value: Value, _ position: Int) -> Bool {
        guard position < plan.scalars.count else { return false }
        let decoder = plan.scalars[position]
        switch value {
        case .link, .links: return false
        case .scalar(let scalar): return (try? scalar.converted(by: decoder)) != nil
        default: return (try? decoder.decode(value.json { _ in "" })) != nil
        }
    }

    /// Makes a hole for a field of a record. `path` leads to the value, or to an item in it.
    private func hole(_ reason: Hole.Reason, in index: Int, _ record: RecordID) -> Hole {
        Hole(
            reason: reason,
            place: MissingPlace(
                path: path, record: record, type: records.type(of: record), key: plan.items[index].key))
    }
}
