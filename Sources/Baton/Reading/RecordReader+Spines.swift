// Long lists, which stand on shelves of their own. The shelves of the read before are taken over where nothing has
// changed.

extension RecordReader {
    /// Reads a long list of objects. `old` is the same list in the read before.
    mutating func spine(_ links: [RecordID], _ node: Int, isNonNull: Bool, after old: Spine?) -> Spine {
        var list = ListInProgress(node: node, isNonNull: isNonNull, links: links)
        list.shelves.reserveCapacity(links.count / Spine.length + 1)
        list.sources.reserveCapacity(links.count / Spine.length + 2)
        if let old, let changes = changesSinceLast(), old.shelves.count <= 2 * (links.count / Spine.length) + 8 {
            if old.links == links {
                follow(old, changes, &list)
            } else {
                rearrange(old, changes, &list)
            }
        } else {
            read(to: links.count, &list)
        }
        list.sources.append(links.count)
        return Spine(list.shelves, sources: list.sources, links: links, isWhole: list.isWhole)
    }

    private struct ListInProgress {
        let node: Int
        let isNonNull: Bool
        let links: [RecordID]
        var shelves: [Shelf] = []
        var sources: [Int] = []
        /// The number of links that are done.
        var done = 0
        var isWhole = true
    }

    /// Reads the links up to `end`, a shelf at a time.
    private mutating func read(to end: Int, _ list: inout ListInProgress) {
        while list.done < end, list.isWhole {
            read(list.done..<min(end, list.done + Spine.length), after: nil, &list)
        }
    }

    private mutating func read(_ range: Range<Int>, after old: Shelf?, _ list: inout ListInProgress) {
        let (shelf, isWhole) = shelf(list.links, range, list.node, isNonNull: list.isNonNull, after: old)
        list.shelves.append(shelf)
        list.sources.append(range.lowerBound)
        list.done = range.upperBound
        if !isWhole { list.isWhole = false }
    }

    /// Takes an old shelf over if nothing on it has changed, or reads it again.
    private mutating func take(
        _ number: Int, of old: Spine, _ changes: ChangesSince, _ list: inout ListInProgress
    ) {
        let shelf = old.shelves[number]
        let length = old.sources[number + 1] - old.sources[number]
        if shelf.isCurrent(changes) {
            list.shelves.append(shelf)
            list.sources.append(list.done)
            list.done += length
        } else {
            read(list.done..<list.done + length, after: shelf, &list)
        }
    }

    /// Reads a list whose links are the same.
    private mutating func follow(_ old: Spine, _ changes: ChangesSince, _ list: inout ListInProgress) {
        for number in old.shelves.indices where list.isWhole { take(number, of: old, changes, &list) }
        // The old list may have no value and end before its last link.
        if list.isWhole { read(to: list.links.count, &list) }
    }

    /// Reads a list with other links or another order. A shelf is taken over where its links stand side by side.
    private mutating func rearrange(_ old: Spine, _ changes: ChangesSince, _ list: inout ListInProgress) {
        var numbers: [RecordID: Int] = [:]
        numbers.reserveCapacity(old.shelves.count)
        for number in old.shelves.indices where old.sources[number] < old.sources[number + 1] {
            numbers[old.links[old.sources[number]]] = number
        }
        var next = 0
        while next < list.links.count, list.isWhole {
            guard let number = numbers[list.links[next]] else {
                next += 1
                continue
            }
            let range = old.sources[number]..<old.sources[number + 1]
            guard next + range.count <= list.links.count,
                list.links[next..<next + range.count] == old.links[range]
            else {
                next += 1
                continue
            }
            read(to: next, &list)
            guard list.isWhole else { return }
            take(number, of: old, changes, &list)
            next = list.done
        }
        if list.isWhole { read(to: list.links.count, &list) }
    }
}
