// Reads of plans that select only leaves and spreads of one record, as most fragments do. Such a read needs only the
// record's block and row, so it copies no version and makes no reader (benchmark `fragments.vs-foundation`).

extension Records {
    /// Returns the block and the row of an existing record.
    func heldRow(of record: RecordID) -> HeldRow? {
        let slot = slot(of: record)
        guard slot.state == .existing else { return nil }
        return HeldRow(block: block(at: slot), row: slot.row, collection: slot.collection, epoch: epoch)
    }
}

/// A row of a version. It does not change, because its block is held.
struct HeldRow: Sendable {
    fileprivate let block: RecordBlock
    fileprivate let row: UInt16
    fileprivate let collection: UInt32
    fileprivate let epoch: Epoch
}

extension BoundSelections {
    /// Reads the row of a record. Returns nil if the record needs a full reader, because it is gone or a field may be
    /// missing.
    func read(_ held: HeldRow, of record: RecordID) -> RowResult? {
        #if BATON_TSAN
            defer { VersionMark.readerIsDone() }
        #endif
        if let collection, collection != held.collection { return nil }
        let (block, node) = (held.block, plan.layout.nodes[0])
        let form = plan.form(0, block.shape)
        guard !form.lacksFields, !form.lacksRequired,
            plan.layout.required[node.required].allSatisfy({
                block.kinds[Int(form.positions.pointer[$0.field])].isSubset(of: $0.sure)
            })
        else { return nil }
        var words: (UInt32, UInt32, UInt32, UInt32) = (0, record.index, UInt32(held.row), held.collection)
        let shelf = withUnsafeMutableBytes(of: &words) { bytes in
            Shelf(
                plan, use, node: 0, count: 1,
                words: UnsafeMutableBufferPointer(
                    start: bytes.baseAddress?.assumingMemoryBound(to: UInt32.self), count: 1 + node.size),
                cellCount: 1, spines: [], rest: Shelf.Rest(), isMissing: false
            ) { $0.initialize(to: Shelf.Cell(block, form, node: 0)) }
        }
        let dependencies = Dependencies(epoch: held.epoch, selections: self, shelf: shelf)
        return RowResult(
            isMissingData: false, problems: nil, dependencies: dependencies,
            row: GeneratedCode.Row(shelf, at: 1, node: 0))
    }
}
