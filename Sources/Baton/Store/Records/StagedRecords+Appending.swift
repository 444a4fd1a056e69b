extension StagedRecords {
    /// The number of records that the response or update brought.
    var count: Int { entries.count + confirmed.count }

    /// Adds the changes of later work, whose values replace the earlier values.
    mutating func append(_ later: StagedRecords, _ names: NameTable) {
        for (index, entry) in later.entries.enumerated() {
            let position = positionAdding(entry.record)
            if entry.isReplaced || entry.isDeleted {
                reset(position, type: entry.type, isReplaced: entry.isReplaced, isDeleted: entry.isDeleted)
            } else {
                restore(position, entry.type)
            }
            if let growths = later.growths[entry.record], !growths.isEmpty {
                for (key, value) in zip(later.shape(index).keys, later.values(index)) where growths[key] == nil {
                    set(position, key, value, names)
                }
                for (key, growth) in growths { take(growth, position, key, names) }
            } else {
                set(position, later.shape(index).keys, later.values(index), names)
            }
            if !fieldErrors.isEmpty { fieldErrors.drop(overwrittenBy: later, at: index) }
        }
        fieldErrors.take(later.fieldErrors)
        facts.merge(later.facts) { $1 }
        idsMayDiffer = idsMayDiffer || later.idsMayDiffer
        invalidations.append(later.invalidations)
    }
}
