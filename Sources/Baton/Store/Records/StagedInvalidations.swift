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

/// The target of an invalidation.
enum InvalidationTarget: Sendable {
    /// Every record of an object type, or of the known object types of an abstract type.
    case type(TypeID)
    /// A query with these variables.
    case operation(OperationKey)
    /// A query with all variables.
    case query(ObjectIdentifier)
}
