/// The versions of the last invalidations. There is one entry for each type and operation, however many records there
/// are.
struct Invalidations: Sendable {
    /// The version in which the whole store was last invalidated.
    private(set) var ofStore: Epoch = 0
    /// The version in which any record, type or operation was last invalidated.
    private(set) var ofAnyPart: Epoch = 0
    /// The invalidated records. Invalidations before the last one of the whole store are not kept.
    private(set) var records: [RecordID: Epoch] = [:]
    private(set) var types: [TypeID: Epoch] = [:]
    private(set) var operations: [OperationKey: Epoch] = [:]
    private(set) var queries: [ObjectIdentifier: Epoch] = [:]

    init() {}

    /// Makes a table without records, types and operations.
    init(ofStore: Epoch, ofAnyPart: Epoch = 0) {
        self.ofStore = ofStore
        self.ofAnyPart = ofAnyPart
    }

    /// Notes the invalidations of a publish. An invalidation of the whole store replaces all earlier ones.
    mutating func add(_ staged: borrowing StagedInvalidations, at epoch: Epoch) {
        if staged.isOfStore { self = Invalidations(ofStore: epoch, ofAnyPart: ofAnyPart) }
        for record in staged.records { records[record] = epoch }
        for target in staged.targets { setLast(of: target, epoch) }
        if !staged.records.isEmpty || !staged.targets.isEmpty { ofAnyPart = epoch }
    }

    /// Sets the version of a record, unless the whole store was invalidated later.
    mutating func setLast(of record: RecordID, _ epoch: Epoch) {
        if epoch >= ofStore { records[record] = epoch }
    }

    /// Notes an invalidation that a file has of a record, unless a later one is known.
    mutating func restore(_ record: RecordID, _ epoch: Epoch) {
        guard epoch > records[record] ?? 0 else { return }
        setLast(of: record, epoch)
        ofAnyPart = max(ofAnyPart, epoch)
    }

    /// Notes the invalidations that a file has of the store and of types, unless later ones are known.
    mutating func restore(ofStore: Epoch, types: [TypeID: Epoch]) {
        self.ofStore = max(self.ofStore, ofStore)
        for (type, epoch) in types { self.types[type] = max(self.types[type] ?? 0, epoch) }
        ofAnyPart = max(ofAnyPart, types.values.max() ?? 0)
    }

    /// Sets the version of a type or an operation.
    mutating func setLast(of target: InvalidationTarget, _ epoch: Epoch) {
        switch target {
        case .type(let type): types[type] = epoch
        case .operation(let key): operations[key] = epoch
        case .query(let artifact): queries[artifact] = epoch
        }
    }

    /// Removes a record whose number another record may get.
    mutating func forget(_ record: RecordID) { records[record] = nil }

    /// Returns the version in which an operation was last invalidated, by itself or together with its query; 0 for
    /// never.
    func last(of key: OperationKey) -> Epoch {
        max(operations[key] ?? 0, queries[key.artifact] ?? 0)
    }
}
