import Baton
import RandomCases

extension StoreDriver {
    /// Runs a whole collection or a part of one. Only garbage is removed, and no subscriber is notified.
    func collect(_ isWhole: Bool) throws {
        // A read does not hold record numbers. A subscription after a collection is notified of changes since the read,
        // but the number may belong to another record now.
        read = []
        if isWhole {
            store.collector.collectGarbage()
        } else {
            store.collectSome(slices: 1 + generator.below(4), size: 1 + generator.below(12))
        }
        // What leaves the memory is in the file.
        if disk != nil { return }
        var needed = reached(in: top, isLenient: false)
        let below = reached(in: model, isLenient: false)
        needed.records.formUnion(below.records)
        needed.fields.formUnion(below.fields)
        // Fields that a layer hides may show again.
        for state in states.dropFirst().dropLast() {
            needed.records.formUnion(reached(in: state, isLenient: false).records)
        }
        let known = Set(store.contents().map(\.id.rawValue))
        for id in Set(top.records.keys).union(top.deleted) where !known.contains(id) {
            try expect(!needed.records.contains(id), "\(id) was collected, and is needed")
            forget(id)
        }
        if isWhole { try checkMemory(known) }
        try narrow(needed.fields)
        model.clock += 1
        top = Self.replay(model, layers)
    }

    /// Removes unreached fields of the query root, and unreached fields with arguments of other records.
    private func narrow(_ needed: Set<ModelSnapshot.FieldOf>) throws {
        for record in store.contents() where record.type != nil {
            let id = record.id.rawValue
            guard let known = top.records[id]?.fields, known.count > record.fields.count else { continue }
            let keys = Set(record.fields.map(\.key.rawValue))
            for key in known.keys where !keys.contains(key) {
                try expect(
                    !needed.contains(.init(record: id, key: key)), "the field \(id).\(key) was dropped, and is needed")
                try expect(id == ModelState.root || key.contains("("), "the field \(id).\(key) was dropped")
                model.records[id]?.fields[key] = nil
                changedAt[id] = model.clock + 1
            }
        }
    }

    private func forget(_ id: String) {
        model.records[id] = nil
        model.deleted.remove(id)
        model.invalidatedRecords[id] = nil
        changedAt[id] = model.clock + 1
    }

    /// The records and fields that retained operations and subscriptions reach. With `isLenient`, conditions on types
    /// without facts count as true.
    private func reached(in state: ModelState, isLenient: Bool) -> ModelReach {
        var reach = ModelReach(records: [ModelState.root])
        for (key, count) in retained where count > 0 {
            guard let call = bound[key]?.call else { continue }
            reach.walk(ModelState.root, call.items, call, state, isLenient)
        }
        for subscription in live {
            reach.records.formUnion(subscription.reading.model.records)
            reach.fields.formUnion(subscription.reading.model.selected)
        }
        return reach
    }
}

/// The records and fields that are reached from retained data.
struct ModelReach {
    var records: Set<String> = []
    var fields: Set<ModelSnapshot.FieldOf> = []

    mutating func walk(
        _ id: String, _ items: [SelectionPlan.Item], _ call: ModelCall, _ state: ModelState, _ isLenient: Bool
    ) {
        records.insert(id)
        guard let record = state.records[id] else { return }
        for item in items where call.holds(item.condition) {
            switch item.kind {
            case .field(let field):
                let key = call.storageKey(field)
                fields.insert(.init(record: id, key: key))
                if let value = record.fields[key] { follow(value, field.selections, call, state, isLenient) }
            case .inline(let condition, let items):
                guard let condition else {
                    walk(id, items, call, state, isLenient)
                    break
                }
                let fact = ModelState.Fact(type: record.type, abstractType: condition.type)
                let isMatch = condition.isAbstract ? state.facts[fact] ?? isLenient : condition.type == record.type
                if isMatch || isLenient { walk(id, items, call, state, isLenient) }
            case .spread: break
            }
        }
    }

    private mutating func follow(
        _ value: ModelValue, _ items: [SelectionPlan.Item], _ call: ModelCall, _ state: ModelState, _ isLenient: Bool
    ) {
        switch value {
        case .scalar: break
        case .link(let id): walk(id, items, call, state, isLenient)
        case .links(let ids): for id in ids { if let id { walk(id, items, call, state, isLenient) } }
        case .list(let values): for value in values { follow(value, items, call, state, isLenient) }
        }
    }
}
