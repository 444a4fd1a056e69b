/// A point in time for some records, with which later invalidations can be compared.
public struct InvalidationState: Sendable {
    /// The records.
    public let dataIDs: [DataID]
    private let store: Store
    private let epoch: Epoch

    init(of dataIDs: [DataID], in store: Store, since epoch: Epoch? = nil) {
        self.dataIDs = dataIDs
        self.store = store
        self.epoch = epoch ?? store.epoch
    }

    /// The records that were invalidated since then: by themselves, with their type, or with the whole store. A record
    /// that the store does not hold is invalidated only with the whole store.
    public var invalidated: [DataID] { news(in: store.records) }

    /// True if one of the records was invalidated since then.
    public var hasChanged: Bool { !invalidated.isEmpty }

    func news(in records: Records) -> [DataID] {
        guard max(records.invalidations.ofStore, records.invalidations.ofAnyPart) > epoch else { return [] }
        return dataIDs.filter { id in
            let record = store.names.record(id, adding: false)
            return (record.map(records.lastInvalidation) ?? records.invalidations.ofStore) > epoch
        }
    }
}
