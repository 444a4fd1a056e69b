// The hash of what is selected. Equal rows have equal hashes, also if they were read with different plans: what the
// plan excludes is hashed like null, and nothing is hashed that `ShelfComparison` does not compare.

extension GeneratedCode.SelectionSet {
    /// Hashes what is selected, in time linear in it. The struct conforms to `Hashable` if the configuration asks for
    /// it.
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
    /// The recursion is bounded by the depth of the plan.
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
