/// What is made stale.
enum InvalidationTarget: Sendable {
    /// Every record of an object type, or of the object types that are known to be of an abstract one.
    case type(TypeID)
    /// One query with its variables.
    case operation(OperationKey)
    /// A query with whatever variables.
    case query(ObjectIdentifier)
}

/// What a publish is to make stale.
struct StagedInvalidations: Sendable {
    /// Everything.
    var isOfStore = false
    var records: [RecordID] = []
    /// Types and operations.
    var targets: [InvalidationTarget] = []

    var isEmpty: Bool { !isOfStore && records.isEmpty && targets.isEmpty }

    mutating func append(_ later: StagedInvalidations) {
        isOfStore = isOfStore || later.isOfStore
        records += later.records
        targets += later.targets
    }
}

/// The versions in which something was invalidated last, but for records, which are more; one entry for each type and
/// operation, however many records there are.
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

    /// When an operation was invalidated last, alone or with all of its query; 0 for never.
    func last(of key: OperationKey) -> Epoch {
        max(operations[key] ?? 0, queries[key.artifact] ?? 0)
    }
}

extension Records {
    /// Notes what a publish makes stale. What was invalidated before everything is, need not be kept.
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

    /// When all records of a type were invalidated last; 0 for never. Takes time linear in the types that ever were.
    func lastInvalidation(of type: TypeID) -> Epoch {
        guard !invalidations.types.isEmpty, type != .none else { return 0 }
        return invalidations.types.reduce(0) { last, invalidation in
            guard invalidation.value > last else { return last }
            let isConcerned = invalidation.key == type || fact(type, is: invalidation.key) == true
            return isConcerned ? invalidation.value : last
        }
    }

    /// When a record was invalidated last: itself, with its type or with everything; 0 for never.
    func lastInvalidation(of record: RecordID) -> Epoch {
        max(invalidated, invalidatedRecords[record] ?? 0, lastInvalidation(of: type(of: record)))
    }
}
