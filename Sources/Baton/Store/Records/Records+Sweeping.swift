// Removal of the records that a collection found unused, and of their memory.

extension Records {
    /// Removes a record, as if it had never been written. Older references to the record point at nothing from now on.
    mutating func forget(_ record: RecordID, changed: Epoch, collection: UInt32, _ garbage: inout Garbage) {
        let old = slot(of: record)
        if old.state == .existing { sweepRow(old, &garbage.retired) }
        pages.put(Slot(changed: changed, collection: collection), at: Int(record.index))
        if !invalidations.records.isEmpty { invalidations.forget(record) }
        stamps.clear(record)
        if !fieldErrors.isEmpty { fieldErrors.remove(record) }
        if residence != nil { residence?.remove(record) }
        garbage.records += 1
        if garbage.keepsOrigins { garbage.origins.append((record, old.changed)) }
    }

    /// Replaces the record that the base has below the optimistic layers. Readers see no change, but the record counts
    /// as changed.
    mutating func setCovered(_ record: RecordID, _ base: WholeRecord, changed: Epoch) {
        covered[record] = base
        var slot = slot(of: record)
        slot.changed = changed
        setSlot(record, slot)
    }

    /// Frees the number of an unknown record, so that another record may get it.
    mutating func letGo(_ record: RecordID, changed: Epoch, collection: UInt32) {
        if !invalidations.records.isEmpty { invalidations.forget(record) }
        stamps.clear(record)
        if !fieldErrors.isEmpty { fieldErrors.remove(record) }
        if residence != nil { residence?.remove(record) }
        let index = Int(record.index)
        guard index < capacity else { return }
        pages.put(Slot(changed: changed, collection: collection), at: index)
    }

    /// Notes that every unknown record counts as changed in this version.
    mutating func setVacant(changed: Epoch, collection: UInt32) {
        pages.vacant = Slot(changed: changed, collection: collection)
        vacantPage = Array(repeating: pages.vacant, count: RecordPages.pageSize)
    }

    /// Frees the memory of a page without records.
    mutating func vacate(page: Int) {
        guard page < pages.count, pages.isVacant(page: page) else { return }
        stamps.vacate(page: page)
        pages.vacate(page: page, vacantPage)
    }

    /// Frees some pages without records at the end; returns false if there may be more. The pages of the first `count`
    /// numbers stay.
    mutating func trim(to count: Int, pages limit: Int) -> Bool { pages.trim(to: count, pages: limit) }

    // MARK: - Packing

    /// Chooses the blocks whose records move into other blocks. Returns false if there are none. Takes time linear in
    /// the blocks.
    mutating func choosePacking() -> Bool { directory.choosePacking(of: blocks) }

    /// Moves the records of some pages out of the chosen blocks. Reads see no change.
    mutating func pack(_ range: Range<Int>, _ garbage: inout Garbage) {
        for page in range where page < pages.count {
            for index in 0..<RecordPages.pageSize {
                let old = pages[page][index]
                guard old.state == .existing, directory.packing.contains(old.block) else { continue }
                let slot = moveRow(old, to: shape(at: old), changed: old.changed, &garbage.retired)
                setSlot(RecordID(UInt32(truncatingIfNeeded: page * RecordPages.pageSize + index)), slot)
            }
        }
    }

    /// Ends the packing. Chosen blocks that still have records can be used as before.
    mutating func endPacking() {
        for index in directory.endPacking() where blocks[Int(index)] !== Self.noBlock { listBlock(index) }
    }
}
