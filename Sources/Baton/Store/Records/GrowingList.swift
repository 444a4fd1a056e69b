/// The items of a list with `@stream` that the payloads of a response have brought so far.
///
/// Lists that continue each other share their memory, so that added items copy nothing.
struct GrowingList: Sendable {
    /// State: guarded by a lock of its own, a leaf.
    fileprivate final class Log: Sendable {
        private let items: Guarded<Value>

        init(_ items: Value) { self.items = Guarded(items) }

        func prefix(_ count: Int) -> Value { items.withLock { $0.prefix(count) } }

        func item(at index: Int) -> Value? { items.withLock { $0.item(at: index) } }

        func startsWithItems(of list: Value) -> Bool { items.withLock { $0.startsWithItems(of: list) } }

        /// Adds items behind the first `count`; returns false if there are others behind them.
        func add(_ new: [Value], behind count: Int) -> Bool {
            items.withLock { items in
                guard items.itemCount == count else { return false }
                items.append(new)
                return true
            }
        }
    }

    /// The first items of a list, by identity.
    struct Mark: Sendable {
        private weak var log: Log?
        private let count: Int

        init(_ list: GrowingList) { (log, count) = (list.log, list.count) }

        /// False once nobody has the list any more.
        var isLive: Bool { log != nil }

        /// Returns true if these are the first `count` items of a list.
        func isOf(_ list: GrowingList, count: Int) -> Bool { count == self.count && log === list.log }
    }

    private var log: Log
    private(set) var count: Int

    /// Begins with a list of links or of other values.
    init(_ list: Value) {
        log = Log(list)
        count = list.itemCount
    }

    /// All items.
    var whole: Value { log.prefix(count) }

    func item(at index: Int) -> Value? { index < count ? log.item(at: index) : nil }

    /// Returns true if the list begins with the items of another one.
    func startsWithItems(of list: Value) -> Bool { list.itemCount <= count && log.startsWithItems(of: list) }

    mutating func append(_ new: [Value]) {
        if !log.add(new, behind: count) {
            var items = log.prefix(count)
            items.append(new)
            log = Log(items)
        }
        count += new.count
    }

    /// Puts items into the list, from a position on.
    mutating func set(_ new: [Value], from position: Int) {
        if position == count { return append(new) }
        let known = whole.items ?? []
        let after = known.dropFirst(position + new.count)
        var items = log.prefix(position)
        items.append(new + after)
        self = GrowingList(items)
    }
}

extension StagedRecords {
    /// New items for the end of a list of the base, staged without a copy of the items before them.
    struct Growth: Sendable {
        /// The number of items before, and the last of them.
        let from: Int
        let last: Value?
        fileprivate(set) var new: [Value]
        /// The list with all items, for readers that need more than the new ones.
        fileprivate(set) var list: GrowingList

        /// True if the list of the newest version is known to hold exactly the items before.
        fileprivate(set) var isInStep = false

        /// Returns true if a list holds exactly the items before, so that the new ones belong at its end.
        func fits(_ current: Value?) -> Bool {
            guard let current, from > 0, current.itemCount == from, let own = last,
                current.item(at: from - 1)?.isIdentical(to: own) == true
            else { return false }
            return isInStep || list.startsWithItems(of: current)
        }

        /// Returns the list with the new items, even if it has changed in the store: its items stay, and the new items
        /// follow.
        func added(to current: Value?) -> Value {
            guard var current, current.itemCount > 0 else { return list.whole }
            let fits = fits(current)
            if !fits, current.startsWithItems(of: list.whole) { return current }
            current.append(fits ? new : current.lacking(new))
            return current
        }
    }

    /// Begins a growth: items for the end of a list of the base. The entry gets the key, so that the field counts as
    /// written.
    mutating func beginGrowth(
        _ position: Int, _ key: StorageKeyID, _ new: [Value], from: Int, last: Value?, of list: GrowingList,
        _ names: NameTable
    ) {
        set(position, key, .null, names)
        growths[entries[position].record, default: [:]][key] = Growth(from: from, last: last, new: new, list: list)
    }

    /// Takes over a growth of later changes, which replaces what was written under its key before.
    mutating func take(_ growth: Growth, _ position: Int, _ key: StorageKeyID, _ names: NameTable) {
        if shape(position).position(of: key) != nil { return set(position, key, growth.list.whole, names) }
        set(position, key, .null, names)
        growths[entries[position].record, default: [:]][key] = growth
    }

    /// Notes which growths continue lists of the newest version that are in step with the response.
    mutating func compareGrowths(with lists: ListsInStep) {
        for (record, own) in growths {
            for (key, growth) in own where lists.hold(key, of: record, growth.list, count: growth.from) {
                growths[record]?[key]?.isInStep = true
            }
        }
    }

    /// The lists that are in step with the response once the growths have landed on a version.
    func marksOfGrowths(over base: borrowing Records)
        -> [(record: RecordID, key: StorageKeyID, mark: GrowingList.Mark)]
    {
        growths.flatMap { record, own in
            own.compactMap { key, growth in
                growth.fits(base.value(key, of: record)) ? (record, key, .init(growth.list)) : nil
            }
        }
    }

    /// Adds further items to a list to which this response has staged items, in place. They must belong at its end.
    mutating func append(_ new: [Value], _ position: Int, _ key: StorageKeyID, of list: GrowingList) {
        let record = entries[position].record
        if growths[record]?[key] != nil {
            growths[record]?[key]?.new += new
            growths[record]?[key]?.list = list
        } else {
            change(position, key) { $0.append(new) }
        }
    }

    /// Replaces growths by whole lists, for code that looks at values.
    ///
    /// - Parameter isWanted: Returns true for the growths that are to stay.
    mutating func settleGrowths(
        over base: Records, _ names: NameTable, except isWanted: (Int, Growth, Value?) -> Bool = { _, _, _ in false }
    ) {
        for (record, own) in growths {
            guard let position = position(of: record) else { continue }
            for (key, growth) in own {
                let current = base.base(of: record).value(key)
                if !isWanted(position, growth, current) { set(position, key, growth.added(to: current), names) }
            }
        }
    }
}

extension Value {
    /// Returns the first items of a list.
    fileprivate func prefix(_ count: Int) -> Value {
        switch self {
        case .links(let records) where count < records.count: .links(Array(records.prefix(count)))
        case .list(let values) where count < values.count: .list(Array(values.prefix(count)))
        default: self
        }
    }

    /// Adds items to a list, in place unless the list is shared. An empty list may be written as either kind of list.
    mutating func append(_ new: [Value]) {
        var links: [RecordID] = []
        for item in new {
            switch item {
            case .link(let record): links.append(record)
            case .null: links.append(.none)
            default: break
            }
        }
        switch self {
        case .links(var records) where links.count == new.count:
            self = .null
            records += links
            self = .links(records)
        case .list(var values):
            self = .null
            values += new
            self = .list(values)
        default: self = .list((items ?? []) + new)
        }
    }

    /// Returns the items that a list does not have.
    fileprivate func lacking(_ new: [Value]) -> [Value] {
        new.filter { item in
            switch (self, item) {
            case (.links(let records), .link(let record)): !records.contains(record)
            case (.links(let records), .null): !records.contains(.none)
            case (.list(let values), _): !values.contains { $0.isIdentical(to: item) }
            default: true
            }
        }
    }
}
