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
            case .leaf(let value): value.hash(into: &hasher)
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

extension Value {
    /// Hashes the value; identical values have equal hashes.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.bitPattern)
        case .string(let value): hasher.combine(value)
        case .link(let record): hasher.combine(record)
        case .links(let records): hasher.combine(records)
        case .list(let values):
            hasher.combine(values.count)
            for value in values { value.hash(into: &hasher) }
        case .scalar(let scalar): hasher.combine(scalar.json.jsonBytes)
        }
    }
}
