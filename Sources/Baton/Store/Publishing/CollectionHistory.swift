/// Notes about collected records, released operations and late responses. No other part of a store remembers them.
///
/// The number of notes is bounded; the newest are kept.
struct CollectionHistory: Sendable {
    /// The origin of a collected record.
    struct Origin: Sendable {
        /// The version in which the record was last written.
        let written: Epoch
        /// The version in which the record was collected.
        let collected: Epoch
    }

    private let limit: Int
    private var releases: [ReleaseNote] = []
    private var origins: [RecordID: Origin] = [:]
    /// The origins of records whose names were freed.
    private var nameless: [DataID: Origin] = [:]
    /// True if the names of some records were freed.
    private(set) var hasForgottenNames = false
    /// For each record, the versions of the last responses that were too late for the record or for a field.
    private var late: [RecordID: Late] = [:]

    private struct Late: Sendable {
        var whole: Epoch = 0
        var fields: [StorageKeyID: Epoch] = [:]
    }

    /// Makes a history. The limit is bounded, so that it can be multiplied; no memory has room for so many notes.
    init(limit: Int) { self.limit = min(limit, 1 << 32) }

    /// The number of notes.
    var count: Int { releases.count + origins.count + nameless.count + late.count }

    mutating func noteRelease(_ release: ReleaseNote) {
        if releases.count >= limit { releases.removeFirst(limit / 2 + 1) }
        releases.append(release)
    }

    mutating func noteCollected(_ collected: [(record: RecordID, written: Epoch)], at epoch: Epoch) {
        if origins.count + collected.count > 16 * limit {
            // The notes of earlier collections are dropped first.
            let newest = origins.values.map(\.collected).max() ?? 0
            origins = origins.filter { $0.value.collected == newest }
        }
        for (record, written) in collected { origins[record] = Origin(written: written, collected: epoch) }
    }

    mutating func noteLeftOut(_ leftOut: [LeftOut], at epoch: Epoch) {
        if late.count > 4 * limit { late = [:] }
        for item in leftOut {
            if item.keys.isEmpty { late[item.record, default: Late()].whole = epoch }
            for key in item.keys { late[item.record, default: Late()].fields[key] = epoch }
        }
    }

    mutating func forget(_ records: [RecordID], _ names: [(record: RecordID, id: DataID)]) {
        if !records.isEmpty { hasForgottenNames = true }
        if nameless.count + names.count > 16 * limit { nameless = [:] }
        for (record, id) in names { nameless[id] = origins[record] }
        for record in records {
            origins[record] = nil
            late[record] = nil
        }
    }

    mutating func forget(_ keys: Set<StorageKeyID>) {
        late = late.mapValues { old in
            var late = old
            late.fields = late.fields.filter { !keys.contains($0.key) }
            return late
        }
    }

    /// Returns the origin of a collected record; nil if the record was not collected, or too long ago.
    func origin(of record: RecordID?, _ id: DataID) -> Origin? { record.flatMap { origins[$0] } ?? nameless[id] }

    /// Returns the newest note about an operation.
    func release(of key: OperationKey) -> ReleaseNote? { releases.last { $0.key == key } }
    /// The newest note about a query.
    var lastRelease: ReleaseNote? { releases.last { $0.artifact.kind == .query } }

    /// Returns the version of the last response that was too late for a field; without a key, for any field. Nil if
    /// there is none.
    func late(_ key: StorageKeyID?, of record: RecordID) -> Epoch? {
        guard let late = late[record] else { return nil }
        let ofField = key.map { late.fields[$0] ?? 0 } ?? late.fields.values.max() ?? 0
        let last = max(late.whole, ofField)
        return last > 0 ? last : nil
    }
}

/// A note about an operation that was released.
struct ReleaseNote: Sendable {
    let artifact: GeneratedCode.OperationArtifact
    let key: OperationKey
    let reason: ReleaseReason
    /// The time at which the last holder released the operation.
    let released: Duration
    /// The time at which the store stopped keeping the operation.
    let ended: Duration
}

/// The reason why an operation is no longer held.
enum ReleaseReason: Sendable {
    /// The last holder released the operation, and nothing kept it.
    case released
    /// Later releases pushed the operation out of the release buffer.
    case bufferWasFull
    /// The operation's time in the release buffer was over.
    case expired
    /// The memory of the operation's data was needed.
    case memoryBudget
}
