/// The records that a read visited, each with the selection set that was read from it.
package struct Dependencies: Sendable {
    struct Pair: Sendable, Hashable {
        let record: RecordID
        let node: UInt32
    }

    /// The version of the records that was read.
    package let epoch: Epoch
    let selections: BoundSelections
    var pairs: [Pair]
    /// True if the read evaluated a condition on an abstract type from the types that answers have shown.
    let usesTypeFacts: Bool
    /// The lists of objects whose items the next read may reuse.
    var lists: [ReadList] = []
    /// The number of pairs of record and selection set; repetitions count.
    package var count: Int { pairs.count }
}

extension Dependencies {
    /// Returns true if a new read of `selections` at `root` can build on this one. The plan, the operation and the root
    /// must be the same. If this read evaluated conditions on abstract types, no type fact may have changed since.
    func isUsable(for selections: BoundSelections, at root: RecordID, in records: borrowing Records) -> Bool {
        self.selections.plan === selections.plan && self.selections.owner === selections.owner
            && pairs.first?.record == root && epoch <= records.epoch && records.emptied <= epoch
            && !(usesTypeFacts && records.facts.changed > epoch)
    }

    /// Returns true if something that was read may have changed since, judged by the versions of the records.
    func haveChanged(in records: Records) -> Bool {
        if records.emptied > epoch { return true }
        if usesTypeFacts, records.facts.changed > epoch { return true }
        return pairs.contains { records.changed($0.record) > epoch }
    }
}
