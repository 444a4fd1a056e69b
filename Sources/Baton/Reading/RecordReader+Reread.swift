// Lists that the read before this one has read too. Unchanged items are reused, with their storage.

/// The result of reading a list again; `list` is nil if an item that needs a value has none.
@usableFromInline
struct RereadItems<Item> {
    @usableFromInline let list: [Item]?
}

extension GeneratedCode.RecordReader {
    @usableFromInline
    mutating func rereadRequired<Item: GeneratedCode.Selections>(
        _ list: ObjectList, _: Item.Type
    ) -> RereadItems<Item>? {
        reread(list) { reader, isThere in isThere ? Item(&reader) : nil }
    }

    @usableFromInline
    mutating func reread<Item: GeneratedCode.Selections>(
        _ list: ObjectList, _: Item.Type
    ) -> RereadItems<Item?>? {
        reread(list) { reader, isThere in
            let item = isThere ? Item(&reader) : nil
            reader.isFalling = false
            return .some(item)
        }
    }

    /// Reads a list again; returns nil if the list must be read from the beginning.
    ///
    /// `read` returns the item at the reader's place. It returns nil if the list has no value because of the item, or
    /// if the item is left out.
    private mutating func reread<Element: Sendable>(
        _ list: ObjectList, _ read: (inout Self, Bool) -> Element?
    ) -> RereadItems<Element>? {
        guard let previous = context.previous, let number = context.knownLists[lists[list.number].place],
            let items = previous.lists[number].items as? [Element]
        else { return nil }
        let old = OldList(number: number, list: previous.lists[number], missing: previous.lists[number].missing)
        let changed = changed ?? context.records.changed(since: previous.epoch)
        self.changed = changed
        // Errors that were caught inside an item contain the item's place.
        let isElsewhere = !old.list.path.isEmpty && old.list.path != pathComponents(to: list.depth)
        let displaced = isElsewhere ? old.list.placedItems : []
        let result: [Element]?
        if lists[list.number].links == old.list.links {
            let changes = old.list.changes(in: previous.pairs, changed, displaced)
            result = changes.isEmpty ? keepAll(items, old, list) : replace(changes, in: items, old, list, read)
        } else {
            result = rearrange(items, old, old.list.parts(in: previous.pairs, changed, displaced), list, read)
        }
        if let result { end(list, result) } else { abandon(list) }
        return RereadItems(list: result)
    }

    private struct OldList {
        /// The list's number among the lists of the read before.
        let number: Int
        let list: ReadList
        let missing: Set<Int32>

        init(number: Int, list: ReadList, missing: [Int32]) {
            self.number = number
            self.list = list
            self.missing = Set(missing)
        }
    }

    private mutating func keepAll<Element>(
        _ items: [Element], _ old: OldList, _ list: ObjectList
    ) -> [Element] {
        keep(old.list.pairs, of: old)
        for index in old.list.missing { lists[list.number].addMissing(Int(index)) }
        lists[list.number].leftOut = old.list.leftOut
        var problems = old.list.problems[...]
        retell(&problems, before: .max, of: list)
        return items
    }

