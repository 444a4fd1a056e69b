// Lists of objects. If a non-null item has no value, the whole list has none. If the item has no value because it shows
// a deleted record, only the item is left out. Unchanged items are reused from the read before (`RecordReader+Reread`).

extension GeneratedCode.RecordReader {
    /// Reads a list of non-null objects. Items that show a deleted record are left out; nil if another item has no
    /// value.
    @inlinable
    public mutating func requiredObjects<Item: GeneratedCode.Selections>(_ field: Int, _: Item.Type) -> [Item]? {
        let items: [Item]? = if let list = beginObjects(field) { requiredItems(list) } else { nil }
        if items == nil { missed(field) }
        return items
    }

    /// Reads a list of non-null objects. Items that show a deleted record are left out; nil if another item has no
    /// value.
    @inlinable
    public mutating func requiredObjects<Item: GeneratedCode.ItemSelections>(_ field: Int, _: Item.Type) -> [Item]? {
        let items: [Item]? = if let list = beginObjects(field) { requiredRows(list) } else { nil }
        if items == nil { missed(field) }
        return items
    }

    /// Reads a list of nullable objects.
    @inlinable
    public mutating func objects<Item: GeneratedCode.Selections>(_ field: Int, _: Item.Type) -> [Item?]? {
        guard let list = beginObjects(field) else { return nil }
        return items(list)
    }

    /// Reads a list of nullable objects.
    @inlinable
    public mutating func objects<Item: GeneratedCode.ItemSelections>(_ field: Int, _: Item.Type) -> [Item?]? {
        guard let list = beginObjects(field) else { return nil }
        return rows(list)
    }

    // MARK: - The item of a list

    /// Reads a list of non-null objects. Items that show a deleted record are left out; nil if another item has no
    /// value.
    @inlinable
    public mutating func requiredObjects<Item: GeneratedCode.Selections>(_: Item.Type) -> [Item]? {
        guard let list = beginInnerObjects() else { return nil }
        return requiredItems(list)
    }

    /// Reads a list of non-null objects. Items that show a deleted record are left out; nil if another item has no
    /// value.
    @inlinable
    public mutating func requiredObjects<Item: GeneratedCode.ItemSelections>(_: Item.Type) -> [Item]? {
        guard let list = beginInnerObjects() else { return nil }
        return requiredRows(list)
    }

    /// Reads a list of nullable objects.
    @inlinable
    public mutating func objects<Item: GeneratedCode.Selections>(_: Item.Type) -> [Item?]? {
        guard let list = beginInnerObjects() else { return nil }
        return items(list)
    }

    /// Reads a list of nullable objects.
    @inlinable
    public mutating func objects<Item: GeneratedCode.ItemSelections>(_: Item.Type) -> [Item?]? {
        guard let list = beginInnerObjects() else { return nil }
        return rows(list)
    }
}

// MARK: - The loops

extension GeneratedCode.RecordReader {
    @inlinable
    mutating func requiredItems<Item: GeneratedCode.Selections>(_ list: ObjectList) -> [Item]? {
        if list.isKnown, let items = rereadRequired(list, Item.self) { return items.list }
        var items: [Item] = []
        items.reserveCapacity(list.count)
        for index in 0..<list.count {
            if enterItem(index, of: list), let item = Item(&self) {
                items.append(consume item)
            } else if !leavesOut(index, of: list) {
                abandon(list)
                return nil
            }
            if isMissingData { noteMissing(index, in: list) }
        }
        end(list, items)
        return items
    }

    @inlinable
    mutating func requiredRows<Item: GeneratedCode.ItemSelections>(_ list: ObjectList) -> [Item]? {
        if list.isKnown, let items = rereadRequired(list, Item.self) { return items.list }
        var items: [Item] = []
        items.reserveCapacity(list.count)
        var index = 0
        while index < list.count {
            let size = min(GeneratedCode.shelfSize, list.count &- index)
            guard let shelf = shelf(Item.Fields.self, index..<index &+ size, of: list) else {
                abandon(list)
                return nil
            }
            for place in 0..<shelf.count { items.append(Item(GeneratedCode.Row(shelf, place))) }
            index &+= size
        }
        end(list, items)
        return items
    }

    /// Reads a range of objects onto one shelf, without those that are left out; nil if another object has no value.
    @inlinable
    mutating func shelf<Fields: GeneratedCode.Selections>(
        _: Fields.Type, _ range: Range<Int>, of list: ObjectList
    ) -> [Fields]? {
        var isWhole = true
        let shelf = [Fields](unsafeUninitializedCapacity: range.count) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            for index in range {
                if enterItem(index, of: list), let fields = Fields(&self) {
                    (base + count).initialize(to: fields)
                    count &+= 1
                } else if !leavesOut(index, of: list) {
                    isWhole = false
                    return
                }
                if isMissingData { noteMissing(index, in: list) }
            }
        }
        return isWhole ? shelf : nil
    }

    @inlinable
    mutating func items<Item: GeneratedCode.Selections>(_ list: ObjectList) -> [Item?]? {
        if list.isKnown, let items = reread(list, Item.self) { return items.list }
        var items: [Item?] = []
        items.reserveCapacity(list.count)
        for index in 0..<list.count {
            items.append(enterItem(index, of: list) ? Item(&self) : nil)
            isFalling = false
            if isMissingData { noteMissing(index, in: list) }
        }
        end(list, items)
        return items
    }

    @inlinable
    mutating func rows<Item: GeneratedCode.ItemSelections>(_ list: ObjectList) -> [Item?]? {
        if list.isKnown, let items = reread(list, Item.self) { return items.list }
        var items: [Item?] = []
        items.reserveCapacity(list.count)
        var index = 0
        while index < list.count {
            let end = min(index &+ GeneratedCode.shelfSize, list.count)
            var shelf: [Item.Fields] = []
            shelf.reserveCapacity(end &- index)
            // One bit for each item, set if the item has a value.
            var present: UInt64 = 0
            for place in 0..<end &- index {
                if enterItem(index &+ place, of: list), let fields = Item.Fields(&self) {
                    shelf.append(fields)
                    present |= 1 << UInt64(truncatingIfNeeded: place)
                } else {
                    isFalling = false
                }
                if isMissingData { noteMissing(index &+ place, in: list) }
            }
            var used = 0
            while index < end {
                if present & 1 != 0 {
                    items.append(Item(GeneratedCode.Row(shelf, used)))
                    used &+= 1
                } else {
                    items.append(nil)
                }
                present >>= 1
                index &+= 1
            }
        }
        end(list, items)
        return items
    }
}

