// Objects and the items of their selection sets.

extension RecordReader {
    /// The place of the object that is being read: its words, its record and its row.
    struct Place {
        let index: Int
        let record: RecordID
        let block: UInt32
        let values: UnsafePointer<Value>
        let positions: UnsafePointer<Int32>
    }

    /// Reads a record with a selection set into the words at a place; returns false if the object has no value. `old`
    /// is the place of the same object in the read before, or 0.
    @inline(__always)
    mutating func object(_ record: RecordID, _ node: Int, at index: Int, old: Int) -> Bool {
        self[index] = record.index
        let slot = borrowed.slot(of: record)
        guard slot.state == .existing else {
            self[index &+ 1] = Shelf.nowhere
            if slot.state == .unknown { noteMissing() }
            isFalling = slot.state == .deleted
            return false
        }
        let cell = cell(slot.block, node)
        self[index &+ 1] = cell << Shelf.rowBits | UInt32(slot.row)
        let number = group.cells &+ Int(cell)
        let verdict = cells[number].verdict
        let layout = nodes + node
        if verdict.isEmpty, layout.pointee.steps.isEmpty {
            if layout.pointee.hasSpreads { self[index &+ 2] = slot.collection }
            return true
        }
        return rest(of: record, slot, node, at: index, number, old: old)
    }

    @inline(never)
    mutating func rest(
        of record: RecordID, _ slot: Records.Slot, _ node: Int, at index: Int, _ cell: Int, old: Int
    ) -> Bool {
        let layout = nodes + node
        if layout.pointee.hasSpreads { self[index &+ 2] = slot.collection }
        let place = Place(
            index: index, record: record, block: slot.block,
            values: cells[cell].cell.values + Int(slot.row) &* Int(cells[cell].cell.width),
            positions: cells[cell].cell.positions)
        let verdict = cells[cell].verdict
        if verdict.contains(.lacksFields) { frame.isMissing = true }
        if verdict.contains(.falls) || verdict.contains(.rows) && !hasRequired(place, layout.pointee.required) {
            self[index &+ 1] = Shelf.nowhere
            return false
        }
        let range = layout.pointee.steps
        var next = range.lowerBound
        while next < range.upperBound {
            let step = steps + next
            let holds = isChecked ? checkedStep(step, place, old) : self.step(step, place, old)
            if !holds {
                self[index &+ 1] = Shelf.nowhere
                return false
            }
            next &+= 1
        }
        return true
    }

    func hasRequired(_ place: Place, _ range: Range<Int>) -> Bool {
        for index in range {
            let leaf = required[index]
            let value = place.values + Int(place.positions[leaf.field])
            if leaf.sure.contains(value.pointee.kind) { continue }
            let type = plan.types[leaf.item]
            if type.listDepth > 0 {
                // An empty list of scalars may have been written as a list of links.
                guard case .links(let links) = value.pointee, links.isEmpty else { return false }
            } else if !value.pointee.isReadable(as: type) {
                return false
            }
        }
        return true
    }

    /// Reads one item. Returns false if the enclosing object has no value, because the item has none.
    @inline(__always)
    mutating func step(_ step: UnsafePointer<ResultLayout.Step>, _ place: Place, _ old: Int) -> Bool {
        switch step.pointee.kind {
        case .object: object(step, value(step, place), place, old)
        case .objects: objects(step, value(step, place), place, old)
        case .inline: inline(step, place, old)
        case .spread: spread(step, place)
        case .leaf: leaf(step, value(step, place), place)
        case .dataID: dataID(step, place)
        case .checkedLeaf: true
        }
    }

    @inline(__always)
    func value(_ step: UnsafePointer<ResultLayout.Step>, _ place: Place) -> UnsafePointer<Value>? {
        let position = place.positions[step.pointee.field]
        return position >= 0 ? place.values + Int(position) : nil
    }

    /// Reads a field with one object.
    @inline(__always)
    mutating func object(
        _ step: UnsafePointer<ResultLayout.Step>, _ value: UnsafePointer<Value>?, _ place: Place, _ old: Int
    ) -> Bool {
        guard let value, case .link(let record) = value.pointee else { return !step.pointee.isRequired }
        let child = take(nodes[step.pointee.child].size)
        var oldChild = 0
        if old != 0, let shelf = frame.old {
            oldChild = Int(shelf.words[old &+ step.pointee.word])
            if oldChild != 0, shelf.words[oldChild] != record.index { oldChild = 0 }
        }
        if isChecked { trace.path.append(.field(step.pointee.item)) }
        let exists = object(record, step.pointee.child, at: child, old: oldChild)
        if isChecked { trace.leave() }
        if exists {
            self[place.index &+ step.pointee.word] = UInt32(truncatingIfNeeded: child)
            return true
        }
        fall(child, step.pointee.child)
        if isFalling { isFalling = step.pointee.isRequired }
        if isChecked { missed(step.pointee.item) }
        return !step.pointee.isRequired
    }

    /// Notes visited objects without a value, because no word refers to them.
    mutating func fall(_ index: Int, _ node: Int, count: Int = 1) {
        frame.rest.fallen.append(Shelf.Fallen(index: index, node: node, count: count))
    }

    @inline(never)
    mutating func inline(_ step: UnsafePointer<ResultLayout.Step>, _ place: Place, _ old: Int) -> Bool {
        let item = plan.items[step.pointee.item]
        guard isMatch(item, place) else { return true }
        let child = take(nodes[step.pointee.child].size)
        let oldChild = old == 0 ? 0 : Int(frame.old?.words[old &+ step.pointee.word] ?? 0)
        if isChecked {
            if item.marks.contains(.deferred) {
                trace.enterDeferred()
            } else {
                trace.path.append(.fragment(isDeferred: false))
            }
        }
        let exists = object(place.record, step.pointee.child, at: child, old: oldChild)
        if isChecked { trace.leave() }
        if isFalling { isFalling = !exists && step.pointee.isRequired }
        if exists {
            self[place.index &+ step.pointee.word] = UInt32(truncatingIfNeeded: child)
        } else {
            fall(child, step.pointee.child)
        }
        return exists || !step.pointee.isRequired
    }

    mutating func spread(_ step: UnsafePointer<ResultLayout.Step>, _ place: Place) -> Bool {
        if isMatch(plan.items[step.pointee.item], place) { self[place.index &+ step.pointee.word] = 1 }
        return true
    }

    /// Evaluates a type condition for the current record.
    mutating func isMatch(_ item: BoundPlan.Item, _ place: Place) -> Bool {
        guard let condition = item.condition else { return true }
        let type = borrowed.block(place.block).type
        guard item.isAbstract else { return type == condition }
        usesTypeFacts = true
        if let holds = plan.fact(type, is: condition, in: records) { return holds }
        if item.marks.isDisjoint(with: [.deferred, .client]) { noteMissing() }
        return false
    }
}
