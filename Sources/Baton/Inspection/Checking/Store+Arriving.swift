// What models see of the places that later parts of a response will fill.

extension Store {
    /// Takes back the places that the last payload of a delivery has filled, as a request does once it has landed.
    package func settle(_ delivery: IncrementalDelivery) { _ = delivery.arriving.settle(in: records) }

    /// Returns the fields of an operation's data that the store lacks, with true for those that are on their way in a
    /// later part of a response. Both a field that a handler copies and its copy count.
    package func lackingFields(
        of operation: BoundOperation, during delivery: IncrementalDelivery
    ) -> [LackingField: Bool] {
        var walk = LackingFieldWalk(records: records, plan: operation.plans.write, arriving: delivery.arriving)
        walk.visit(operation.root, 0, isComing: false)
        return walk.found
    }

    package func lacks(_ field: LackingField) -> Bool { records.value(field.key, of: field.record) == nil }

    /// Returns the place of a field as text.
    package func text(of field: LackingField) -> String {
        "\(names.label(of: field.record)).\(names.name(of: field.key))"
    }
}

extension IncrementalDelivery {
    /// True if no later part will fill anything.
    package var isFilled: Bool { arriving.isEmpty }
}

/// Walks over the data of an operation as a reader does, on every way.
private struct LackingFieldWalk {
    private struct Visit: Hashable {
        let record: RecordID
        let node: Int
        let isComing: Bool
    }

    let records: Records
    let plan: BoundPlan
    let arriving: ArrivingPlaces
    private(set) var found: [LackingField: Bool] = [:]
    private var visits: Set<Visit> = []

    init(records: Records, plan: BoundPlan, arriving: ArrivingPlaces) {
        (self.records, self.plan, self.arriving) = (records, plan, arriving)
    }

    /// - Parameter isComing: True if a later part brings the way to the record.
    mutating func visit(_ record: RecordID, _ node: Int, isComing: Bool) {
        guard visits.insert(Visit(record: record, node: node, isComing: isComing)).inserted else { return }
        guard records.state(of: record) != .deleted else { return }
        let type = records.type(of: record)
        for index in plan.items(of: node) {
            let item = plan.items[index]
            switch item.kind {
            case .excluded, .dataID, .spread: continue
            case .inline:
                var holds = item.condition == nil || item.condition == type
                if let condition = item.condition, item.isAbstract {
                    holds = plan.fact(type, is: condition, in: records) == true
                }
                if holds { visit(record, Int(item.child), isComing: isComing) }
            case .leaf, .composite:
                if item.marks.contains(.client) { continue }
                for key in [item.key] + (plan.marks[index]?.handle.map { [$0.storageKey] } ?? []) {
                    let isComing = isComing || arriving.fill(key, of: record, in: records)
                    if let value = records.value(key, of: record) {
                        follow(value, Int(item.child), isComing: isComing)
                    } else {
                        found[LackingField(record: record, key: key), default: false] =
                            found[LackingField(record: record, key: key)] == true || isComing
                    }
                }
            }
        }
    }

    private mutating func follow(_ value: Value, _ node: Int, isComing: Bool) {
        switch value {
        case .link(let record): visit(record, node, isComing: isComing)
        case .links(let links): for record in links where record != .none { visit(record, node, isComing: isComing) }
        case .list(let values): for value in values { follow(value, node, isComing: isComing) }
        default: break
        }
    }
}

/// A field of an operation's data that the store lacks.
package struct LackingField: Hashable, Sendable {
    let record: RecordID
    let key: StorageKeyID
}
