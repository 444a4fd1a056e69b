extension Records {
    /// Writes staged records field by field and returns the differences. Pages and blocks without a difference are not
    /// touched.
    mutating func merge(_ staged: consuming StagedRecords, _ names: NameTable) -> ChangeSet {
        var staged = staged
        var changes = ChangeSet()
        changes.recordsWritten = staged.count
        let next = epoch + 1
        if !staged.found.isEmpty { stage(staged.found, into: &staged, names) }
        if !staged.growths.isEmpty { settleGrowths(of: &staged, names) }
        if let fetch = staged.fetch { stamp(staged, fetch) }
        if residence != nil {
            noteReplaced(by: staged)
            if !staged.underlaid.isEmpty { noteUnderlaid(of: staged, names) }
        }
        let hasErrors = !fieldErrors.isEmpty || !staged.fieldErrors.isEmpty
        let errors = hasErrors ? mergeErrors(of: staged) : []
        var work = Work(adopted: adopt(from: &staged))
        let entries = staged.entries
        var index = 0
        while index < entries.count {
            let end = place(entries, from: index, next, work, &changes)
            if end == index {
                merge(entries[index], &staged, next, names, &work, &changes)
                index += 1
            } else {
                index = end
            }
        }
        if !staged.typeChanges.isEmpty { changes.addTypeChanges(staged.typeChanges) }
        if !errors.isEmpty { addErrorChanges(errors, in: &changes, at: next) }
        for (fact, holds) in staged.facts where facts[fact] != holds {
            facts.learn(fact, holds, at: next)
            changes.hasNewFacts = true
        }
        epoch = next
        if staged.idsMayDiffer { idsMayDiffer = true }
        if !staged.invalidations.isEmpty {
            invalidations.add(staged.invalidations, at: next)
            changes.invalidates = true
        }
        return changes
    }

    private struct Work {
        /// For each staged block that was adopted, its number in this version and its type; empty if none was.
        private let adopted: [(number: UInt32, type: TypeID)?]
        /// The union of each pair of shapes, so that equal pairs of records share a shape.
        var unions: [ShapePair: Shape] = [:]

        init(adopted: [(number: UInt32, type: TypeID)?]) { self.adopted = adopted }

        /// Returns the number and the type of a staged block in this version; nil if it was not adopted.
        @inline(__always)
        func adopted(_ block: Int32) -> (number: UInt32, type: TypeID)? {
            adopted.isEmpty ? nil : adopted[Int(block)]
        }

        /// Returns the slot of a new record whose block was adopted; nil if the record needs a merge.
        @inline(__always)
        func slot(of entry: StagedRecords.Entry, at epoch: Epoch) -> Slot? {
            guard entry.block >= 0, let adopted = adopted(entry.block), entry.type == adopted.type,
                !entry.isSkipped, !entry.isDeleted, !entry.isReplaced
            else { return nil }
            return Slot(block: adopted.number, row: entry.row, state: .existing, changed: epoch)
        }
    }

    private struct ShapePair: Hashable {
        let old: ObjectIdentifier
        let new: ObjectIdentifier
    }

    /// Adopts the blocks whose rows are nearly all new records.
    private mutating func adopt(from staged: inout StagedRecords) -> [(number: UInt32, type: TypeID)?] {
        guard staged.entries.count >= RecordBlock.rows / 2 else { return [] }
        var adopted: [(number: UInt32, type: TypeID)?] = Array(repeating: nil, count: staged.blocks.count)
        var news = Array(repeating: 0, count: staged.blocks.count)
        for entry in staged.entries where entry.block >= 0 && entry.type == staged.blocks[Int(entry.block)].type {
            if state(of: entry.record) != .existing { news[Int(entry.block)] += 1 }
        }
        for (index, count) in news.enumerated() where count * 8 >= RecordBlock.rows * 7 {
            let block = staged.blocks[index]
            staged.blocks[index] = RecordBlock(block.type, .empty)
            adopted[index] = (adoptBlock(block), block.type)
        }
        return adopted
    }

    /// Places new records whose blocks were adopted. Stops at the first other record and at the end of the page, and
    /// returns the position of the entry there. Nearly all records of a first response are placed here (benchmark
    /// `shape.deep`).
    private mutating func place(
        _ entries: [StagedRecords.Entry], from first: Int, _ epoch: Epoch, _ work: borrowing Work,
        _ changes: inout ChangeSet
    ) -> Int {
        let page = Int(entries[first].record.index) / RecordPages.pageSize
        // The caller makes missing pages and merges known records.
        guard page < pages.count, work.slot(of: entries[first], at: epoch) != nil,
            slot(of: entries[first].record).state != .existing
        else { return first }
        var next = first
        pages.withPage(page, changed: epoch) { slots in
            while next < entries.count {
                let entry = entries[next]
                let index = Int(entry.record.index)
                guard index / RecordPages.pageSize == page, slots[index % RecordPages.pageSize].state != .existing,
                    var slot = work.slot(of: entry, at: epoch)
                else { break }
                slot.collection = slots[index % RecordPages.pageSize].collection
                slots[index % RecordPages.pageSize] = slot
                changes.addWhole(entry.record)
                next &+= 1
            }
        }
        return next
    }

    private mutating func merge(
        _ entry: StagedRecords.Entry, _ staged: inout StagedRecords, _ epoch: Epoch, _ names: NameTable,
        _ work: inout Work, _ changes: inout ChangeSet
    ) {
        let record = entry.record
        if entry.isSkipped {
            if entry.block >= 0, let adopted = work.adopted(entry.block)?.number {
                freeRow(Slot(block: adopted, row: entry.row), &changes.retired)
            }
            return
        }
        let old = slot(of: record)
        if entry.isDeleted {
            guard old.state != .deleted else { return }
            delete(record, changed: epoch, &changes.retired)
            changes.addWhole(record)
            return
        }
        // An update that began before the deletion of a record does not bring the record back.
        if old.state != .existing, entry.type == nil, record != .root { return }
        let oldType = old.state == .existing ? type(of: record) : nil
        if old.state == .existing, !entry.isReplaced, entry.type.map({ $0 == oldType }) ?? true {
            guard entry.block >= 0 else { return }
            if !staged.growths.isEmpty, let growths = staged.growths[record], !growths.isEmpty {
                append(growths, to: record, old, epoch, &changes)
                if let adopted = work.adopted(entry.block) {
                    freeRow(Slot(block: adopted.number, row: entry.row), &changes.retired)
                }
                return
            }
            guard let adopted = work.adopted(entry.block)?.number else {
                merge(entry, staged.blocks[Int(entry.block)], old, epoch, names, &work, &changes)
                return
            }
            let row = Slot(block: adopted, row: entry.row)
            merge(entry, block(at: row), old, epoch, names, &work, &changes)
            freeRow(row, &changes.retired)
            return
        }
        if let oldType, oldType == entry.type ?? oldType {
            if staged.fetch == nil { stamps.clear(record) }
            replace(record, oldType, entry, staged, epoch, &work, &changes)
            return
        }
        let type = entry.type ?? oldType ?? names.rootType
        if entry.isReplaced, staged.fetch == nil { stamps.clear(record) }
        if let oldType, type != oldType, !entry.isReplaced {
            changes.typeChanges.append(.init(record: record, old: oldType, new: type))
        }
        if old.state == .existing { freeRow(old, &changes.retired) }
        changes.addWhole(record)
        guard entry.block >= 0 else {
            setSlot(record, makeRow(type, .empty, changed: epoch, &changes.retired))
            return
        }
        guard let adopted = work.adopted(entry.block)?.number else {
            place(record, type, entry, staged.blocks[Int(entry.block)], epoch, &changes)
            return
        }
        let row = Slot(block: adopted, row: entry.row, state: .existing, changed: epoch)
        if block(at: row).type == type {
            setSlot(record, row)
        } else {
            place(record, type, entry, block(at: row), epoch, &changes)
            freeRow(row, &changes.retired)
        }
    }

    /// Keeps a growth only if nothing else is written to the record and the new items fit the record's list.
    private func settleGrowths(of staged: inout StagedRecords, _ names: NameTable) {
        let counts = staged.growths.mapValues(\.count)
        var whole = staged
        whole.settleGrowths(over: self, names) { position, growth, current in
            let entry = staged.entries[position]
            return !entry.isReplaced && counts[entry.record] == staged.shape(position).count
                && covered[entry.record] == nil && growth.fits(current)
        }
        staged = whole
    }

    /// Adds items to the ends of a record's lists, in place if nothing else holds a list.
    private mutating func append(
        _ growths: [StorageKeyID: StagedRecords.Growth], to record: RecordID, _ old: Slot, _ epoch: Epoch,
        _ changes: inout ChangeSet
    ) {
        let first = changes.keys.count
        var slot = slotToChange(old, &changes.retired)
        for (key, growth) in growths {
            guard let place = shape(at: slot).position(of: key) else { continue }
            changes.grown.append(ChangeSet.GrownList(place: changes.keys.count, from: growth.from))
            changes.keys.append(key)
            block(at: slot)[Int(slot.row), place].append(growth.new)
        }
        slot.changed = epoch
        setSlot(record, slot)
        changes.addFields(of: record, from: first)
    }

    /// Writes a whole record that keeps its type; fields with the same value do not count as changed.
    private mutating func replace(
        _ record: RecordID, _ type: TypeID, _ entry: StagedRecords.Entry, _ staged: StagedRecords, _ epoch: Epoch,
        _ work: inout Work, _ changes: inout ChangeSet
    ) {
        var new = WholeRecord(state: .existing, type: type)
        if entry.block >= 0 {
            let adopted = work.adopted(entry.block).map { Slot(block: $0.number, row: entry.row) }
            let source = adopted.map(block) ?? staged.blocks[Int(entry.block)]
            new.shape = source.shape
            new.values = Array(source.row(Int(entry.row)))
            if let adopted { freeRow(adopted, &changes.retired) }
        }
        setWhole(record, to: new, at: epoch, &changes)
    }

    private mutating func place(
        _ record: RecordID, _ type: TypeID, _ entry: StagedRecords.Entry, _ source: RecordBlock, _ epoch: Epoch,
        _ changes: inout ChangeSet
    ) {
        let slot = makeRow(type, source.shape, changed: epoch, &changes.retired)
        block(at: slot).take(Int(slot.row), from: source, Int(entry.row), isMoving: false)
        setSlot(record, slot)
    }

    private mutating func merge(
        _ entry: StagedRecords.Entry, _ source: RecordBlock, _ old: Slot, _ epoch: Epoch, _ names: NameTable,
        _ work: inout Work, _ changes: inout ChangeSet
    ) {
        let record = entry.record
        let first = changes.keys.count
        let row = Int(entry.row)
        let oldShape = shape(of: record)
        var slot = old
        if source.shape === oldShape {
            for position in 0..<source.width where !isIdentical(slot, position, source, row, position) {
                if changes.keys.count == first { slot = slotToChange(slot, &changes.retired) }
                changes.keys.append(source.shape.key(at: position))
                setValue(source[row, position], at: slot, position, &changes.retired)
            }
        } else {
            var added: [StorageKeyID] = []
            for position in 0..<source.width {
                let key = source.shape.key(at: position)
                guard let place = oldShape.position(of: key) else {
                    added.append(key)
                    changes.keys.append(key)
                    continue
                }
                if !isIdentical(slot, place, source, row, position) { changes.keys.append(key) }
            }
            guard changes.keys.count > first else { return }
            var shape = oldShape
            if added.isEmpty {
                slot = slotToChange(slot, &changes.retired)
            } else {
                let pair = ShapePair(old: ObjectIdentifier(oldShape), new: ObjectIdentifier(source.shape))
                shape = work.unions[pair] ?? names.shape(oldShape, adding: added)
                // Both old shapes live as long as this merge: one in `staged`, the other in the version before.
                if shape.count <= 64 { work.unions[pair] = shape }
                let addsOnly = changes.keys.count == first + added.count
                slot =
                    addsOnly
                    ? extendRow(slot, to: shape, changed: epoch, names, &changes.retired)
                    : moveRow(slot, to: shape, changed: epoch, &changes.retired)
            }
            for position in 0..<source.width {
                // A key that the new shape adds has a null, which does not count for the kinds of the block until it is
                // written.
                guard let place = shape.position(of: source.shape.key(at: position)),
                    place >= oldShape.count || !isIdentical(slot, place, source, row, position)
                else { continue }
                setValue(source[row, position], at: slot, place, &changes.retired)
            }
        }
        guard changes.keys.count > first else { return }
        slot.changed = epoch
        setSlot(record, slot)
        changes.addFields(of: record, from: first)
    }

    private func isIdentical(
        _ slot: Slot, _ place: Int, _ source: RecordBlock, _ row: Int, _ position: Int
    ) -> Bool {
        value(at: slot, place).isIdentical(to: source[row, position])
    }
}
