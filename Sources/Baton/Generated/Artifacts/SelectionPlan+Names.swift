// Finds names in hand-made data that an operation does not select.

extension SelectionPlan {
    /// Returns an error for the first name in the data that the plan does not select at that place; nil if every name
    /// is selected. If `needsIDs` is true, also returns an error for an object without the ID that the plan selects.
    ///
    /// Members are checked in their order. Conditions count as fulfilled. A type condition counts as fulfilled unless
    /// the `__typename` of the object names another type.
    func notSelected(in data: JSONValue, needsIDs: Bool = false) -> RelayError.InvalidResponse? {
        var path: [JSONValue.PathComponent] = []
        // Other fields than the ID may identify objects.
        return Self.notSelected(in: data, items, needsIDs: needsIDs && marks.keys.isEmpty, &path)
    }

    /// The recursion is bounded by the depth of the plan and of the lists in its types.
    private static func notSelected(
        in value: JSONValue, _ items: [Item], needsIDs: Bool, _ path: inout [JSONValue.PathComponent]
    ) -> RelayError.InvalidResponse? {
        guard path.count <= JSONCursor.maximumDepth else { return nil }
        if case .array(let values) = value {
            for (index, value) in values.enumerated() {
                path.append(.index(index))
                if let found = notSelected(in: value, items, needsIDs: needsIDs, &path) { return found }
                path.removeLast()
            }
            return nil
        }
        guard case .object(let members) = value else { return nil }
        var typename: String?
        if case .string(let text)? = value["__typename"] { typename = text }
        var fields: [Field] = []
        guard collect(items, typename, &fields) else { return nil }
        for member in members where !member.name.hasPrefix("__") {
            path.append(.key(member.name))
            let chosen = fields.filter { $0.responseKey == member.name }
            if chosen.isEmpty {
                let aliases = fields.filter { $0.name == member.name }.map(\.responseKey)
                let near = aliases + member.name.nearest(in: fields.map(\.responseKey)).filter { !aliases.contains($0) }
                return RelayError.InvalidResponse(.notSelected(member.name, near: near), path: path)
            }
            if chosen.contains(where: \.type.named.isComposite),
                let found = notSelected(in: member.value, chosen.flatMap(\.selections), needsIDs: needsIDs, &path)
            {
                return found
            }
            path.removeLast()
        }
        guard needsIDs, !path.isEmpty else { return nil }
        let ids = ids(items, typename)
        guard let id = ids.first, !ids.contains(where: { value[$0] != nil }) else { return nil }
        return RelayError.InvalidResponse(.missingID(id), path: path)
    }

    /// Returns the response keys of the ID of an object, if it is selected under every condition.
    private static func ids(_ items: [Item], _ typename: String?) -> [String] {
        items.flatMap { item -> [String] in
            if item.condition != nil { return [] }
            switch item.kind {
            case .field(let field):
                if field.name == "id", case .id = field.type.named { return [field.responseKey] }
                return []
            case .inline(let condition, let items):
                let isMatch = condition.map { !$0.isAbstract && $0.type == typename } ?? true
                return isMatch && item.marks.increment == nil ? ids(items, typename) : []
            case .spread: return []
            }
        }
    }

    /// Collects the fields that an object may have; returns false if a fragment spread may select more.
    private static func collect(_ items: [Item], _ typename: String?, _ fields: inout [Field]) -> Bool {
        for item in items {
            switch item.kind {
            case .field(let field): fields.append(field)
            case .inline(let condition, let items):
                if let condition, !condition.isAbstract, let typename, typename != condition.type { continue }
                guard collect(items, typename, &fields) else { return false }
            case .spread: return false
            }
        }
        return true
    }

    /// Adds the names of all fields in the plan, as the schema spells them.
    func addFieldNames(to names: inout Set<String>) {
        var open = [items]
        while let items = open.popLast() {
            for item in items {
                switch item.kind {
                case .field(let field):
                    names.insert(field.name)
                    if !field.selections.isEmpty { open.append(field.selections) }
                    // The name under which the store keeps the connection.
                    if let handle = item.marks.handle { names.insert("__\(handle.key)_\(handle.name)") }
                case .inline(_, let items): open.append(items)
                case .spread: break
                }
            }
        }
    }
}

extension GeneratedCode.OperationArtifact {
    /// Returns an error for the first name in the data that the operation does not select at that place, and, if
    /// `needsIDs` is true, for an object without its ID. Returns nil if all is well or the plan is malformed.
    func notSelected(in data: JSONValue, needsIDs: Bool) -> RelayError.InvalidResponse? {
        guard case .success(let plan) = normalization.plan else { return nil }
        return plan.notSelected(in: data, needsIDs: needsIDs)
    }
}
