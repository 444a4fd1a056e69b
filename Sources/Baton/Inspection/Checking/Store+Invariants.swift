extension Store {
    /// Returns a sentence for each inconsistency in the store's own structures; empty if there is none.
    ///
    /// The check is a tool of the tests and of `store-model`, which run it between steps. It visits records and
    /// subscriptions one after another, so nothing may be published or subscribed meanwhile.
    package func checkInvariants() -> [String] {
        let records = records
        let (recordCount, keyCount, typeCount) = names.counts
        var check = RecordsCheck(records, names, recordCount: recordCount, keyCount: keyCount, typeCount: typeCount)
        return check.violations() + names.violations()
            + subscriptions.look { $0.violations(recordCount: recordCount, names) }
            + operations.look { $0.violations() } + keyViolations(records)
            + records.stamps.violations(recordCount: recordCount, names)
            + records.errorViolations(recordCount: recordCount, names)
            + journal.current.violations(newest: records.epoch)
            + queue.inTurn { turn in
                records.coverViolations(turn.layers, names) + turn.layers.violations(names)
            }
    }
}

extension OperationTable {
    /// Checks that exactly the retained operations are kept.
    fileprivate func violations() -> [String] {
        let kept = entries.values.compactMap { $0.kept.map { ObjectIdentifier($0) } }
        return retained.violations()
            + (Set(kept) == Set(retained.entries.keys) ? [] : ["operations are retained and not kept, or kept wrongly"])
    }
}
