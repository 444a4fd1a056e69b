/// What a read found.
package struct Snapshot<Data: GeneratedCode.Selections>: Sendable {
    /// Nil if a non-null field up to the root has no value.
    package let data: Data?
    let outcome: ReadOutcome

    init(_ data: Data?, _ outcome: ReadOutcome) {
        self.data = outcome.isVoid ? nil : data
        self.outcome = outcome
    }

    /// Some field that was selected is not in the store.
    package var isMissingData: Bool { outcome.isMissingData }
    /// Why there is no data, and what is to be logged; nil for nearly every read.
    package var problems: ReadProblems? { outcome.problems }
    /// What to subscribe to in order to hear of changes.
    package var dependencies: Dependencies { outcome.dependencies }
    /// The version of the store that was read.
    package var epoch: Epoch { outcome.dependencies.epoch }
}

/// What a read found, but for the data.
struct ReadOutcome: Sendable {
    let isMissingData: Bool
    let problems: ReadProblems?
    let dependencies: Dependencies
    /// There is no data, whatever was read.
    let isVoid: Bool
}

extension Snapshot {
    /// What a handle shows of it.
    var result: QueryResult<Data> { problems?.failure.map { .failure($0) } ?? .success(data) }
}

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
    /// Says whether what was read can serve another read: of the same, and with nothing decided by what has been learned since about types.
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

extension Records {
    /// Reads a selection set at a record of this version.
    ///
    /// `previous` is what an older read of the same gave, of this store: objects in lists that have not changed since are taken over with their storage.
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

    /// The same for a caller that makes the data itself.
    consuming func read(
        at root: RecordID, _ selections: BoundSelections, tracking: Bool, after previous: Dependencies? = nil,
        _ body: (inout GeneratedCode.RecordReader) -> Void
    ) -> ReadOutcome {
        let (plan, epoch) = (selections.plan, epoch)
        var isOther = false
        if let generation = selections.generation { isOther = slot(of: root).generation != generation }
        guard plan.failure == nil, !isOther else {
            let nothing = Dependencies(epoch: epoch, selections: selections, pairs: [], usesTypeFacts: false)
            return ReadOutcome(isMissingData: true, problems: nil, dependencies: nothing, isVoid: true)
        }
        var usable: Dependencies?
        if tracking, let previous, previous.isUsable(for: selections, at: root, in: self) { usable = previous }
        let context = ReadContext(consume self, selections, tracking: tracking, previous: usable)
        var reader = GeneratedCode.RecordReader(context, trail: ReadTrail(following: usable?.pairs))
        // What the reader borrows belongs to the version that the context holds.
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
}

/// How much of an operation a store holds.
package enum Availability: Sendable, Hashable {
    /// All of it, valid; with the time at which the oldest of it was fetched, if any answer brought it.
    case available(fetchedAt: Duration?)
    /// All of it, but invalidated after it was fetched, or older than its limit.
    case stale
    /// Not all of it; with the place of the first field that is missing.
    case missing(MissingPlace)

    /// Not all of it, as far as somebody knows who has not looked.
    package static let unknown = Availability.missing(MissingPlace())
}

/// Where a field is that a store lacks.
package struct MissingPlace: Sendable, Hashable {
    /// The response keys and list positions from the root.
    package var path: [PathComponent] = []
    /// The record that lacks the field, or that the store does not know at all.
    var record = RecordID.root
    /// The type of the record; none if the store does not know it.
    var type = TypeID.none
    /// The field; nil if the whole record is missing, or if it is unknown whether its type is of an abstract one.
    var key: StorageKeyID?
}
