/// The result of a read.
package struct Snapshot<Data: GeneratedCode.Selections>: Sendable {
    /// The data; nil if a non-null field has no value and no nullable field encloses it.
    package let data: Data?
    let outcome: ReadOutcome

    init(_ data: Data?, _ outcome: ReadOutcome) {
        self.data = outcome.isVoid ? nil : data
        self.outcome = outcome
    }

    /// True if a selected field is not in the store.
    package var isMissingData: Bool { outcome.isMissingData }
    /// The reason why there is no data, and the errors to log; nil for nearly every read.
    package var problems: ReadProblems? { outcome.problems }
    /// The dependencies of the read; subscribe to them to be notified of changes.
    package var dependencies: Dependencies { outcome.dependencies }
    /// The version of the store that was read.
    package var epoch: Epoch { outcome.dependencies.epoch }
}

/// The result of a read without the data.
struct ReadOutcome: Sendable {
    let isMissingData: Bool
    let problems: ReadProblems?
    let dependencies: Dependencies
    /// True if there is no data, even if `body` made some.
    let isVoid: Bool
}

extension Records {
    /// Reads a selection set at a record of this version.
    ///
    /// `previous` are the dependencies of an older read of the same selections in this store. Objects in lists that
    /// have not changed since are reused, with their storage.
    consuming func read<Data: GeneratedCode.Selections>(
        _ type: Data.Type, at root: RecordID, _ selections: BoundSelections, tracking: Bool,
        after previous: Dependencies? = nil
    ) -> Snapshot<Data> {
        var data: Data?
        let outcome = (consume self).read(at: root, selections, tracking: tracking, after: previous) {
            data = Data(&$0)
        }
        return Snapshot(data, outcome)
    }

    /// Reads like the other method, for a caller that makes the data itself.
    consuming func read(
        at root: RecordID, _ selections: BoundSelections, tracking: Bool, after previous: Dependencies? = nil,
        _ body: (inout GeneratedCode.RecordReader) -> Void
    ) -> ReadOutcome {
        let (plan, epoch) = (selections.plan, epoch)
        var isOther = false
        if let collection = selections.collection { isOther = slot(of: root).collection != collection }
        guard plan.failure == nil, !isOther else {
            let nothing = Dependencies(epoch: epoch, selections: selections, pairs: [], usesTypeFacts: false)
            return ReadOutcome(isMissingData: true, problems: nil, dependencies: nothing, isVoid: true)
        }
        var usable: Dependencies?
        if tracking, let previous, previous.isUsable(for: selections, at: root, in: self) { usable = previous }
        let context = ReadContext(consume self, selections, tracking: tracking, previous: usable)
        var reader = GeneratedCode.RecordReader(context, trail: ReadTrail(following: usable?.pairs))
        // The reader's pointers belong to the version that the context holds.
        let pairs = withExtendedLifetime(context) {
            reader.records(expected: tracking ? plan.expectedPairs : 0) { reader in
                if reader.begin(at: root) { body(&reader) }
            }
        }
        let problems = reader.problems
        if tracking { plan.expect(pairs: pairs.count) }
        let dependencies = Dependencies(
            epoch: epoch, selections: selections, pairs: pairs,
            usesTypeFacts: reader.usesTypeFacts || usable?.usesTypeFacts == true, lists: reader.lists)
        return ReadOutcome(
            isMissingData: reader.isMissingData, problems: problems, dependencies: dependencies,
            isVoid: problems?.failure != nil || reader.isCaughtAsNull)
    }

    /// Reads a selection set in the base, without layers. Layers are removed only from the visited records, until no
    /// visited record has layers, because there may be many other layers.
    func readBelowLayers<Data: GeneratedCode.Selections>(
        _ type: Data.Type, at root: RecordID, _ selections: BoundSelections
    ) -> Snapshot<Data> {
        var records = self
        while true {
            let snapshot = records.read(type, at: root, selections, tracking: true)
            let met = Set(snapshot.dependencies.pairs.map(\.record)).filter(records.isCovered)
            if met.isEmpty { return snapshot }
            for record in met {
                guard let own = records.covered.removeValue(forKey: record) else { continue }
                records.write(record, own)
            }
        }
    }
}