// MARK: - Begin and end

/// A list of objects that is being read.
@usableFromInline
struct ObjectList {
    let items: BorrowedList
    /// The selection set of the list's items.
    let node: Int
    @usableFromInline let count: Int
    /// The reader's place before the list.
    @usableFromInline let outer: GeneratedCode.RecordReader.Place
    /// The list's number among the remembered lists of the read; below 0 if it is not remembered.
    let number: Int
    /// The length of the path to the list, if the path is tracked.
    let depth: Int
    /// True if the read before this one has read the list too.
    @usableFromInline let isKnown: Bool
    /// True if the end of the list needs more than a return to the outer place.
    @usableFromInline let isNoted: Bool
}

extension GeneratedCode.RecordReader {
    /// The least length of an inner list that is remembered. To remember a list costs as much as to read a few objects.
    private static var rememberedLength: Int { 16 }

    /// Begins to read a list of objects; nil if the field has no list.
    @usableFromInline
    mutating func beginObjects(_ field: Int) -> ObjectList? {
        guard let value = value(field) else { return nil }
        let items = BorrowedList(value.pointee)
        guard items.isList else { return nil }
        let item = Int(current.first) &+ field
        if context.isTracking, listDepth == 0 || items.count >= Self.rememberedLength,
            case .links(let links) = value.pointee
        {
            return beginRemembered(items, item, links)
        }
        return begin(items, context.child(item), .field(item))
    }

    @usableFromInline
    mutating func beginInnerObjects() -> ObjectList? {
        let items = list.items.list(at: index)
        return items.isList ? begin(items, list.node, .index(index)) : nil
    }

    @inline(never)
    private mutating func beginRemembered(_ items: BorrowedList, _ item: Int, _ links: [RecordID]) -> ObjectList {
        let place = ReadList.Place(record: current.record, item: UInt32(truncatingIfNeeded: item))
        let node = context.child(item)
        lists.append(
            ReadList(place: place, node: node, links: links, first: trail.count, wasMissing: isMissingData))
        isMissingData = false
        let isKnown = context.previous != nil && context.knownLists[place] != nil
        return begin(items, node, .field(item), number: lists.count &- 1, isKnown: isKnown)
    }

    @inline(__always)
    private mutating func begin(
        _ items: BorrowedList, _ node: Int, _ step: ReaderTrace.Step, number: Int = -1, isKnown: Bool = false
    ) -> ObjectList {
        if isChecked { trace.path.append(step) }
        listDepth &+= 1
        return ObjectList(
            items: items, node: node, count: items.count, outer: current, number: number,
            depth: isChecked ? trace.path.count : 0, isKnown: isKnown, isNoted: isChecked || number >= 0)
    }

    /// Notes that a field was missing in the item that was just read.
    @usableFromInline
    mutating func noteMissing(_ index: Int, in list: borrowing ObjectList) {
        guard list.number >= 0 else { return }
        lists[list.number].addMissing(index)
        isMissingData = false
    }

    /// Handles a non-null item without a value. Returns true if the item shows a deleted record, so that the list goes
    /// on without the item.
    @usableFromInline
    mutating func leavesOut(_ index: Int, of list: borrowing ObjectList) -> Bool {
        guard isFalling else { return false }
        isFalling = false
        if list.number >= 0 { lists[list.number].leftOut.add(index) }
        return true
    }

    /// Ends a list with its items and returns to the outer place.
    @inlinable
    mutating func end<Item: Sendable>(_ list: borrowing ObjectList, _ items: [Item]) {
        if list.isNoted {
            noteList(list, items)
        } else {
            current = list.outer
            listDepth &-= 1
        }
    }

    @usableFromInline
    mutating func noteList<Item: Sendable>(_ list: borrowing ObjectList, _ items: [Item]) {
        if isChecked { settleList(list) }
        abandon(list)
        if list.number >= 0 { lists[list.number].complete(items, last: trail.count) }
    }

    /// Ends a list without a value and returns to the outer place.
    @usableFromInline
    mutating func abandon(_ list: borrowing ObjectList) {
        current = list.outer
        listDepth &-= 1
        if isChecked { leave(to: list.depth - 1) }
        if list.number >= 0, lists[list.number].isMissingData { isMissingData = true }
    }
}
