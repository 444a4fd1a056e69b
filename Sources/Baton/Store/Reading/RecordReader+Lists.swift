// Lists of objects. If a non-null item has no value, the whole list has none. An item without a value because of a
// deleted record is only left out.

extension RecordReader {
    @inline(never)
    mutating func objects(
        _ step: UnsafePointer<ResultLayout.Step>, _ value: UnsafePointer<Value>?, _ place: Place, _ old: Int
    ) -> Bool {
        var oldList = 0
        if old != 0 { oldList = Int(frame.old?.words[old &+ step.pointee.word] ?? 0) }
        if isChecked { trace.path.append(.field(step.pointee.item)) }
        let list = value.map { self.list($0, step, level: 0, old: oldList) } ?? 0
        if isChecked { trace.leave() }
        if list != 0 {
            self[place.index &+ step.pointee.word] = UInt32(truncatingIfNeeded: list)
            return true
        }
        if isFalling { isFalling = step.pointee.isRequired }
        if isChecked, step.pointee.isNonNull(1) { missed(step.pointee.item) }
        return !step.pointee.isRequired
    }

    /// Reads a list of objects or of lists. Returns its place in the words, or 0 if the list has no value.
    mutating func list(_ value: UnsafePointer<Value>, _ step: UnsafePointer<ResultLayout.Step>, level: Int, old: Int)
        -> Int
    {
        let items = BorrowedList(value.pointee)
        guard items.isList else { return 0 }
        let (node, isNonNull) = (step.pointee.child, step.pointee.isNonNull(level + 1))
        // The shelves that a long list reuses need no new words.
        guard hasRoom(for: old != 0 && isLong(items.count, node) ? 0 : items.count) else { return 0 }
        if level + 1 < step.pointee.listDepth { return lists(items, step, level: level, isNonNull: isNonNull) }
        if isLong(items.count, node), let list = long(value, node, isNonNull: isNonNull, old: old) { return list }
        let size = nodes[node].size
        let list = take(1 &+ items.count &* size)
        if nodes[node].isRegular, let links = items.links {
            for (index, link) in links.enumerated() { self[list &+ 1 &+ index &* size] = link.index }
            if column(node, at: list &+ 1, count: links.count) {
                self[list] = UInt32(truncatingIfNeeded: links.count)
                return list
            }
        }
        var count = 0
        for index in 0..<items.count {
            let place = list &+ 1 &+ count &* size
            let record = items.record(at: index) ?? .none
            let oldPlace = oldItem(index, record, node, of: old)
            switch item(record, index, node, at: place, isNonNull: isNonNull, old: oldPlace) {
            case .item: count &+= 1
            case .leftOut: break
            case .none:
                fall(list &+ 1, node, count: count)
                return 0
            }
        }
        self[list] = UInt32(truncatingIfNeeded: count)
        return list
    }

    enum ItemResult {
        case item
        /// The item is left out, because it shows a deleted record.
        case leftOut
        /// The list has no value.
        case none
    }

    /// Returns the place of the same item in the same list of the read before; 0 if there is none or the list is long.
    private func oldItem(_ index: Int, _ record: RecordID, _ node: Int, of list: Int) -> Int {
        guard list != 0, nodes[node].hasLists, let shelf = frame.old else { return 0 }
        let count = shelf.words[list]
        guard count & Shelf.isLong == 0, index < Int(count) else { return 0 }
        let place = list &+ 1 &+ index &* nodes[node].size
        return shelf.words[place] == record.index ? place : 0
    }

    @inline(never)
    mutating func lists(_ items: BorrowedList, _ step: UnsafePointer<ResultLayout.Step>, level: Int, isNonNull: Bool)
        -> Int
    {
        let list = take(1 &+ items.count)
        var count = 0
        for index in 0..<items.count {
            if isChecked { trace.path.append(.index(index)) }
            let inner: Int
            if let pointer = items.pointer(at: index) {
                inner = self.list(pointer, step, level: level + 1, old: 0)
            } else {
                inner = 0
            }
            if isChecked { trace.leave() }
            if inner == 0, isNonNull {
                if isFalling {
                    isFalling = false
                    continue
                }
                // The lists before this one count as read.
                for before in 0..<count {
                    fallList(Int(self[list &+ 1 &+ before]), step.pointee.child, step.pointee.listDepth - level - 1)
                }
                return 0
            }
            isFalling = false
            self[list &+ 1 &+ count] = UInt32(truncatingIfNeeded: inner)
            count &+= 1
        }
        self[list] = UInt32(truncatingIfNeeded: count)
        return list
    }

