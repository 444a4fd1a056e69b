// Objects that stand side by side, read column by column.
//
// All objects of a shelf are located first. Then the children of all these objects are found and located, one item of
// the selection set after another. Each of these loops is short, and its steps do not depend on each other. So the
// processor waits for the memory of many objects at once (benchmarks `read.vs-foundation` and `read.growth`).

extension RecordReader {
    /// Reads `count` objects from `place` on, whose words have their records. Returns false and reads nothing if an
    /// object here or below does not exist, has no value or must be read by itself.
    mutating func column(_ node: Int, at place: Int, count: Int) -> Bool {
        let end = wordEnd
        if readColumn(node, at: place, count: count) { return true }
        wordEnd = end
        (words + frame.words + place).update(repeating: 0, count: count &* nodes[node].size)
        return false
    }

    private mutating func readColumn(_ node: Int, at place: Int, count: Int) -> Bool {
        guard locate(node, at: place, count: count) else { return false }
        for number in nodes[node].steps {
            let step = steps + number
            let holds =
                switch step.pointee.kind {
                case .object: childColumn(step, node, at: place, count)
                case .inline: inlineColumn(step, node, at: place, count)
                default: listColumn(step, node, at: place, count)
                }
            if !holds { return false }
        }
        return true
    }

    /// Writes the places of objects whose words have their records.
    @inline(__always)
    private mutating func locate(_ node: Int, at place: Int, count: Int) -> Bool {
        let (borrowed, serial) = (borrowed, group.serial)
        let (size, hasSpreads) = (nodes[node].size, nodes[node].hasSpreads)
        var table = states[node].table
        var object = words + frame.words + place
        for _ in 0..<count {
            guard let slot = borrowed.slotPointer(of: RecordID(object[0])), slot.pointee.state == .existing else {
                return false
            }
            var cell: UInt32
            if let table, table[Int(slot.pointee.block)] >> 32 == UInt64(serial) {
                cell = UInt32(truncatingIfNeeded: table[Int(slot.pointee.block)])
            } else {
                cell = self.cell(slot.pointee.block, node)
                if !cells[group.cells &+ Int(cell)].verdict.isEmpty { cell = Self.mustLook }
                table = states[node].table
            }
            if cell & Self.mustLook != 0 { return false }
            object[1] = cell << Shelf.rowBits | UInt32(slot.pointee.row)
            if hasSpreads { object[2] = slot.pointee.collection }
            object += size
        }
        return true
    }

    /// Returns the value of a field of a located object.
    @inline(__always)
    private func value(
        _ field: Int, of object: UnsafePointer<UInt32>, _ cells: UnsafePointer<WrittenCell>
    ) -> UnsafePointer<Value>? {
        let cell = cells + Int(object[1] >> Shelf.rowBits)
        let position = cell.pointee.cell.positions[field]
        guard position >= 0 else { return nil }
        let row = Int(object[1] & (1 << Shelf.rowBits &- 1))
        let place = row &* Int(cell.pointee.cell.width) &+ Int(position)
        return cell.pointee.cell.values + place
    }

    /// Reads a field with one object, for all objects of a column.
    private mutating func childColumn(
        _ step: UnsafePointer<ResultLayout.Step>, _ node: Int, at place: Int, _ count: Int
    ) -> Bool {
        let (field, word, child) = (step.pointee.field, step.pointee.word, step.pointee.child)
        let (size, childSize) = (nodes[node].size, nodes[child].size)
        let first = take(count &* childSize)
        let (start, cells) = (words + frame.words, UnsafePointer(cells + group.cells))
        var (object, next, found) = (start + place, first, 0)
        for _ in 0..<count {
            if let value = value(field, of: object, cells), case .link(let record) = value.pointee {
                object[word] = UInt32(truncatingIfNeeded: next)
                start[next] = record.index
                next &+= childSize
                found &+= 1
            } else if step.pointee.isRequired {
                return false
            }
            object += size
        }
        wordEnd = frame.words &+ next
        return readColumn(child, at: first, count: found)
    }

