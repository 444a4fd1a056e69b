extension Records {
    /// The same records for another store, which notes its responses in a table of its own.
    var withOwnStamps: Records {
        var records = self
        records.stamps.table = FetchTable(over: stamps.table)
        return records
    }

    /// Stamps every field that a response brings. Must be called before the response is merged.
    ///
    /// Each record costs a look at its stamp and the write of a new stamp. A confirmed record costs only the write.
    mutating func stamp(_ staged: borrowing StagedRecords, _ mark: FetchMark) {
        let stamp = stamps.begin(mark)
        stamps.set(staged.confirmed, stamp)
        var known: [FetchStamps.Transition: FetchStamps.Stamp] = [:]
        for position in staged.entries.indices {
            let entry = staged.entries[position]
            if entry.isDeleted { continue }
            let old = slot(of: entry.record)
            guard old.state == .existing, !entry.isReplaced else {
                stamps.set(entry.record, stamp)
                continue
            }
            let block = block(at: old)
            let written = staged.shape(position)
            if block.shape === written || entry.type.map({ $0 != block.type }) ?? false {
                stamps.set(entry.record, stamp)
            } else {
                stamps.set(entry.record, written, of: block.shape, stamp, &known)
            }
        }
    }

    /// Stages the values of missing-field handlers for the fields that are still missing. A response may have brought
    /// the others meanwhile.
    mutating func stage(_ found: [FoundField], into staged: inout StagedRecords, _ names: NameTable) {
        var known: [FetchStamps.Transition: FetchStamps.Stamp] = [:]
        for field in found where state(of: field.record) == .existing || field.record == .root {
            let shape = shape(of: field.record)
            guard shape.position(of: field.key) == nil else { continue }
            staged.set(staged.positionAdding(field.record), field.key, field.value, names)
            let written = names.shape([field.key])
            stamps.set(
                field.record, written, of: names.shape(shape.keys + [field.key]), FetchStamps.derived, &known)
        }
    }
}
