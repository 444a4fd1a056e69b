/// Follows the paths of errors through one version of the records, along a normalization plan.
struct ErrorPath {
    let records: Records
    let plan: BoundPlan

    /// Returns true if a path of the response lies in a fragment. The path starts at the root fields of `root`, must
    /// lead through `record`, and must stay within the fragment from there on.
    func path(_ path: [JSONValue.PathComponent], from root: RecordID, liesIn fragment: BoundPlan, at record: RecordID)
        -> Bool
    {
        var place = root
        var nodes = [0]
        var rest = path[...]
        while !rest.isEmpty {
            if place == record && fragment.holds(rest) { return true }
            guard let (key, children) = plan.field(rest.removeFirst(), in: nodes),
                var value = records.value(key, of: place)
            else { return false }
            while case .index(let index) = rest.first, let item = value.item(index) {
                value = item
                rest.removeFirst()
            }
            guard case .link(let next) = value else { return false }
            place = next
            nodes = children
        }
        return false
    }
}

extension BoundPlan {
    /// Returns the field with a response key in some selection sets, and the selection sets of the field. Type
    /// conditions count as fulfilled.
    func field(_ component: JSONValue.PathComponent, in nodes: [Int]) -> (key: StorageKeyID, children: [Int])? {
        guard case .key(let name) = component else { return nil }
        var found: (key: StorageKeyID, children: [Int])?
        for node in nodes {
            for index in items(of: node) {
                let item = items[index]
                switch item.kind {
                case .excluded, .dataID, .spread: break
                case .inline:
                    guard let inner = field(component, in: [Int(item.child)]) else { break }
                    found = (inner.key, (found?.children ?? []) + inner.children)
                case .leaf, .composite:
                    guard responseKeys[index] == name else { break }
                    let children = item.kind == .composite ? [Int(item.child)] : []
                    found = (item.key, (found?.children ?? []) + children)
                }
            }
        }
        return found
    }

    /// Returns true if every key of a path, from the root of the plan, is a field of the plan.
    fileprivate func holds(_ path: ArraySlice<JSONValue.PathComponent>) -> Bool {
        var nodes = [0]
        for component in path {
            if case .index = component { continue }
            guard let (_, children) = field(component, in: nodes) else { return false }
            nodes = children
        }
        return true
    }
}

extension Value {
    /// Returns an item of a list; nil if the item is null or does not exist.
    fileprivate func item(_ index: Int) -> Value? {
        switch self {
        case .links(let records):
            guard records.indices.contains(index), records[index] != .none else { return nil }
            return .link(records[index])
        case .list(let values): return values.indices.contains(index) ? values[index] : nil
        default: return nil
        }
    }
}

extension RelayEnvironment {
    /// Returns the errors of the last response to a reference's operation whose path lies in the fragment.
    func errors<Fragment: GraphQLFragment>(in reference: FragmentReference<Fragment>) -> [GraphQLError] {
        let owner = reference.owner
        let errors = lastFetches.errors(of: owner)
        guard !errors.isEmpty, let bound = store.bind(reference) else { return [] }
        let paths = ErrorPath(records: store.records, plan: owner.plans.write)
        return errors.filter { error in
            paths.path(error.path ?? [], from: owner.root, liesIn: bound.selections.plan, at: bound.record)
        }
    }
}
