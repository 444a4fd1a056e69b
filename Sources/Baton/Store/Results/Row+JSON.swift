extension JSONValue {
    /// The selected fields of a result as JSON, in the order of the document.
    ///
    /// Read with the same operation, the JSON gives an equal result: `Data(.data(JSONValue(data)), for: operation)`.
    /// For that, an object of an interface or union has its `__typename`, and `__isX` if it fulfils a type condition on
    /// the abstract type `X`. The fields of spread fragments are missing, because a result does not show them;
    /// ``RelayEnvironment/json(of:)`` gives whole responses. A field whose errors were caught is null. `__id` is not
    /// read back: the new result has the data ID of the record that the JSON makes.
    public init(_ data: some GeneratedCode.SelectionSet) { self = data.__row.json(isAbstract: false) }
}

extension GeneratedCode.Row {
    /// Returns the shown fields as an object. The recursion is bounded by the depth of the plan.
    fileprivate func json(isAbstract: Bool) -> JSONValue {
        var members = JSONMembers()
        if isAbstract { members.add("__typename", .string(typename)) }
        addMembers(to: &members)
        return .object(members.members)
    }

    private func addMembers(to members: inout JSONMembers) {
        for field in 0..<itemCount {
            let index = item(field)
            let (plan, item) = (shelf.plan, shelf.plan.items[index])
            let shown = shown(at: field)
            switch (item.kind, shown) {
            case (.excluded, _): break
            case (.inline, .object), (.spread, .reference):
                if item.isAbstract, let condition = item.condition {
                    members.add("__is\(plan.names.name(of: condition))", .string(typename))
                }
                if case .object(let row) = shown { row.addMembers(to: &members) }
            case (.inline, _), (.spread, _): break
            case (.leaf, _), (.dataID, _), (.composite, _):
                members.add(plan.responseKeys[index], Self.json(shown, plan.types[index]))
            }
        }
    }

    private static func json(_ shown: Shown, _ type: BoundType) -> JSONValue {
        switch shown {
        case .leaf(let value): return value.json(as: type, level: 0)
        case .object(let row): return row.json(isAbstract: type.isAbstract)
        case .objects(let list): return list.json(isAbstract: type.isAbstract)
        case .nothing, .reference, .caught: return .null
        }
    }
}

extension GeneratedCode.RowList {
    fileprivate func json(isAbstract: Bool) -> JSONValue {
        .array(
            shownElements.map { element in
                switch element {
                case .null: .null
                case .object(let row): row.json(isAbstract: isAbstract)
                case .list(let list): list.json(isAbstract: isAbstract)
                }
            })
    }
}

extension BoundType {
    /// True if the objects are of an interface or union type.
    var isAbstract: Bool {
        if case .object(let composite) = leaf { return composite.isAbstract }
        return false
    }
}

extension Value {
    /// Returns the JSON of a field of a type; null if the value cannot be read as the type.
    fileprivate func json(as type: BoundType, level: Int) -> JSONValue {
        if level < type.listDepth {
            switch self {
            case .list(let items): return .array(items.map { $0.json(as: type, level: level + 1) })
            // An empty list of scalars may have been written as a list of links.
            case .links(let links) where links.isEmpty: return .array([])
            default: return .null
            }
        }
        if case .scalar(let scalar) = self, type.isMapped { return scalar.json }
        guard isReadable(as: type) else { return .null }
        switch type.leaf {
        case .text, .id, .unmapped: return text.map { .string($0) } ?? .null
        default: return json { _ in "" }
        }
    }
}

/// The members of an object. The values of a field that is added again are merged.
private struct JSONMembers {
    var members: [JSONValue.Member] = []
    private var positions: [String: Int] = [:]

    mutating func add(_ name: String, _ value: JSONValue) {
        if let position = positions[name] {
            members[position].value = Self.merged(members[position].value, value)
        } else {
            positions[name] = members.count
            members.append(.init(name, value))
        }
    }

    /// Merges two values of one field, in which lists have the same length.
    private static func merged(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
        switch (first, second) {
        case (.null, _): return second
        case (.object(let own), .object(let other)):
            var all = JSONMembers()
            for member in own + other { all.add(member.name, member.value) }
            return .object(all.members)
        case (.array(let own), .array(let other)) where own.count == other.count:
            return .array(zip(own, other).map(merged))
        default: return first
        }
    }
}
