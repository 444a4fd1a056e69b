// Compares the answer of a test with what an operation selects.

extension SelectionPlan {
    /// Returns the places of fields that the data must have and lacks: those that are selected under no condition, in
    /// no later part of the response, and for the type of their object. A place has no indices, and is named once.
    ///
    /// The recursion is bounded by the depth of the plan and of the lists in its types.
    fileprivate func missing(in data: JSONValue) -> [String] {
        var places: [String] = []
        Self.findMissing(in: data, items, "", &places)
        return places
    }

    private static func findMissing(in value: JSONValue, _ items: [Item], _ path: String, _ places: inout [String]) {
        if case .array(let values) = value {
            for value in values { findMissing(in: value, items, path, &places) }
            return
        }
        guard case .object(let members) = value else { return }
        var typename: String?
        if case .string(let text)? = value["__typename"] { typename = text }
        for field in demanded(items, typename) {
            let place = path.isEmpty ? field.responseKey : "\(path).\(field.responseKey)"
            guard let member = members.first(where: { $0.name == field.responseKey }) else {
                if !places.contains(place) { places.append(place) }
                continue
            }
            if field.type.named.isComposite { findMissing(in: member.value, field.selections, place, &places) }
        }
    }

    /// The fields that an object of a type certainly has.
    private static func demanded(_ items: [Item], _ typename: String?) -> [Field] {
        items.flatMap { item -> [Field] in
            if item.condition != nil || item.marks.increment != nil { return [] }
            switch item.kind {
            case .field(let field): return field.name.hasPrefix("__") || item.marks.isClient ? [] : [field]
            case .inline(let condition, let items):
                let isMatch = condition.map { !$0.isAbstract && $0.type == typename } ?? true
                return isMatch ? demanded(items, typename) : []
            case .spread: return []
            }
        }
    }
}

extension GeneratedCode.OperationArtifact {
    /// Says how the data of a test's answer differs from what the operation selects, in parts of a sentence; empty if
    /// it does not, if it is null, or if the plan is malformed.
    package func differences(of data: JSONValue) -> [String] {
        guard case .success(let plan) = normalization.plan else { return [] }
        var differences = plan.missing(in: data).map { "lacks '\($0)', which is selected" }
        if let error = plan.notSelected(in: data), case .notSelected = error.reason {
            let place = error.path.filter { if case .key = $0 { true } else { false } }
            differences.append("has '\(place.text)', which is not selected")
        }
        return differences
    }
}
