// The hash of the selected fields. Equal rows have equal hashes, even if they were read with different plans: a field
// that the plan excludes is hashed like null, and only fields that `ShelfComparison` compares are hashed.

extension GeneratedCode.SelectionSet {
    /// Hashes the selected fields, in time linear in their values. The struct conforms to `Hashable` if the
    /// configuration asks for it.
    public func hash(into hasher: inout Hasher) { __row.hash(into: &hasher) }
}

extension ObjectList: Hashable where Element: Hashable {
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
    }
}

extension GeneratedCode.Row {
    /// Hashes the type and the shown fields. The recursion is bounded by the depth of the plan.
    func hash(into hasher: inout Hasher) {
        hasher.combine(typename)
        for field in 0..<itemCount {
            switch shown(at: field) {
            case .nothing: hasher.combine(0 as UInt8)
            case .leaf(let value): value.hash(into: &hasher, shownAs: shelf.plan.types[item(field)])
            case .object(let row): row.hash(into: &hasher)
            case .objects(let list): list.hash(into: &hasher)
            case .reference: hasher.combine(target(field))
            case .caught(let errors): hasher.combine(errors)
            }
        }
    }
}

extension GeneratedCode.RowList {
    fileprivate func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in shownElements {
            switch element {
            case .null: hasher.combine(0 as UInt8)
            case .object(let row): row.hash(into: &hasher)
            case .list(let list): list.hash(into: &hasher)
            }
        }
    }
}
