/// Names an optimistic layer of one store; later layers have larger numbers and stand above earlier ones.
package struct LayerID: Sendable, Hashable, Comparable {
    let number: UInt64

    /// True if the left layer was added first, so that the right one stands above it.
    package static func < (left: LayerID, right: LayerID) -> Bool { left.number < right.number }
}

/// A change that readers see on top of the base until it is dropped.
struct OptimisticLayer: Sendable {
    enum Change: Sendable {
        /// An answer that is expected, normalized.
        case response(StagedRecords)
        /// What an updater does; it runs again whenever something changes that it has read or written.
        case updater(@Sendable (RecordSourceProxy) throws -> Void)
    }

    let id: LayerID
    let change: Change
    /// Told outside every lock when the updater has thrown; the layer then contributes nothing until it runs again.
    let failed: @Sendable (any Error) -> Void
    /// What it did when it ran last.
    var outcome = StagedRecords()
    /// The records that it read or wrote then.
    var touched: Set<RecordID> = []
    /// It looked through the whole store.
    var readsAll = false
    var usesTypeFacts = false
    /// Grows with every publish that it took part in.
    var stamp: UInt64 = 0

    init(id: LayerID, change: Change, failed: @escaping @Sendable (any Error) -> Void) {
        self.id = id
        self.change = change
        self.failed = failed
    }
}

/// What happens to the layers in a publish.
enum LayerChange: Sendable {
    case none
    /// Adds a layer, or puts one in the place of the one with its number.
    case put(OptimisticLayer)
    /// Takes a layer away; nothing happens if it is gone.
    case drop(LayerID)
    /// Runs layers again that could not be run when something changed below them.
    case rerun

    /// The layers are others afterwards, or run again.
    var isOfLayers: Bool { if case .none = self { false } else { true } }
}
