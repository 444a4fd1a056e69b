extension Records {
    /// Reads a selection set at a record of this version.
    ///
    /// `previous` are the dependencies of an older read of the same selections in this store. The new result shares the
    /// memory of unchanged parts. A result that is larger than the store's options allow fails, and depends on the
    /// records that were visited.
    consuming func read(at root: RecordID, _ selections: BoundSelections, after previous: Dependencies? = nil)
        -> RowResult
    {
        let (plan, epoch) = (selections.plan, epoch)
        var isOther = false
        if let collection = selections.collection { isOther = slot(of: root).collection != collection }
        guard plan.failure == nil, !isOther else {
            let nothing = Dependencies(epoch: epoch, selections: selections)
            return RowResult(isMissingData: true, problems: nil, dependencies: nothing, row: nil)
        }
        var usable: Dependencies?
        if let previous, previous.isUsable(for: selections, at: root, in: self) { usable = previous }
        var reader = RecordReader(self, selections, after: usable)
        let shelf = reader.root(root)
        if reader.isTooLarge, usable != nil {
            // The size of a result that reuses parts of another result is an estimate.
            return reader.records.read(at: root, selections)
        }
        let problems = reader.problems
        guard !reader.isTooLarge else {
            var dependencies = Dependencies(epoch: epoch, selections: selections)
            var visited: Set<Dependencies.Pair> = []
            shelf.forEachPart { $0.forEachPair { visited.insert($0) } }
            dependencies.others = Array(visited)
            dependencies.usesTypeFacts = reader.usesTypeFacts
            return RowResult(isMissingData: false, problems: problems, dependencies: dependencies, row: nil)
        }
        let isVoid = problems?.failure != nil || reader.isCaughtAsNull
        let dependencies = Dependencies(
            epoch: epoch, selections: selections, shelf: shelf, words: plan.names.resultWords &- reader.remaining,
            usesTypeFacts: reader.usesTypeFacts || usable?.usesTypeFacts == true)
        let isMissing = shelf.isMissing || shelf.spines.contains(where: \.isMissing)
        let row = !isVoid && shelf.exists(at: 1) ? GeneratedCode.Row(shelf, at: 1, node: 0) : nil
        return RowResult(isMissingData: isMissing, problems: problems, dependencies: dependencies, row: row)
    }

    /// Reads a selection set in the base, without layers. Layers are removed only from the visited records, until no
    /// visited record has layers, because there may be many other layers.
    func readBelowLayers(at root: RecordID, _ selections: BoundSelections) -> RowResult {
        var records = self
        while true {
            let result = records.read(at: root, selections)
            let met = Set(result.dependencies.pairs.map(\.record)).filter(records.isCovered)
            if met.isEmpty { return result }
            for record in met {
                guard let own = records.covered.removeValue(forKey: record) else { continue }
                records.write(record, own)
            }
        }
    }
}
