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

/// The change of the layers in a publish.
enum LayerChange: Sendable {
    case none
    /// Adds a layer, or replaces the layer with its number.
    case put(Layer)
    /// Removes layers; missing layers are skipped.
    case drop([LayerID])
    /// Runs the layers that could not run when the data below them changed.
    case rerun

    var isRerun: Bool { if case .rerun = self { true } else { false } }
}

/// The number of an optimistic layer of one store. Later layers have greater numbers and are above earlier ones.
package struct LayerID: Sendable, Hashable, Comparable {
    let number: UInt64

    /// The level below every layer.
    static let base = LayerID(number: 0)
    /// The level above every layer.
    static let top = LayerID(number: .max)

    /// Returns true if the left layer was added first, so that the right layer is above it.
    package static func < (left: LayerID, right: LayerID) -> Bool { left.number < right.number }
}

/// Marks the run of an optimistic updater, so that the updater does not run again because of its own publishes.
final class LayerRun: Sendable {
    @TaskLocal static var current: LayerRun?

    private let isRunning = Guarded(true)

    func end() { isRunning.withLock { $0 = false } }

    /// True if the caller is inside an optimistic updater.
    static var isInside: Bool { current?.isRunning.withLock { $0 } ?? false }
}
