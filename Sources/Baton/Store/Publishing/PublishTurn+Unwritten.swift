import Synchronization

// What a publish leaves to be written to the file.

extension PublishTurn {
    /// The part of a publish that only its staged records show.
    struct ChangesToWrite {
        var replaced: [RecordID] = []
        var stamped: [RecordID] = []
        /// The changes of the base below layers.
        var below: [(record: RecordID, fields: UnwrittenChanges.Fields)] = []
        /// The records that layers write, whose changes for readers are none of the base.
        var targets: Set<RecordID> = []
        var invalidated: [RecordID] = []
        var invalidatesOthers = false
        /// True for what comes from the file itself.
        var isUnderlaid = false
    }

    /// Finds what the merge of staged records will leave to be written. Must be called before the merge.
    func changesToWrite(of staged: borrowing StagedRecords, _ targets: [LayerReplay.Target]) -> ChangesToWrite {
        // The version is released before the merge, so that nothing is copied for it.
        let records = newest.records
        var found = ChangesToWrite()
        found.isUnderlaid = !staged.underlaid.isEmpty
        if found.isUnderlaid { return found }
        for entry in staged.entries where records.isReplaced(by: entry) { found.replaced.append(entry.record) }
        if staged.fetch != nil {
            found.stamped = staged.confirmed
            for entry in staged.entries { found.stamped.append(entry.record) }
        }
        found.invalidated = staged.invalidations.records
        found.invalidatesOthers = staged.invalidations.isOfStore || !staged.invalidations.targets.isEmpty
        for target in targets {
            found.targets.insert(target.record)
            guard let base = target.newBase(in: records) else { continue }
            let old = records.base(of: target.record)
            if let fields = old.difference(to: base) { found.below.append((target.record, fields)) }
        }
        return found
    }

    /// Notes that the file has to be emptied.
    mutating func emptyUnwritten() {
        guard unwritten != nil else { return }
        unwritten?.empty()
        disk?.isVoid.store(true, ordering: .releasing)
        writing.tell()
    }

    /// Notes that the file has to be emptied, and gets all records of a version.
    mutating func replaceUnwritten(by records: inout Records) {
        guard unwritten != nil else { return }
        var residence = Residence()
        emptyUnwritten()
        for record in records.known {
            residence.insert(record)
            unwritten?.add(.replaced, of: record)
        }
        records.residence = residence
        unwritten?.hasNewFacts = true
        unwritten?.hasNewInvalidations = true
    }

    /// Notes the changes of a publish.
    mutating func noteUnwritten(_ changes: borrowing ChangeSet, _ found: ChangesToWrite) {
        if found.isUnderlaid { return }
        let wasEmpty = unwritten?.isEmpty ?? false
        if !found.targets.isEmpty {
            // What readers see of layers is never written.
            var base = ChangeSet()
            base.hasNewFacts = changes.hasNewFacts
            unwritten?.note(base, replaced: found.replaced, stamped: found.stamped)
            for (record, fields) in found.below { unwritten?.add(fields, of: record) }
            for change in changes.changes where !found.targets.contains(change.record) {
                unwritten?.add(.all, of: change.record)
            }
        } else {
            unwritten?.note(changes, replaced: found.replaced, stamped: found.stamped)
        }
        for record in found.invalidated { unwritten?.add(.some([]), of: record) }
        if found.invalidatesOthers { unwritten?.hasNewInvalidations = true }
        if wasEmpty, unwritten?.isEmpty == false { writing.tell() }
    }
}

extension LayerReplay.Target {
    /// The record without layers after the publish; nil if it has not changed.
    fileprivate func newBase(in records: borrowing Records) -> WholeRecord? {
        switch base {
        case .unchanged: return nil
        case .covered(let own): return own
        case .uncovered:
            if case .whole(let new) = top { return new }
            return nil
        }
    }
}

extension WholeRecord {
    /// Returns the fields that differ in a later state; nil if none do.
    fileprivate func difference(to new: WholeRecord) -> UnwrittenChanges.Fields? {
        guard state == new.state, type == new.type else {
            if new.state == .unknown { return nil }
            return state == .unknown ? .all : .replaced
        }
        var keys: Set<StorageKeyID> = []
        for (place, key) in new.shape.keys.enumerated() {
            if let old = value(key), old.isIdentical(to: new.values[place]) { continue }
            keys.insert(key)
        }
        return keys.isEmpty ? nil : .some(keys)
    }
}
