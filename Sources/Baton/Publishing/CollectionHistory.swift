/// Why an operation is held no longer.
enum ReleaseReason: Sendable {
    /// The last holder let go, and nothing kept it.
    case released
    /// Others were released after it, and there is room for so many.
    case bufferWasFull
    /// Its time was over.
    case expired
    /// The memory was needed.
    case memoryBudget
}

/// An operation that was let go.
struct ReleaseNote: Sendable {
    let artifact: GeneratedCode.OperationArtifact
    let key: OperationKey
    let reason: ReleaseReason
    /// When the last holder let go.
    let released: Duration
    /// When the store kept it no longer.
    let ended: Duration
}

/// What became of records that were collected, and of answers that came too late: what nothing else in a store would
/// tell any more.
///
/// Bounded: the newest are kept.
struct CollectionHistory: Sendable {
    /// A record that was collected.
    struct Origin: Sendable {
        /// The version in which it was written last.
        let written: Epoch
        /// The version in which it was collected.
        let collected: Epoch
    }

    private let limit: Int
    private var releases: [ReleaseNote] = []
    private var origins: [RecordID: Origin] = [:]
    /// Those of records whose names were given back.
    private var nameless: [DataID: Origin] = [:]
    /// The names of some records were given back.
    private(set) var hasForgottenNames = false
    /// The version of the last answer that was too late for a field, or for a whole record.
    private var late: [RecordID: Late] = [:]

    private struct Late: Sendable {
        var whole: Epoch = 0
        var fields: [StorageKeyID: Epoch] = [:]
    }

    init(limit: Int) { self.limit = limit }

    /// How many notes there are.
    var count: Int { releases.count + origins.count + nameless.count + late.count }

    mutating func noteRelease(_ release: ReleaseNote) {
        if releases.count >= limit { releases.removeFirst(limit / 2 + 1) }
        releases.append(release)
    }

    mutating func noteCollected(_ collected: [(record: RecordID, written: Epoch)], at epoch: Epoch) {
        if origins.count + collected.count > 16 * limit {
            // Those of the collections before go first.
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

    /// What became of a record that was collected; nil if it was not, or too long ago.
    func origin(of record: RecordID?, _ id: DataID) -> Origin? { record.flatMap { origins[$0] } ?? nameless[id] }

    /// The newest note about an operation.
    func release(of key: OperationKey) -> ReleaseNote? { releases.last { $0.key == key } }
    /// The newest note about a query.
    var lastRelease: ReleaseNote? { releases.last { $0.artifact.kind == .query } }

    /// The version of the last answer that was too late to say anything of a field.
    func late(_ key: StorageKeyID?, of record: RecordID) -> Epoch? {
        guard let late = late[record] else { return nil }
        let ofField = key.map { late.fields[$0] ?? 0 } ?? late.fields.values.max() ?? 0
        let last = max(late.whole, ofField)
        return last > 0 ? last : nil
    }
}
