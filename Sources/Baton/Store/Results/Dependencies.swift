/// The records that a read visited, each with the selection set that was read from it.
package struct Dependencies: Sendable {
    struct Pair: Sendable, Hashable {
        let record: RecordID
        let node: UInt32
    }

    /// The version of the records that was read.
    package let epoch: Epoch
    let selections: BoundSelections
    /// The result of the read; nil if there is none.
    var shelf: Shelf?
    /// The greatest number of words that the result may have. The words of reused parts of another result count in
    /// full.
    var words = 0
    /// The records that were visited without a row in the result.
    var others: [Pair] = []
    /// True if the read evaluated a condition on an abstract type by the type facts that responses have shown.
    var usesTypeFacts = false

    /// Every visited record with its selection set; some occur several times.
    var pairs: [Pair] {
        var pairs = others
        shelf?.forEachPart { $0.forEachPair { pairs.append($0) } }
        return pairs
    }
}

extension Dependencies {
    /// Returns true if a new read of `selections` at `root` can reuse this read. The plan, the operation and the root
    /// must be the same. If this read evaluated conditions on abstract types, no type fact may have changed since.
    func isUsable(for selections: BoundSelections, at root: RecordID, in records: borrowing Records) -> Bool {
        self.selections.plan === selections.plan && self.selections.owner === selections.owner
            && shelf?.record(at: 1) == root && epoch <= records.epoch && records.emptied <= epoch
            && !(usesTypeFacts && records.facts.changed > epoch)
    }

    /// Returns true if a visited record may have changed since the read, judged by the versions of the records.
    func haveChanged(in records: Records) -> Bool {
        if epoch >= records.epoch { return false }
        if records.emptied > epoch { return true }
        if usesTypeFacts, records.facts.changed > epoch { return true }
        if others.contains(where: { records.changed($0.record) > epoch }) { return true }
        guard let shelf else { return false }
        let changes = ChangesSince(records.changed(since: epoch))
        if changes.few?.isEmpty == true { return false }
        return !shelf.isWhollyUntouched(by: changes)
    }
}
