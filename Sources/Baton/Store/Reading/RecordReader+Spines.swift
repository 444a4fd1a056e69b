// Long lists, which stand on shelves of their own. A read reuses the unchanged shelves of the read before.

extension RecordReader {
    /// Reads a long list of objects. `old` is the same list in the read before.
    mutating func spine(_ links: [RecordID], _ node: Int, isNonNull: Bool, after old: Spine?) -> Spine {
        let outer = beginGroup()
        var list = ListInProgress(node: node, isNonNull: isNonNull, links: links)
        if let old, let changes = changesSinceLast(),
            old.sections.count <= 2 * (links.count / (Spine.length * Section.length)) + 8
        {
            if old.links == links {
                follow(old, changes, &list)
            } else if has(list, old.links[...], at: 0) {
                grow(old, changes, &list)
            } else {
                rearrange(old, changes, &list)
            }
        } else {
            read(to: links.count, &list)
        }
        list.endSection()
        if !group.shelves.isEmpty { shareCells() }
        group = outer
        return Spine(list.sections, links: links, isWhole: list.isWhole)
    }

    private struct ListInProgress {
        let node: Int
        let isNonNull: Bool
        let links: [RecordID]
        var sections: [Section] = []
        /// The shelves of the next section, and the number of links before each of them.
        var shelves: [Shelf] = []
        var sources = [0]
        /// The number of links that were read.
        var done = 0
        var isWhole = true

        mutating func add(_ shelf: Shelf, links: Int) {
            shelves.append(shelf)
            sources.append(sources[sources.count - 1] + links)
            done += links
            if shelves.count == Section.length { endSection() }
        }

        mutating func add(_ section: Section) {
            endSection()
            sections.append(section)
            done += section.linkCount
        }

        mutating func endSection() {
            guard !shelves.isEmpty else { return }
            sections.append(Section(shelves, sources: sources))
            shelves.removeAll(keepingCapacity: true)
            sources = [0]
        }
    }

    /// Reads the links up to `end`, a shelf at a time.
    private mutating func read(to end: Int, _ list: inout ListInProgress) {
        while list.done < end, list.isWhole {
            let (shelf, isWhole) = read(list.done..<min(end, list.done + Spine.length), after: nil, list)
            list.add(shelf, links: min(end - list.done, Spine.length))
            if !isWhole { list.isWhole = false }
        }
    }

    private mutating func read(
        _ range: Range<Int>, after old: Shelf?, _ list: borrowing ListInProgress
    ) -> (shelf: Shelf, isWhole: Bool) {
        let made = shelf(list.links, range, list.node, isNonNull: list.isNonNull, after: old)
        if group.shelves.count == SharedCells.shelves { shareCells() }
        return made
    }

    /// Reads a list whose links have not changed.
    private mutating func follow(_ old: Spine, _ changes: ChangesSince, _ list: inout ListInProgress) {
        list.sections.reserveCapacity(old.sections.count)
        for section in old.sections where list.isWhole { take(section, changes, &list) }
        // The old list may have no value and end before its last link.
        if list.isWhole { read(to: list.links.count, &list) }
    }

    /// Reads a list to whose end links were added, such as the items of a list with `@stream`. The last shelf is read
    /// again with the new links, unless it is full. So a shelf does not stay small, and only the end of the list costs.
    private mutating func grow(_ old: Spine, _ changes: ChangesSince, _ list: inout ListInProgress) {
        list.sections.reserveCapacity(old.sections.count + 1)
        for (number, section) in old.sections.enumerated() where list.isWhole {
            let isLast = number == old.sections.count - 1
            if !isLast || section.shelves.count == Section.length && section.isFull {
                take(section, changes, &list)
                continue
            }
            for shelf in section.shelves.indices where list.isWhole {
                let length = section.sources[shelf + 1] - section.sources[shelf]
                if shelf == section.shelves.count - 1, length < Spine.length { break }
                take(shelf, of: section, changes, &list)
            }
        }
        if list.isWhole { read(to: list.links.count, &list) }
    }

    /// Reuses a section without a change. In another section, reads only the shelves that show a change.
    private mutating func take(_ old: Section, _ changes: ChangesSince, _ list: inout ListInProgress) {
        let suspects = changes.few.map { old.shelves(with: $0) } ?? .max
        if suspects == 0, !old.mustLook { return list.add(old) }
        list.endSection()
        var shelves = old.shelves
        var haveSameRecords = true
        for number in shelves.indices where list.isWhole {
            let (shelf, isWhole) = taken(number, of: old, suspects, changes, list)
            if shelf === old.shelves[number] { continue }
            shelves[number] = shelf
            if haveSameRecords { haveSameRecords = shelf.hasSameRecords(as: old.shelves[number]) }
            if !isWhole {
                list.isWhole = false
                shelves.removeSubrange((number + 1)...)
            }
        }
        if zip(shelves, old.shelves).allSatisfy({ $0 === $1 }), list.isWhole { return list.add(old) }
        let sources = Array(old.sources[...shelves.count])
        list.sections.append(Section(shelves, sources: sources, like: haveSameRecords ? old : nil))
        list.done += sources[shelves.count]
    }

    /// Returns a shelf of a section, or a new shelf if the shelf shows a change.
    private mutating func taken(
        _ number: Int, of old: Section, _ suspects: UInt16, _ changes: ChangesSince, _ list: borrowing ListInProgress
    ) -> (shelf: Shelf, isWhole: Bool) {
        let shelf = old.shelves[number]
        let isSuspect = suspects >> UInt16(number) & 1 != 0
        if !shelf.rest.hasProblems, !isSuspect || stillShows(shelf, changes),
            shelf.spines.allSatisfy({ $0.sections.allSatisfy { $0.isUntouched(by: changes) } })
        {
            return (shelf, true)
        }
        let first = list.done + old.sources[number]
        return read(first..<first + old.sources[number + 1] - old.sources[number], after: shelf, list)
    }

