@testable import Baton

/// A simple model of the normalizer: dictionaries, and a walk over a decoded answer along the decoded plan.
struct NormalizerModel {
    struct Record: Equatable {
        var type: String
        var fields: [String: String] = [:]
    }

    private(set) var records: [String: Record] = [:]
    private(set) var deleted: Set<String> = []
    private(set) var facts: [String: Bool] = [:]
    var dataID: DataID.Function?

    /// Writes a response, whose members are in the order in which they come; returns the records that have changed.
    mutating func write(_ data: JSONValue, _ plan: SelectionPlan, _ variables: VariableValues) -> Set<String> {
        let before = self
        var answer = Answer(variables: variables, dataID: dataID)
        answer.object(data, plan.items, type: "__Root", id: "client:root")
        for (id, record) in answer.records {
            deleted.remove(id)
            if records[id]?.type == record.type {
                records[id]?.fields.merge(record.fields) { $1 }
            } else {
                records[id] = record
            }
        }
        facts.merge(answer.facts) { $1 }
        return Set(answer.records.keys.filter { records[$0] != before.records[$0] })
    }

    mutating func delete(_ id: String) {
        records[id] = nil
        deleted.insert(id)
    }

    mutating func set(_ value: JSONValue, _ field: String, of id: String) { records[id]?.fields[field] = value.text }

    /// The records as text, in the form of `Store.dump`.
    var dump: String {
        var lines = deleted.map { "\($0) deleted" }
        for (id, record) in records {
            lines.append("\(id) is \(record.type)")
            for (key, value) in record.fields { lines.append("\(id).\(key) = \(value)") }
        }
        for (type, holds) in facts { lines.append("\(type) \(holds ? "is" : "is not") Named") }
        return lines.sorted().joined(separator: "\n")
    }
}

/// The records of one response.
private struct Answer {
    let variables: VariableValues
    let dataID: DataID.Function?
    var records: [String: NormalizerModel.Record] = [:]
    var facts: [String: Bool] = [:]

    mutating func object(_ object: JSONValue, _ items: [SelectionPlan.Item], type: String, id: String) {
        guard case .object(let members) = object else { return }
        let groups = groups(of: items, object, type: type)
        var values: [String: String] = [:]
        // The objects inside are written in the order of the response, which may differ from that of the plan: two
        // places may give one field different values, for instance if only one of them selects the ID of a link.
        for member in members {
            guard let group = groups.first(where: { $0.field.responseKey == member.name }) else { continue }
            let key = variables.storageKey(group.field)
            let place = "\(Self.path(id)):\(key)"
            values[member.name] = stored(member.value, group.field.type, group.items, key, place: place).text
        }
        // Of two fields of one object with the same storage key, the last one in the plan counts.
        var fields: [String: String] = [:]
        for group in groups {
            guard let value = values[group.field.responseKey] else { continue }
            fields[variables.storageKey(group.field)] = value
        }
        if records[id]?.type != type {
            records[id] = .init(type: type, fields: fields)
        } else {
            records[id]?.fields.merge(fields) { $1 }
        }
    }

    /// Returns the fields of an object. Fields with the same response key become one field with all their selections.
    private mutating func groups(
        of items: [SelectionPlan.Item], _ object: JSONValue, type: String
    ) -> [(field: SelectionPlan.Field, items: [SelectionPlan.Item])] {
        var groups: [(field: SelectionPlan.Field, items: [SelectionPlan.Item])] = []
        func add(_ field: SelectionPlan.Field, _ items: [SelectionPlan.Item]) {
            if let index = groups.firstIndex(where: { $0.field.responseKey == field.responseKey }) {
                groups[index].items += items
            } else {
                groups.append((field, items))
            }
        }
        for item in items {
            if let condition = item.condition, !variables.holds(condition) { continue }
            switch item.kind {
            case .spread: break
            case .field(let field): add(field, field.selections)
            case .inline(let condition, let items):
                if condition?.isAbstract == true {
                    facts[type] = object["__isNamed"] != nil
                } else if let condition, condition.type != type {
                    continue
                }
                for group in self.groups(of: items, object, type: type) { add(group.field, group.items) }
            }
        }
        return groups
    }

    private static func path(_ id: String) -> String { id.hasPrefix("client:") ? id : "client:\(id)" }

    private mutating func stored(
        _ value: JSONValue, _ type: SelectionPlan.FieldType, _ items: [SelectionPlan.Item], _ key: String, place: String
    ) -> JSONValue {
        if value == .null { return .null }
        switch type {
        case .nonNull(let inner): return stored(value, inner, items, key, place: place)
        case .list(let inner):
            guard case .array(let values) = value else { return .null }
            // The innermost list of objects has its items at its own place; an outer list gives each inner list a place
            // of its own.
            let isOuter = if case .list = inner.nullable { inner.named.isComposite } else { false }
            var result: [JSONValue] = []
            for (index, value) in values.enumerated() {
                let place = isOuter ? "\(place):\(index):\(key)" : "\(place):\(index)"
                result.append(stored(value, inner, items, key, place: place))
            }
            return .array(result)
        case .named(.object(let name, let isNode)):
            return link(value, items, type: name, isNode: isNode, place: place)
        case .named(.abstract(_, let areNodes, let nodes)):
            guard case .string(let name)? = value["__typename"] else { return .null }
            return link(value, items, type: name, isNode: areNodes || nodes.contains(name), place: place)
        case .named(.float):
            if case .int(let integer) = value { return .double(Double(integer)) }
            return value
        case .named(.unmappedScalar):
            if case .string = value { return value }
            return .string(value.text)
        case .named(.id):
            if case .int(let integer) = value { return .string(String(integer)) }
            return value
        case .named: return value
        }
    }

    private mutating func link(
        _ value: JSONValue, _ items: [SelectionPlan.Item], type: String, isNode: Bool, place: String
    ) -> JSONValue {
        let id = identity(value, items, type: type, isNode: isNode) ?? place
        object(value, items, type: type, id: id)
        return .string("-> \(id)")
    }

    private func identity(_ value: JSONValue, _ items: [SelectionPlan.Item], type: String, isNode: Bool) -> String? {
        if let chosen = dataID?(TypeName(type), DataID.Fields(value)) { return chosen.rawValue }
        guard Self.selectsID(items, type) else { return nil }
        switch value["id"] {
        case .string(let id)?: return isNode ? id : "\(type):\(id)"
        case .int(let id)?: return isNode ? "\(id)" : "\(type):\(id)"
        default: return nil
        }
    }

    private static func selectsID(_ items: [SelectionPlan.Item], _ type: String) -> Bool {
        items.contains { item in
            switch item.kind {
            case .field(let field): field.responseKey == "id"
            case .inline(let condition, let items):
                (condition.map { $0.isAbstract || $0.type == type } ?? true) && selectsID(items, type)
            case .spread: false
            }
        }
    }
}
