extension Value {
    /// Returns true if a field of a type shows both values alike. Updates and responses may store one number as an
    /// integer or as a double, and an ID as a number or as text.
    @inline(never)
    func isShown(like other: Value, _ type: BoundType, level: Int = 0) -> Bool {
        guard level == type.listDepth else {
            guard let own = scalars, let others = other.scalars else { return false }
            return own.count == others.count
                && zip(own, others).allSatisfy {
                    $0.isIdentical(to: $1) || $0.isShown(like: $1, type, level: level + 1)
                }
        }
        switch type.leaf {
        case .float:
            guard let own = number, let number = other.number else { return false }
            return own.bitPattern == number.bitPattern
        case .text, .id, .unmapped:
            // Two texts would have been found identical before.
            guard kind != .string || other.kind != .string, let own = text, let text = other.text else { return false }
            return own.hasSameBytes(as: text)
        case .int, .boolean, .mapped, .object: return false
        }
    }

    /// Hashes the value as a field of a type shows it. Values that are shown alike have equal hashes.
    func hash(into hasher: inout Hasher, shownAs type: BoundType, level: Int = 0) {
        guard level == type.listDepth else {
            guard let items = scalars else { return hash(into: &hasher) }
            hasher.combine(items.count)
            for item in items { item.hash(into: &hasher, shownAs: type, level: level + 1) }
            return
        }
        switch type.leaf {
        case .float:
            if let number { return hasher.combine(number.bitPattern) }
        case .text, .id, .unmapped:
            if let text { return hasher.combine(text) }
        case .int, .boolean, .mapped, .object: break
        }
        hash(into: &hasher)
    }

    /// The items of a list of scalars. An empty list may have been written as a list of links.
    private var scalars: [Value]? {
        switch self {
        case .list(let values): values
        case .links(let links): links.isEmpty ? [] : nil
        default: nil
        }
    }

    /// The number that a `Float` field shows.
    private var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
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