    /// Reads a list whose links are the same and of which some items have changed.
    private mutating func replace<Element>(
        _ changes: [ReadList.Part], in items: [Element], _ old: OldList, _ list: ObjectList,
        _ read: (inout Self, Bool) -> Element?
    ) -> [Element]? {
        let leftOut = old.list.leftOut
        var result = items
        // The edits serve to build the list anew if other items are left out than before.
        var edits: [(link: Int, item: Element)] = []
        var isOfOtherLength = false
        var missing = old.missing
        var problems = old.list.problems[...]
        var position = old.list.pairs.lowerBound
        for change in changes {
            keep(position..<change.pairs.lowerBound, of: old)
            retell(&problems, before: change.item, of: list)
            let isThere = enterAnyItem(change.item, of: list)
            let number = Int32(truncatingIfNeeded: change.item)
            missing.remove(number)
            let wasLeftOut = leftOut.contains(change.item)
            if let item = read(&self, isThere) {
                if wasLeftOut { isOfOtherLength = true } else { result[leftOut.place(of: change.item)] = item }
                edits.append((change.item, item))
            } else if leavesOut(change.item, of: list) {
                if !wasLeftOut { isOfOtherLength = true }
            } else {
                for index in missing where index < number { lists[list.number].addMissing(Int(index)) }
                return nil
            }
            if isMissingData { noteMissing(change.item, in: list) }
            position = change.pairs.upperBound
        }
        keep(position..<old.list.pairs.upperBound, of: old)
        retell(&problems, before: .max, of: list)
        for index in missing { lists[list.number].addMissing(Int(index)) }
        lists[list.number].leftOut = leftOut.without(changes, adding: lists[list.number].leftOut)
        return isOfOtherLength ? merge(edits, into: items, leftOut, list) : result
    }

    private func merge<Element>(
        _ edits: [(link: Int, item: Element)], into items: [Element], _ leftOut: ReadList.LeftOut, _ list: ObjectList
    ) -> [Element] {
        let now = lists[list.number].leftOut
        var edits = edits[...]
        var result: [Element] = []
        result.reserveCapacity(list.count - now.positions.count)
        for link in 0..<list.count {
            if let edit = edits.first, edit.link == link {
                edits.removeFirst()
                result.append(edit.item)
            } else if !now.contains(link) {
                result.append(items[leftOut.place(of: link)])
            }
        }
        return result
    }

    /// Reads a list that has other links or another order. An item is reused from any place where its record stood
    /// before, because the record has the same fields there.
    private mutating func rearrange<Element>(
        _ items: [Element], _ old: OldList, _ parts: [ReadList.Part], _ list: ObjectList,
        _ read: (inout Self, Bool) -> Element?
    ) -> [Element]? {
        let positions = LinkPositions(from: old.list.links, to: lists[list.number].links)
        let hasProblems = !old.list.problems.isEmpty
        let problems = Dictionary(old.list.problems.map { ($0.item, $0) }) { first, _ in first }
        var result: [Element] = []
        result.reserveCapacity(list.count)
        // Neighbouring items that stood side by side before are reused together.
        var run = 0..<0
        for index in 0..<list.count {
            if let place = positions.old(index), !parts[place].isChanged,
                !hasProblems || place == index || problems[place]?.isPlaced != true
            {
                if hasProblems { retell(problems[place], index, list) }
                if old.missing.contains(Int32(truncatingIfNeeded: place)) {
                    lists[list.number].addMissing(index)
                }
                if old.list.leftOut.contains(place) { lists[list.number].leftOut.add(index) }
                if place == run.upperBound, !run.isEmpty {
                    run = run.lowerBound..<place + 1
                } else {
                    keep(run, of: items, parts, old, &result)
                    run = place..<place + 1
                }
                continue
            }
            keep(run, of: items, parts, old, &result)
            run = 0..<0
            let isThere = enterAnyItem(index, of: list)
            if let item = read(&self, isThere) {
                result.append(item)
            } else if !leavesOut(index, of: list) {
                return nil
            }
            if isMissingData { noteMissing(index, in: list) }
        }
        keep(run, of: items, parts, old, &result)
        return result
    }

    private mutating func keep<Element>(
        _ run: Range<Int>, of items: [Element], _ parts: [ReadList.Part], _ old: OldList, _ result: inout [Element]
    ) {
        guard !run.isEmpty else { return }
        let leftOut = old.list.leftOut
        result.append(contentsOf: items[leftOut.place(of: run.lowerBound)..<leftOut.place(of: run.upperBound)])
        keep(parts[run.lowerBound].pairs.lowerBound..<parts[run.upperBound - 1].pairs.upperBound, of: old)
    }

