extension Records {
    /// Returns the last field on a path that links to a record.
    func lastLink(
        along path: [JSONValue.PathComponent], from root: RecordID, to target: RecordID, _ plan: BoundPlan
    ) -> (RecordID, StorageKeyID)? {
        var nodes = [0]
        var place = root
        var last: (RecordID, StorageKeyID)?
        var rest = path[...]
        while let component = rest.popFirst() {
            guard case .key(let name) = component else { return last }
            var key: StorageKeyID?
            var children: [Int] = []
            var open = nodes
            while let node = open.popLast() {
                for index in plan.items(of: node) {
                    switch plan.items[index].kind {
                    case .inline: open.append(Int(plan.items[index].child))
                    case .composite where plan.responseKeys[index] == name:
                        key = plan.items[index].key
                        children.append(Int(plan.items[index].child))
                    default: break
                    }
                }
            }
            guard let key, var value = value(key, of: place) else { return last }
            while case .index(let index)? = rest.first {
                rest.removeFirst()
                switch value {
                case .links(let records) where records.indices.contains(index): value = .link(records[index])
                case .list(let values) where values.indices.contains(index): value = values[index]
                default: return last
                }
            }
            guard case .link(let next) = value else { return last }
            last = (place, key)
            if next == target, rest.count <= 1 { return last }
            (place, nodes) = (next, children)
        }
        return last
    }
}