    /// Reads a list whose links or order have changed. A shelf is reused where the links of the shelf still stand side
    /// by side.
    ///
    /// The links of a shelf may occur several times in the list. The shelf is reused once, because a result has each of
    /// its shelves in one place: a subscription knows its entries by their shelf.
    private mutating func rearrange(_ old: Spine, _ changes: ChangesSince, _ list: inout ListInProgress) {
        var places: [RecordID: (section: Int, shelf: Int)] = [:]
        for (number, section) in old.sections.enumerated() {
            // Small shelves are read again. Otherwise each move of an item would leave more small shelves behind.
            for shelf in section.shelves.indices
            where section.sources[shelf + 1] - section.sources[shelf] >= Spine.shortest {
                places[old.links[old.sources[number] + section.sources[shelf]]] = (number, shelf)
            }
        }
        // The reused shelves of each section, one bit each.
        var taken = [UInt16](repeating: 0, count: old.sections.count)
        var next = 0
        while next < list.links.count, list.isWhole {
            guard let (number, shelf) = places[list.links[next]], taken[number] >> UInt16(shelf) & 1 == 0 else {
                next += 1
                continue
            }
            let (section, start) = (old.sections[number], old.sources[number])
            // The shelves of small sections are put together. Otherwise sections would become ever smaller.
            if shelf == 0, taken[number] == 0, section.shelves.count * 2 > Section.length,
                has(list, old.links[start..<start + section.linkCount], at: next)
            {
                read(to: next, &list)
                guard list.isWhole else { return }
                take(section, changes, &list)
                taken[number] = .max
                next = list.done
                continue
            }
            let (first, end) = (section.sources[shelf], section.sources[shelf + 1])
            guard has(list, old.links[start + first..<start + end], at: next) else {
                next += 1
                continue
            }
            read(to: next, &list)
            guard list.isWhole else { return }
            take(shelf, of: section, changes, &list)
            taken[number] |= 1 << UInt16(shelf)
            next = list.done
        }
        if list.isWhole { read(to: list.links.count, &list) }
    }

    private func has(_ list: borrowing ListInProgress, _ links: ArraySlice<RecordID>, at place: Int) -> Bool {
        guard place + links.count <= list.links.count else { return false }
        return list.links.withUnsafeBufferPointer { all in
            links.withUnsafeBufferPointer { own in
                // Without a way out, the loop over some links compares several at a time.
                stride(from: 0, to: own.count, by: 512).allSatisfy { start in
                    var difference: UInt32 = 0
                    for index in start..<min(start &+ 512, own.count) {
                        difference |= all[place &+ index].index ^ own[index].index
                    }
                    return difference == 0
                }
            }
        }
    }

    /// Reuses one shelf of a section, or reads it again if it shows a change.
    private mutating func take(
        _ number: Int, of old: Section, _ changes: ChangesSince, _ list: inout ListInProgress
    ) {
        let shelf = old.shelves[number]
        let length = old.sources[number + 1] - old.sources[number]
        if !shelf.rest.hasProblems, shelf.isWhollyUntouched(by: changes) {
            list.add(shelf, links: length)
        } else {
            let (made, isWhole) = read(list.done..<list.done + length, after: shelf, list)
            list.add(made, links: length)
            if !isWhole { list.isWhole = false }
        }
    }

    // MARK: - Changed records

    /// Returns true if the changed records show the same on a shelf as before.
    ///
    /// Many lists link to a record but select few of its fields. A change of another field does not change the list.
    private func stillShows(_ shelf: Shelf, _ changes: ChangesSince) -> Bool {
        guard !isChecked, shelf.rest.isEmpty else { return shelf.isUntouched(by: changes) }
        var isSame = true
        if let few = changes.few {
            shelf.forEachObject(of: few) { record, node, index in
                if isSame { isSame = stillShows(RecordID(record), node, shelf, at: index) }
            }
            return isSame
        }
        shelf.forEachObject { record, node, index in
            guard isSame, changes.all.contains(RecordID(record)) else { return }
            isSame = stillShows(RecordID(record), node, shelf, at: index)
        }
        return isSame
    }

    @inline(never)
    private func stillShows(_ record: RecordID, _ node: Int, _ shelf: Shelf, at index: Int) -> Bool {
        let slot = borrowed.slot(of: record)
        guard slot.state == .existing, shelf.exists(at: index) else { return false }
        if nodes[node].hasSpreads, shelf.words[index &+ 2] != slot.collection { return false }
        let (row, block) = (GeneratedCode.Row(shelf, at: index, node: node), borrowed.block(slot.block))
        guard shelf.type(of: shelf.words[index &+ 1]) == block.type else { return false }
        let form = plan.form(node, block.object._withUnsafeGuaranteedRef { $0.shape })
        let values = block.values + Int(slot.row) &* block.width
        return (0..<plan.nodes[node].count).allSatisfy { field in
            let position = form.positions.pointer[field]
            let value = position >= 0 ? values + Int(position) : nil
            guard let old = row.value(field) else { return value == nil }
            guard let value else { return false }
            return UnsafePointer(value) == old || old.pointee.isIdentical(to: value.pointee)
        }
    }
}
