import Baton

/// Checks of the memory that a store may keep after a whole collection, also while there are layers.
extension StoreDriver {
    /// The states that readers see, or would see if the newest layers were dropped.
    var states: [ModelState] {
        var states = [model]
        for (_, layer) in layers {
            var next = states[states.count - 1]
            layer.run(on: &next)
            states.append(next)
        }
        return states
    }

    /// Checks that a whole collection has removed all records that are not needed, and all names that are not needed.
    func checkMemory(_ known: Set<String>) throws {
        let kept = KeptRecords(states)
        for (key, count) in retained where count > 0 {
            if let call = bound[key]?.call { kept.walk(ModelState.root, call.items, call) }
        }
        for subscription in live { kept.addSubscription(subscription.reading.model.records) }
        var named: Set<String> = []
        for (_, layer) in layers { named.formUnion(layer.mentioned) }
        kept.add(named)
        // An updater may have read the items of a list.
        for id in named { kept.add(kept.links(of: id)) }
        for id in known { try expect(kept.ids.contains(id), "\(id) was not collected, and nothing keeps it") }
        // Answers that are held, and requests that wait for answers, keep record numbers.
        guard held.isEmpty, store.noteCount == 0 else { return }
        named.formUnion(kept.ids)
        for id in kept.ids { named.formUnion(kept.links(of: id)) }
        for (_, operation) in bound.values { named.insert(store.dataID(of: operation.root).rawValue) }
        for id in named { named.formUnion(Self.parents(of: id)) }
        try expect(store.nameCount <= named.count, "\(store.nameCount) names are kept for \(named.count) records")
    }

    /// Returns the texts that may be the identity of the record above a record that is identified by its place.
    private static func parents(of id: String) -> [String] {
        var parents: [String] = []
        for index in id.indices where id[index] == ":" {
            parents.append(String(id[..<index]))
            if id.hasPrefix("client:") { parents.append(String(id[..<index].dropFirst("client:".count))) }
        }
        return parents
    }
}

/// The records that a collection may keep: a walk through several states at once.
private final class KeptRecords {
    private var fields: [String: [String: Set<ModelValue>]] = [:]
    /// For each field, the number of states that have it.
    private var counts: [String: [String: Int]] = [:]
    private let states: Int
    private(set) var ids: Set<String> = [ModelState.root]

    init(_ states: [ModelState]) {
        self.states = states.count
        for state in states {
            for (id, record) in state.records {
                for (key, value) in record.fields {
                    fields[id, default: [:]][key, default: []].insert(value)
                    counts[id, default: [:]][key, default: 0] += 1
                }
            }
        }
    }

    func add(_ others: some Sequence<String>) { ids.formUnion(others) }

    /// Returns the records to which the fields of a record link in any state.
    func links(of id: String) -> Set<String> {
        var found: Set<String> = []
        for values in (fields[id] ?? [:]).values { for value in values { value.addLinks(to: &found) } }
        return found
    }

    /// Adds the records of a subscription, and all records behind those of their links that differ between states.
    func addSubscription(_ records: Set<String>) {
        ids.formUnion(records)
        var open: Set<String> = []
        for id in records {
            for (key, values) in fields[id] ?? [:] where values.count > 1 || counts[id]?[key] != states {
                for value in values { value.addLinks(to: &open) }
            }
        }
        var seen: Set<String> = []
        while let id = open.popFirst() {
            guard seen.insert(id).inserted else { continue }
            open.formUnion(links(of: id))
        }
        ids.formUnion(seen)
    }

    /// Follows the selections of an operation. Every condition counts as fulfilled.
    func walk(_ id: String, _ items: [SelectionPlan.Item], _ call: ModelCall) {
        ids.insert(id)
        guard let own = fields[id] else { return }
        for item in items where call.holds(item.condition) {
            switch item.kind {
            case .field(let field):
                var targets: Set<String> = []
                for value in own[call.storageKey(field)] ?? [] { value.addLinks(to: &targets) }
                for target in targets { walk(target, field.selections, call) }
            case .inline(_, let items): walk(id, items, call)
            case .spread: break
            }
        }
    }
}

extension ModelValue {
    fileprivate func addLinks(to found: inout Set<String>) {
        switch self {
        case .scalar: break
        case .link(let id): found.insert(id)
        case .links(let ids): for id in ids { if let id { found.insert(id) } }
        case .list(let values): for value in values { value.addLinks(to: &found) }
        }
    }
}
