/// A change that readers see on top of the base until the change is dropped.
struct Layer: Sendable {
    typealias Read = UpdateReads.Read

    enum Change: Sendable {
        /// A normalized optimistic response, with the work for its fields, and an updater that sees both.
        case response(
            StagedRecords, handled: [HandledCall], updater: (@Sendable (RecordSourceProxy) throws -> Void)?)
        /// An updater, which runs again whenever a field that it has read changes.
        case updater(@Sendable (RecordSourceProxy) throws -> Void)
    }

    let id: LayerID
    let change: Change
    /// The root record of the optimistic response; no other change ever writes to it.
    let root: RecordID?
    /// True if the layer replaces the layer with its number. If that layer is gone, this one is not added.
    let isReplacement: Bool
    /// Called while no lock is held when the updater has thrown. The layer then has no effect until it runs again.
    let failed: @Sendable (any Error) -> Void
    /// The changes of the layer's last run.
    var outcome = LayerChanges()
    /// The fields that the layer depends on, sorted and without repetition: the fields that it read, and the existence
    /// of the records that it wrote.
    private(set) var reads: [Read] = []
    /// True if the layer has visited the whole store.
    private(set) var readsAll = false
    private(set) var usesTypeFacts = false

    init(
        id: LayerID, change: Change, root: RecordID? = nil, isReplacement: Bool = false,
        failed: @escaping @Sendable (any Error) -> Void
    ) {
        self.id = id
        self.change = change
        self.root = root
        self.isReplacement = isReplacement
        self.failed = failed
    }

    /// True if the layer cannot run during the turn of a publish, because it runs code of the application or reads the
    /// whole store.
    var runsCode: Bool {
        switch change {
        case .updater: true
        case .response(_, let handled, let updater): updater != nil || handled.contains { !$0.isPage }
        }
    }

    /// Notes the changes and the reads of a run.
    mutating func setChanges(_ outcome: LayerChanges, _ reads: UpdateReads?) {
        self.outcome = outcome
        var all = (reads?.reads ?? []) + outcome.entries.map { Read(record: $0.record, key: Read.existence) }
        all.sort()
        var last: Read?
        all.removeAll { read in
            defer { last = read }
            return read == last
        }
        self.reads = all
        readsAll = reads?.isEverything ?? false
        usesTypeFacts = reads?.usesTypeFacts ?? false
    }
}
