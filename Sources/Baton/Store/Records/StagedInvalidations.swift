/// The invalidations of a publish.
struct StagedInvalidations: Sendable {
    /// True if the whole store is invalidated.
    var isOfStore = false
    var records: [RecordID] = []
    /// The invalidated types and operations.
    var targets: [InvalidationTarget] = []

    var isEmpty: Bool { !isOfStore && records.isEmpty && targets.isEmpty }

    mutating func append(_ later: StagedInvalidations) {
        isOfStore = isOfStore || later.isOfStore
        records += later.records
        targets += later.targets
    }
}
