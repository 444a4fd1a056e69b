/// Builds the JSON of an operation, fragments included, from the records of one version.
///
/// Missing fields are left out. The recursion is bounded by the depth of the plan.
struct JSONExport {
    let records: Records
    let plan: BoundPlan
    let names: NameTable

    private struct Field {
        let item: BoundPlan.Item
        let key: String
        var children: [Int]
        let isAbstract: Bool
    }

    /// Returns the object of the root fields; null if nothing was ever written to the root.
    func data(at root: RecordID) -> JSONValue { object(root, [0], isAbstract: false) }

    private func object(_ record: RecordID, _ nodes: [Int], isAbstract: Bool) -> JSONValue {
        guard records.state(of: record) == .existing else { return .null }
        var fields: [Field] = []
        var positions: [String: Int] = [:]
        for node in nodes { collect(node, record, &fields, &positions) }
        var members: [JSONValue.Member] = []
        if isAbstract { members.append(.init("__typename", .string(names.name(of: records.type(of: record))))) }
        for field in fields {
            guard let value = records.value(field.item.key, of: record) else { continue }
            members.append(.init(field.key, json(value, field)))
        }
        return .object(members)
    }

    /// Adds the fields of a selection set that apply to a record. If a field is already there, its selection sets are
    /// merged.
    private func collect(_ node: Int, _ record: RecordID, _ fields: inout [Field], _ positions: inout [String: Int]) {
        for index in plan.items(of: node) {
            let item = plan.items[index]
            switch item.kind {
            case .excluded, .spread: break
            // A client field is no part of an answer.
            case .leaf where item.marks.contains(.client), .composite where item.marks.contains(.client): break
            case .inline:
                let type = records.type(of: record)
                let isMatch = item.condition.map { condition in
                    item.isAbstract ? records.fact(type, is: condition) == true : type == condition
                }
                if isMatch ?? true { collect(Int(item.child), record, &fields, &positions) }
            case .leaf, .composite:
                let key = plan.responseKeys[index]
                let children = item.kind == .composite ? [Int(item.child)] : []
                if let position = positions[key] {
                    fields[position].children += children
                } else {
                    positions[key] = fields.count
                    var isAbstract = false
                    if case .object(let composite) = plan.types[index].leaf { isAbstract = composite.isAbstract }
                    fields.append(Field(item: item, key: key, children: children, isAbstract: isAbstract))
                }
            }
        }
    }

    private func json(_ value: Value, _ field: Field) -> JSONValue {
        switch value {
        case .link(let record): object(record, field.children, isAbstract: field.isAbstract)
        case .links(let targets):
            .array(targets.map { $0 == .none ? .null : object($0, field.children, isAbstract: field.isAbstract) })
        case .list(let values): .array(values.map { json($0, field) })
        default: value.json { _ in "" }
        }
    }
}
