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

extension Value {
    /// Returns true if a field of a type shows another value in the same way. Updates and answers may keep one number
    /// as an integer or as a double, and an ID as a number or as text.
    @inline(never)
    func isShown(like other: Value, _ type: BoundType) -> Bool {
        switch (self, other) {
        case (.list(let own), .list(let others)):
            return own.count == others.count
                && zip(own, others).allSatisfy { $0.isIdentical(to: $1) || $0.isShown(like: $1, type) }
        case (.links(let links), .list(let values)), (.list(let values), .links(let links)):
            return links.isEmpty && values.isEmpty
        default: break
        }
        switch type.leaf {
        case .float:
            guard case (.int(let whole), .double(let number)) = kind == .int ? (self, other) : (other, self) else {
                return false
            }
            return Double(whole).bitPattern == number.bitPattern
        case .text, .id, .unmapped:
            guard kind != other.kind, let own = text, let text = other.text else { return false }
            return own.hasSameBytes(as: text)
        case .int, .boolean, .mapped, .object: return false
        }
    }

    /// Hashes what a field of a type shows; values that are shown alike have equal hashes.
    fileprivate func hash(into hasher: inout Hasher, shownAs type: BoundType) {
        switch (self, type.leaf) {
        case (.int(let value), .float): Value.double(Double(value)).hash(into: &hasher)
        case (.list(let values), _):
            hasher.combine(values.count)
            for value in values { value.hash(into: &hasher, shownAs: type) }
        case (.links(let links), _) where links.isEmpty: hasher.combine(0)
        case (.int, .text), (.int, .id), (.int, .unmapped), (.double, .text), (.double, .id), (.double, .unmapped),
            (.bool, .text), (.bool, .id), (.bool, .unmapped), (.scalar, .text), (.scalar, .id), (.scalar, .unmapped):
            hasher.combine(text)
        case (.string(let value), .text), (.string(let value), .id), (.string(let value), .unmapped):
            hasher.combine(Optional(value))
        default: hash(into: &hasher)
        }
    }

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