    mutating func fallList(_ list: Int, _ node: Int, _ depth: Int) {
        guard list != 0, self[list] & Shelf.isLong == 0 else { return }
        let count = Int(self[list])
        if depth == 1 { return fall(list &+ 1, node, count: count) }
        for item in 0..<count { fallList(Int(self[list &+ 1 &+ item]), node, depth - 1) }
    }

    // MARK: - Long lists

    func isLong(_ count: Int, _ node: Int) -> Bool {
        count > Spine.length || count >= Spine.shortest && nodes[node].hasLists
    }

    /// Reads a list onto shelves of its own; returns nil if the list was not written as a list of links.
    @inline(never)
    mutating func long(_ value: UnsafePointer<Value>, _ node: Int, isNonNull: Bool, old: Int) -> Int? {
        guard case .links(let links) = value.pointee else { return nil }
        var known: Spine?
        if old != 0, let shelf = frame.old, shelf.words[old] & Shelf.isLong != 0 {
            known = shelf.spines[Int(shelf.words[old &+ 1])]
        }
        let spine = spine(links, node, isNonNull: isNonNull, after: known)
        frame.spines.append(spine)
        guard spine.isWhole else { return 0 }
        let list = take(2)
        self[list] = Shelf.isLong | UInt32(truncatingIfNeeded: spine.count)
        self[list &+ 1] = UInt32(truncatingIfNeeded: frame.spines.count - 1)
        return list
    }

    /// Reads a range of links onto a shelf, which will share the cells of the group. `isWhole` is false if the list has
    /// no value.
    mutating func shelf(
        _ links: [RecordID], _ range: Range<Int>, _ node: Int, isNonNull: Bool, after old: Shelf?
    ) -> (shelf: Shelf, isWhole: Bool) {
        guard hasRoom(for: range.count) else {
            let outer = begin(node, count: 0, after: nil)
            return (end(node, count: 0, outer, takesCells: false), false)
        }
        let outer = begin(node, count: range.count, after: old)
        let (caught, errors, logged) = (trace.caught, trace.errors.count, trace.logged.count)
        let size = nodes[node].size
        if nodes[node].isRegular {
            for (number, index) in range.enumerated() { self[1 &+ number &* size] = links[index].index }
            if column(node, at: 1, count: range.count) {
                return (end(node, count: range.count, outer, takesCells: false), true)
            }
        }
        var count = 0
        var isWhole = true
        links.withUnsafeBufferPointer { links in
            for index in range {
                let place = 1 &+ count &* size
                var oldPlace = 0
                if let old, index &- range.lowerBound < old.count {
                    let known = 1 &+ (index &- range.lowerBound) &* size
                    if old.words[known] == links[index].index { oldPlace = known }
                }
                switch item(links[index], index, node, at: place, isNonNull: isNonNull, old: oldPlace) {
                case .item: count &+= 1
                case .leftOut: break
                case .none:
                    isWhole = false
                    return
                }
            }
        }
        if isChecked, caught != trace.caught || errors != trace.errors.count || logged != trace.logged.count {
            frame.rest.hasProblems = true
        }
        return (end(node, count: count, outer, takesCells: false), isWhole)
    }

    @inline(__always)
    mutating func item(
        _ record: RecordID, _ index: Int, _ node: Int, at place: Int, isNonNull: Bool, old: Int
    ) -> ItemResult {
        if record != .none, !isChecked {
            if object(record, node, at: place, old: old) { return .item }
            if !isNonNull {
                isFalling = false
                return .item
            }
        }
        return otherItem(record, index, node, at: place, isNonNull: isNonNull, old: old)
    }

    @inline(never)
    mutating func otherItem(
        _ record: RecordID, _ index: Int, _ node: Int, at place: Int, isNonNull: Bool, old: Int
    ) -> ItemResult {
        if record == .none {
            if isNonNull { return .none }
            self[place] = RecordID.none.index
            self[place &+ 1] = Shelf.nowhere
            return .item
        }
        if isChecked {
            trace.path.append(.index(index))
            let exists = object(record, node, at: place, old: old)
            trace.leave()
            if exists { return .item }
            if !isNonNull {
                isFalling = false
                return .item
            }
        }
        let isLeftOut = isFalling
        // The place belongs to the next item, so the words of the object are copied.
        let size = nodes[node].size
        let copy = take(size)
        for word in 0..<size {
            self[copy &+ word] = self[place &+ word]
            self[place &+ word] = 0
        }
        fall(copy, node)
        isFalling = false
        return isLeftOut ? .leftOut : .none
    }

    /// The records that have changed since the read before this one.
    mutating func changesSinceLast() -> ChangesSince? {
        if let changes { return changes }
        guard let previous else { return nil }
        changes = ChangesSince(records.changed(since: previous.epoch))
        return changes
    }
}
