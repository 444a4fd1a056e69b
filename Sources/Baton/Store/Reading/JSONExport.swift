/// Builds the JSON of an operation, fragments included, from the records of one version.
///
/// Missing fields are left out. JSON that is larger than the store's options allow for a result is null; a value counts
/// as 32 bytes. The recursion is bounded by the depth of the plan.
struct JSONExport {
    let records: Records
    let plan: BoundPlan
    let names: NameTable
    /// The number of values that may still be made.
    private var remaining: Int

    init(records: Records, plan: BoundPlan, names: NameTable) {
        self.records = records
        self.plan = plan
        self.names = names
        remaining = names.resultWords / Self.wordsOfValue
    }

    private static let wordsOfValue = 8

    private struct Field {
        let item: BoundPlan.Item
        let key: String
        var children: [Int]
        let isAbstract: Bool
    }

    /// The fields that the selection sets of one object select.
    private struct Found {
        var fields: [Field] = []
        var positions: [String: Int] = [:]
        /// The abstract types of fulfilled type conditions. A response shows them as `__isX`.
        var conditions: [TypeID] = []
    }

    /// Returns the object of the root fields; null if nothing was ever written to the root.
    mutating func data(at root: RecordID) -> JSONValue {
        let value = object(root, [0], isAbstract: false)
        return remaining < 0 ? .null : value
    }

    private mutating func object(_ record: RecordID, _ nodes: [Int], isAbstract: Bool) -> JSONValue {
        guard records.state(of: record) == .existing, remaining >= 0 else { return .null }
        var found = Found()
        for node in nodes { collect(node, record, &found) }
        var members: [JSONValue.Member] = []
        let typename = JSONValue.string(names.name(of: records.type(of: record)))
        if isAbstract { members.append(.init("__typename", typename)) }
        for condition in found.conditions { members.append(.init("__is\(names.name(of: condition))", typename)) }
        for field in found.fields {
            guard let value = records.value(field.item.key, of: record) else { continue }
            members.append(.init(field.key, json(value, field)))
        }
        return .object(members)
    }

    /// Adds the fields of a selection set that apply to a record. If a field is already there, its selection sets are
    /// merged.
    private func collect(_ node: Int, _ record: RecordID, _ found: inout Found) {
        for index in plan.items(of: node) {
            let item = plan.items[index]
            switch item.kind {
            case .excluded, .dataID, .spread: break
            // A client field is no part of a response.
            case .leaf where item.marks.contains(.client), .composite where item.marks.contains(.client): break
            case .inline:
                let type = records.type(of: record)
                let isMatch = item.condition.map { condition in
                    item.isAbstract ? records.fact(type, is: condition) == true : type == condition
                }
                guard isMatch ?? true else { continue }
                if item.isAbstract, let condition = item.condition, !found.conditions.contains(condition) {
                    found.conditions.append(condition)
                }
                collect(Int(item.child), record, &found)
            case .leaf, .composite:
                let key = plan.responseKeys[index]
                let children = item.kind == .composite ? [Int(item.child)] : []
                if let position = found.positions[key] {
                    found.fields[position].children += children
                } else {
                    found.positions[key] = found.fields.count
                    found.fields.append(
                        Field(item: item, key: key, children: children, isAbstract: plan.types[index].isAbstract))
                }
            }
        }
    }

    private mutating func json(_ value: Value, _ field: Field) -> JSONValue {
        remaining -= 1
        switch value {
        case .link(let record): return object(record, field.children, isAbstract: field.isAbstract)
        case .links(let targets):
            remaining -= targets.count
            guard remaining >= 0 else { return .null }
            return .array(
                targets.map { $0 == .none ? .null : object($0, field.children, isAbstract: field.isAbstract) })
        case .list(let values): return .array(values.map { json($0, field) })
        default: return value.json { _ in "" }
        }
    }
}