    /// Reuses the notes of the read before about some items: their pairs, and the lists below them.
    private mutating func keep(_ range: Range<Int>, of old: OldList) {
        guard !range.isEmpty, let previous = context.previous else { return }
        let distance = trail.count - range.lowerBound
        trail.add(range)
        var low = old.number + 1
        var high = previous.lists.count
        while low < high {
            let middle = (low + high) / 2
            if previous.lists[middle].pairs.lowerBound < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        while low < previous.lists.count, previous.lists[low].pairs.lowerBound < range.upperBound {
            if previous.lists[low].items != nil { lists.append(previous.lists[low].moved(by: distance)) }
            low += 1
        }
    }
}

extension ReadList {
    /// The part of a read that belongs to one item.
    struct Part {
        let item: Int
        var pairs: Range<Int>
        var isChanged = false
    }

    /// Returns the items of which something has changed.
    fileprivate func changes(
        in all: [Dependencies.Pair], _ changed: ChangedRecords, _ displaced: Set<Int>
    ) -> [Part] {
        var result: [Part] = []
        visit(all, changed, displaced) { if $0.isChanged { result.append($0) } }
        return result
    }

    /// Returns the parts of all items; null items have no pairs.
    fileprivate func parts(
        in all: [Dependencies.Pair], _ changed: ChangedRecords, _ displaced: Set<Int>
    ) -> [Part] {
        var result: [Part] = []
        result.reserveCapacity(links.count)
        visit(all, changed, displaced) { part in
            while result.count < part.item {
                result.append(Part(item: result.count, pairs: part.pairs.lowerBound..<part.pairs.lowerBound))
            }
            result.append(part)
        }
        while result.count < links.count {
            result.append(Part(item: result.count, pairs: pairs.upperBound..<pairs.upperBound))
        }
        return result
    }

    /// Visits the pairs of the list item by item. Each item begins with a pair that has the selection set of the list's
    /// items.
    @inline(__always)
    private func visit(
        _ all: [Dependencies.Pair], _ changed: ChangedRecords, _ displaced: Set<Int>, _ body: (Part) -> Void
    ) {
        var part = Part(item: -1, pairs: pairs.lowerBound..<pairs.lowerBound)
        all.withUnsafeBufferPointer { all in
            for index in pairs {
                let pair = all[index]
                if pair.node == node {
                    if part.item >= 0 {
                        body(Part(item: part.item, pairs: part.pairs.lowerBound..<index, isChanged: part.isChanged))
                    }
                    var item = part.item + 1
                    while item < links.count - 1, links[item] == .none { item += 1 }
                    part = Part(item: item, pairs: index..<index)
                    if !displaced.isEmpty, displaced.contains(item) { part.isChanged = true }
                }
                if changed.contains(pair.record) { part.isChanged = true }
            }
        }
        if part.item >= 0 {
            body(Part(item: part.item, pairs: part.pairs.lowerBound..<pairs.upperBound, isChanged: part.isChanged))
        }
    }
}

/// Finds, for each link of a list, the position of its record in an older version of the list.
private struct LinkPositions {
    private let old: [RecordID]
    private let new: [RecordID]
    /// The numbers of equal links at the beginning and at the end.
    private var prefix = 0
    private var suffix = 0
    /// The old positions of all records, if many links differ.
    private var positions: [RecordID: Int]?

    /// For fewer links a search in the old links takes less time than building a table.
    private static let few = 64

    init(from old: [RecordID], to new: [RecordID]) {
        self.old = old
        self.new = new
        let shorter = min(old.count, new.count)
        while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
        while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
        guard new.count - prefix - suffix > Self.few else { return }
        positions = Dictionary(zip(old, old.indices)) { first, _ in first }
    }

    func old(_ index: Int) -> Int? {
        guard new[index] != .none else { return nil }
        if index < prefix { return index }
        if index >= new.count - suffix { return index - new.count + old.count }
        return positions.map { $0[new[index]] } ?? old.firstIndex(of: new[index])
    }
}
