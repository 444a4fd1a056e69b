/// The target of an invalidation.
enum InvalidationTarget: Sendable {
    /// Every record of an object type, or of the known object types of an abstract type.
    case type(TypeID)
    /// A query with these variables.
    case operation(OperationKey)
    /// A query with all variables.
    case query(ObjectIdentifier)
}

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

/// The versions of the last invalidations of types and operations. There is one entry for each type and operation,
/// however many records there are; invalidations of records are kept apart.
struct Invalidations: Sendable {
    private(set) var types: [TypeID: Epoch] = [:]
    private(set) var operations: [OperationKey: Epoch] = [:]
    private(set) var queries: [ObjectIdentifier: Epoch] = [:]

    mutating func note(_ target: InvalidationTarget, at epoch: Epoch) {
        switch target {
        case .type(let type): types[type] = epoch
        case .operation(let key): operations[key] = epoch
        case .query(let artifact): queries[artifact] = epoch
        }
    }

    /// Returns the version in which an operation was last invalidated, by itself or together with its query; 0 for
    /// never.
    func last(of key: OperationKey) -> Epoch {
        max(operations[key] ?? 0, queries[key.artifact] ?? 0)
    }
}

extension Records {
    /// Notes the invalidations of a publish. An invalidation of the whole store replaces all earlier ones.
    mutating func invalidate(_ staged: borrowing StagedInvalidations, at next: Epoch) {
        if staged.isOfStore {
            invalidated = next
            invalidatedRecords = [:]
            invalidations = Invalidations()
        }
        for record in staged.records { invalidatedRecords[record] = next }
        for target in staged.targets { invalidations.note(target, at: next) }
        if !staged.records.isEmpty || !staged.targets.isEmpty { recordInvalidated = next }
    }

    /// Returns the version in which the records of a type were last invalidated; 0 for never. Takes time linear in the
    /// invalidated types.
    func lastInvalidation(of type: TypeID) -> Epoch {
        guard !invalidations.types.isEmpty, type != .none else { return 0 }
        return invalidations.types.reduce(0) { last, invalidation in
            guard invalidation.value > last else { return last }
            let isConcerned = invalidation.key == type || fact(type, is: invalidation.key) == true
            return isConcerned ? invalidation.value : last
        }
    }

    /// Returns the version in which a record was last invalidated: by itself, with its type or with the whole store; 0
    /// for never.
    func lastInvalidation(of record: RecordID) -> Epoch {
        max(invalidated, invalidatedRecords[record] ?? 0, lastInvalidation(of: type(of: record)))
    }
}
