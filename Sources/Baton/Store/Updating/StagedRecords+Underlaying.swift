extension StagedRecords {
    /// Stages of each underlaid record what the base lacks, and drops those that must be read again.
    ///
    /// A field that the base has is newer than the file. A record that was deleted, replaced or read meanwhile has
    /// nothing to get from it. What was read before the last of `clears`, or judged with less knowledge than others,
    /// must be read again, too.
    mutating func stageUnderlaid(
        over records: Records, _ names: NameTable, _ reads: inout UpdateReads, clears: Int? = nil
    ) {
        underlaid.removeAll { item in
            records.isResident(item.record, knowing: item.types) || records.changed(item.record) > item.began
                || item.type != nil && records.residence?.knowsMore(than: item.types) == true
                || clears.map { $0 != item.clears } ?? false
        }
        for item in underlaid {
            reads.noteField(UpdateReads.Read.existence, of: item.record)
            reads.noteField(UpdateReads.Read.keys, of: item.record)
            let base = records.base(of: item.record)
            if item.isDeleted {
                if base.state == .unknown { reset(positionAdding(item.record), isDeleted: true) }
                continue
            }
            guard let type = item.type else { continue }
            switch base.state {
            case .deleted: continue
            case .existing where base.type != type: continue
            case .existing, .unknown: break
            }
            let lacking = (0..<item.known).filter { base.shape.position(of: item.keys[$0]) == nil }
            let position = positionAdding(item.record, base.state == .existing ? nil : type)
            guard !lacking.isEmpty else { continue }
            set(position, lacking.map { item.keys[$0] }, lacking.map { item.values[$0] }, names)
            for place in lacking {
                guard let errors = item.errors[item.keys[place]] else { continue }
                _ = fieldErrors.set(errors, item.record, item.keys[place])
            }
        }
    }
}
