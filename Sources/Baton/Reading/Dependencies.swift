/// The records that a read went through, each with the selection set that was read from it.
package struct Dependencies: Sendable {
    struct Pair: Sendable, Hashable {
        let record: RecordID
        let node: UInt32
    }

    /// The version that was read.
    package let epoch: Epoch
    let selections: BoundSelections
    var pairs: [Pair]
    /// The read decided a condition on an abstract type, by what answers have shown.
    let usesTypeFacts: Bool
    /// The lists of objects whose items the next read may take over.
    var lists: [ReadList] = []
    /// The number of pairs of record and selection set, with repetitions.
    package var count: Int { pairs.count }
}

extension Dependencies {
    /// Says whether what was read can serve another read: of the same, and with nothing decided by what has been
    /// learned since about types.
    func isUsable(for selections: BoundSelections, at root: RecordID, in records: borrowing Records) -> Bool {
        self.selections.plan === selections.plan && self.selections.owner === selections.owner
            && pairs.first?.record == root && epoch <= records.epoch && records.emptied <= epoch
            && !(usesTypeFacts && records.factsChanged > epoch)
    }

    /// Says whether something of what was read has changed since, as far as the versions of records tell.
    func haveChanged(in records: Records) -> Bool {
        if records.emptied > epoch { return true }
        if usesTypeFacts, records.factsChanged > epoch { return true }
        return pairs.contains { records.changed($0.record) > epoch }
    }
}
