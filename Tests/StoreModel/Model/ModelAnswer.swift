import Baton

/// The records of a response, in the order in which their objects end.
struct ModelAnswer {
    /// The error for an unusable answer: a conversion failed, or a non-null field is null.
    struct Unusable: Error {}

    struct Entry {
        let id: String
        let type: String
        let fields: [(key: String, value: ModelValue)]
    }

    var entries: [Entry] = []
    /// The records of the response that were deleted after the request was sent, and whose deletion the store has
    /// forgotten.
    var deleted: Set<String> = []
    private(set) var facts: [ModelState.Fact: Bool] = [:]
    private let call: ModelCall

    /// The records that the response names.
    var mentioned: Set<String> { Set(entries.map(\.id)).union(deleted) }

    /// Reads a response whose root fields belong to `root`.
    init(_ call: ModelCall, _ data: JSONValue, root: String) throws {
        self.call = call
        try object(call.items, "__Root", root, data)
    }

    private mutating func object(
        _ items: [SelectionPlan.Item], _ type: String, _ id: String, _ json: JSONValue
    ) throws {
        guard case .object(let members) = json else { throw Unusable() }
        let fields = call.fields(items, of: type)
        var written: [(position: Int, key: String, value: ModelValue)] = []
        for member in members {
            guard let position = fields.firstIndex(where: { $0.field.responseKey == member.name }) else { continue }
            let field = fields[position]
            let key = call.storageKey(field.field)
            written.append((position, key, try value(field.field.type, field, member.value, Place(id, key))))
        }
        // Of two response keys with one storage key, the later one in the plan wins. The order in which the server
        // sends them does not matter.
        written.sort { $0.position < $1.position }
        let names = Set(members.map(\.name))
        for condition in call.conditions(items, of: type, { names.contains("__is\($0)") }) where condition.isDecided {
            // A response that shows one object as an `X` decides for the type, whatever its other objects of the type
            // show.
            let fact = ModelState.Fact(type: type, abstractType: condition.abstractType)
            facts[fact] = facts[fact] == true || names.contains("__is\(condition.abstractType)")
        }
        entries.append(Entry(id: id, type: type, fields: written.map { ($0.key, $0.value) }))
    }

    /// The place that identifies an object without a data ID of its own.
    private struct Place {
        let text: String

        init(_ parent: String, _ key: String) {
            text = (parent.hasPrefix("client:") ? parent : "client:\(parent)") + ":\(key)"
        }

        private init(text: String) { self.text = text }
        func item(_ index: Int) -> Place { Place(text: "\(text):\(index)") }
        /// The place of the objects of an inner list.
        func list(_ index: Int, _ key: String) -> Place { Place("\(text):\(index)", key) }
    }

    private mutating func value(
        _ type: SelectionPlan.FieldType, _ field: ModelCall.Field, _ json: JSONValue, _ place: Place
    ) throws -> ModelValue {
        switch type {
        case .nonNull(let inner):
            guard json != .null else { throw Unusable() }
            return try value(inner, field, json, place)
        case _ where json == .null: return .scalar(.null)
        case .list(let inner):
            guard case .array(let items) = json else { throw Unusable() }
            let item = inner.withoutNonNull
            if inner.named.isComposite, case .named = item {
                var targets: [String?] = []
                for (index, json) in items.enumerated() {
                    let target = try value(inner, field, json, place.item(index))
                    if case .link(let id) = target { targets.append(id) } else { targets.append(nil) }
                }
                return .links(targets)
            }
            let key = call.storageKey(field.field)
            return .list(
                try items.enumerated().map { index, json in
                    try value(inner, field, json, inner.named.isComposite ? place.list(index, key) : place)
                })
        case .named(let name):
            switch name {
            case .object(let type, let isNode): return .link(try target(type, isNode, field, json, place))
            case .abstract(_, let isNode, let nodes):
                guard case .string(let type)? = json["__typename"] else { throw Unusable() }
                return .link(try target(type, isNode || nodes.contains(type), field, json, place))
            default: return .scalar(try scalar(name, json))
            }
        }
    }

    private mutating func target(
        _ type: String, _ isNode: Bool, _ field: ModelCall.Field, _ json: JSONValue, _ place: Place
    ) throws -> String {
        var id = place.text
        if call.fields(field.children, of: type).contains(where: { $0.field.responseKey == "id" }),
            let own = json["id"], own != .null
        {
            var text = own.text
            if case .string(let string) = own { text = string }
            id = isNode ? text : "\(type):\(text)"
        }
        try object(field.children, type, id, json)
        return id
    }

    private func scalar(_ type: SelectionPlan.NamedType, _ json: JSONValue) throws -> JSONValue {
        switch type {
        case .id, .unmappedScalar:
            if case .string = json { return json }
            return .string(json.text)
        case .mappedScalar:
            if json == "bad" { throw Unusable() }
            return json
        default: return json
        }
    }
}

extension SelectionPlan.FieldType {
    var withoutNonNull: SelectionPlan.FieldType {
        if case .nonNull(let inner) = self { inner } else { self }
    }
}

extension ModelState {
    /// Writes a response. If a record occurs more than once, the fields that end last win. A record with a new type is
    /// a new record.
    mutating func write(_ answer: ModelAnswer) {
        var staged: [String: ModelRecord] = [:]
        for entry in answer.entries {
            staged[entry.id, default: ModelRecord(type: entry.type)].type = entry.type
            for (key, value) in entry.fields { staged[entry.id]?.fields[key] = value }
        }
        for (id, record) in staged {
            if var known = records[id], known.type == record.type {
                known.fields.merge(record.fields) { $1 }
                put(id, known)
            } else {
                put(id, record)
            }
        }
        for id in answer.deleted { delete(id) }
        for (fact, holds) in answer.facts { facts[fact] = holds }
    }
}
