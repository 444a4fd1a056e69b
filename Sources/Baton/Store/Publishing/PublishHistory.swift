/// The last publishes of a store by version and, on request, the version of each field's last change.
///
/// The history is a ring. A note of a publish costs a look at the clock and one entry, however much was published.
struct PublishHistory: Sendable {
    struct Entry: Sendable {
        let epoch: Epoch
        let time: Duration
        let source: WriteSource
    }

    private let history: StoreOptions.History
    private var entries: [Entry] = []
    /// The position of the next entry once the ring is full.
    private var next = 0
    /// The slices of collections. They are kept apart, because there are many of them.
    private var slices: [Entry] = []
    private var fields: [RecordID: [StorageKeyID: Epoch]] = [:]
    /// For each record, the version in which it was last written as a whole.
    private var wholes: [RecordID: Epoch] = [:]
    /// The notes about records and operations that have been removed.
    var collections: CollectionHistory

    init(_ history: StoreOptions.History) {
        self.history = history
        collections = CollectionHistory(limit: max(history.publishes, 16))
    }

    /// Notes the cause of a version, and the fields that changed in it if fields are kept.
    mutating func notePublish(_ entry: Entry, _ changes: borrowing ChangeSet) {
        guard history.publishes > 0 else { return }
        if entries.count < history.publishes {
            entries.append(entry)
        } else {
            entries[next] = entry
            next = (next + 1) % entries.count
        }
        guard history.fields else { return }
        for change in changes.changes {
            if change.isWhole {
                fields[change.record] = nil
                wholes[change.record] = entry.epoch
            }
            for key in changes.keys[change.first..<change.first + change.count] {
                fields[change.record, default: [:]][key] = entry.epoch
            }
        }
    }

    /// Returns the publish that made a version; nil if it was too long ago.
    func entry(at epoch: Epoch) -> Entry? {
        entries.last { $0.epoch == epoch } ?? slices.last { $0.epoch == epoch }
    }

    /// Notes that a collection removed records in a version.
    mutating func noteCollection(_ entry: Entry) {
        if slices.count >= max(4 * min(history.publishes, 1 << 32), 1) { slices.removeFirst(slices.count / 2 + 1) }
        slices.append(entry)
    }

    /// Checks that the journal has no more entries than requested, and none of later versions than the newest.
    func violations(newest: Epoch) -> [String] {
        var found: [String] = []
        if entries.count > history.publishes { found.append("the journal has more entries than it may") }
        if next > 0, next >= entries.count { found.append("the next entry of the journal has no place") }
        for entry in entries where entry.epoch > newest {
            found.append("the journal has an entry of version \(entry.epoch), after the newest")
        }
        if !history.fields, !fields.isEmpty || !wholes.isEmpty { found.append("the journal keeps fields unasked") }
        let versions = fields.values.flatMap(\.values) + wholes.values
        if versions.contains(where: { $0 > newest }) { found.append("a field changed after the newest version") }
        return found
    }

    /// Removes records whose numbers will be given to other records.
    mutating func forget(_ records: [RecordID], _ names: [(record: RecordID, id: DataID)]) {
        for record in records {
            fields[record] = nil
            wholes[record] = nil
        }
        collections.forget(records, names)
    }

    /// Removes storage keys whose numbers will be given to other keys.
    mutating func forget(_ keys: Set<StorageKeyID>) {
        fields = fields.mapValues { $0.filter { !keys.contains($0.key) } }
        collections.forget(keys)
    }

    /// Returns the version of a field's last change; nil if it was not kept.
    func version(of key: StorageKeyID, of record: RecordID) -> Epoch? { fields[record]?[key] ?? wholes[record] }
}

extension LayerChange {
    /// Returns the cause of a publish that changes layers: the response that replaces a layer, or an optimistic change.
    func source(of staged: WriteSource) -> WriteSource {
        switch (self, staged) {
        case (.none, _): staged
        case (.drop, .response): staged
        case (.drop, _): .revert
        default: .optimistic
        }
    }
}
