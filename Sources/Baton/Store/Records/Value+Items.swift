extension Value {
    /// The items of a list, links included; nil for other values.
    var items: [Value]? {
        switch self {
        case .links(let records): records.map { $0 == .none ? .null : .link($0) }
        case .list(let values): values
        default: nil
        }
    }

    /// The number of items of a list; 0 for other values.
    var itemCount: Int {
        switch self {
        case .links(let records): records.count
        case .list(let values): values.count
        default: 0
        }
    }

    /// Returns true if both values are lists and this list begins with the items of the other. An empty list counts as
    /// either kind of list.
    func startsWithItems(of other: Value) -> Bool {
        switch (self, other) {
        case (.links(let own), .links(let other)):
            own.count == other.count ? own == other : own.starts(with: other)
        case (.list(let own), .list(let other)): own.starts(with: other) { $0.isIdentical(to: $1) }
        case (.links, .list(let other)): other.isEmpty
        case (.list, .links(let other)): other.isEmpty
        default: false
        }
    }

    /// Returns true if both values are lists with the same items. Lists that share their memory are not compared item
    /// by item.
    func hasSameItems(as other: Value) -> Bool {
        itemCount == other.itemCount && startsWithItems(of: other)
    }

    /// Returns an item of a list, which may be null; nil if the list has no such item.
    func item(at index: Int) -> Value? {
        switch self {
        case .links(let records):
            guard records.indices.contains(index) else { return nil }
            return records[index] == .none ? .null : .link(records[index])
        case .list(let values): return values.indices.contains(index) ? values[index] : nil
        default: return nil
        }
    }
}