    /// Reads an inline fragment on an object type, for all objects of a column.
    private mutating func inlineColumn(
        _ step: UnsafePointer<ResultLayout.Step>, _ node: Int, at place: Int, _ count: Int
    ) -> Bool {
        let (word, child, condition) = (step.pointee.word, step.pointee.child, plan.items[step.pointee.item].condition)
        let (size, childSize) = (nodes[node].size, nodes[child].size)
        let first = take(count &* childSize)
        let (start, cells) = (words + frame.words, UnsafePointer(cells + group.cells))
        var (object, next, found) = (start + place, first, 0)
        for _ in 0..<count {
            let cell = cells + Int(object[1] >> Shelf.rowBits)
            let type = cell.pointee.cell.block._withUnsafeGuaranteedRef { $0.type }
            if condition == nil || type == condition {
                object[word] = UInt32(truncatingIfNeeded: next)
                start[next] = object[0]
                next &+= childSize
                found &+= 1
            }
            object += size
        }
        wordEnd = frame.words &+ next
        return readColumn(child, at: first, count: found)
    }

    /// Reads a list of objects, for all objects of a column.
    private mutating func listColumn(
        _ step: UnsafePointer<ResultLayout.Step>, _ node: Int, at place: Int, _ count: Int
    ) -> Bool {
        let child = step.pointee.child
        guard let size = sizeOfLists(step, node, at: place, count) else { return false }
        // The objects so far stay noted, because the result fails and depends on them.
        guard hasRoom(for: size) else { return true }
        let childSize = nodes[child].size
        let first = take(size)
        write(step, node, at: place, count, listsTo: first)
        let isPlain = nodes[child].steps.isEmpty
        var list = first
        while list < first &+ size {
            let count = Int(self[list])
            let holds =
                isPlain ? locate(child, at: list &+ 1, count: count) : readColumn(child, at: list &+ 1, count: count)
            if !holds { return false }
            list &+= 1 &+ count &* childSize
        }
        return true
    }

    /// Returns the number of words that the lists of an item need; nil if a list must be read by itself.
    ///
    /// This loop is also the first that touches the memory of the lists.
    private func sizeOfLists(
        _ step: UnsafePointer<ResultLayout.Step>, _ node: Int, at place: Int, _ count: Int
    ) -> Int? {
        let (field, child) = (step.pointee.field, step.pointee.child)
        let (size, cells) = (nodes[node].size, UnsafePointer(cells + group.cells))
        let shortest = nodes[child].hasLists ? Spine.shortest : Spine.length + 1
        var (lists, links) = (0, 0)
        var object = words + frame.words + place
        for _ in 0..<count {
            let value = value(field, of: object, cells)
            if let value, let list = BorrowedList(value.pointee).links {
                if list.count >= shortest || list.first == RecordID.none { return nil }
                lists &+= 1
                links &+= list.count
            } else if step.pointee.isRequired || value?.pointee.isNull == false {
                return nil
            }
            object += size
        }
        return lists &+ links &* nodes[child].size
    }

    /// Writes the records of the lists under an item into words that were taken for them.
    private func write(
        _ step: UnsafePointer<ResultLayout.Step>, _ node: Int, at place: Int, _ count: Int, listsTo first: Int
    ) {
        let (field, word) = (step.pointee.field, step.pointee.word)
        let (size, childSize) = (nodes[node].size, nodes[step.pointee.child].size)
        let (start, cells) = (words + frame.words, UnsafePointer(cells + group.cells))
        var (object, list) = (start + place, first)
        for _ in 0..<count {
            if let value = value(field, of: object, cells), let links = BorrowedList(value.pointee).links {
                object[word] = UInt32(truncatingIfNeeded: list)
                start[list] = UInt32(truncatingIfNeeded: links.count)
                list &+= 1
                for link in links {
                    start[list] = link.index
                    list &+= childSize
                }
            }
            object += size
        }
    }
}
