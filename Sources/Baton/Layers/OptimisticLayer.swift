/// Names an optimistic layer of one store; later layers have larger numbers and stand above earlier ones.
package struct LayerID: Sendable, Hashable, Comparable {
    let number: UInt64

    /// Below every layer.
    static let base = LayerID(number: 0)
    /// Above every layer.
    static let top = LayerID(number: .max)

    /// True if the left layer was added first, so that the right one stands above it.
    package static func < (left: LayerID, right: LayerID) -> Bool { left.number < right.number }
}

/// A change that readers see on top of the base until it is dropped.
struct OptimisticLayer: Sendable {
    typealias Read = UpdateReads.Read

    enum Change: Sendable {
        /// An answer that is expected, normalized, with the calls of handlers that belong to it.
        case response(StagedRecords, handled: [HandledCall])
        /// What an updater does; it runs again whenever something changes that it has read.
        case updater(@Sendable (RecordSourceProxy) throws -> Void)
    }

    let id: LayerID
    let change: Change
    /// The root fields of the answer that it expects; nothing but that answer is below them.
    let root: RecordID?
    /// It takes the place of one with its number, and is nothing if that is gone.
    let isReplacement: Bool
    /// Told outside every lock when the updater has thrown; the layer then contributes nothing until it runs again.
    let failed: @Sendable (any Error) -> Void
    /// What it did when it ran last.
    var outcome = LayerOutcome()
    /// What it depends on, in order and each once: what it read, and whether what it wrote was there.
    private(set) var reads: [Read] = []
    /// It looked through the whole store.
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

    /// It cannot be carried out without code of the application.
    var runsCode: Bool {
        switch change {
        case .updater: true
        case .response(_, let handled): handled.contains { !$0.isOfStore }
        }
    }

    /// Notes what a run has looked at and done.
    mutating func settle(_ outcome: LayerOutcome, _ reads: UpdateReads?) {
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

/// What happens to the layers in a publish.
enum LayerChange: Sendable {
    case none
    /// Adds a layer, or puts one in the place of the one with its number.
    case put(OptimisticLayer)
    /// Takes layers away; nothing happens for those that are gone.
    case drop([LayerID])
    /// Runs layers again that could not be run when something changed below them.
    case rerun
}
