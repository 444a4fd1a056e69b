/// A running collection.
struct GarbageCollection: Sendable {
    enum Phase: Sendable {
        /// Finds the records with very many fields, from this page on.
        case widening(page: Int)
        /// Finds the records that can be reached.
        case marking
        /// Drops the fields of these records that nothing reaches.
        case narrowing([RecordID])
        /// Removes the unreached records, from this number on.
        case sweeping(next: Int)
        /// Moves records out of nearly empty blocks, from this page on.
        case packing(page: Int)
        /// Frees the values of rows without records, from this block on.
        case clearing(block: Int)
        /// Finds the numbers in use, from this number on.
        case naming(next: Int)
        /// Frees the other numbers, from this number on.
        case freeing(next: Int)
        /// Frees the numbers of storage keys that nothing uses, from this number on.
        case freeingKeys(next: Int)
        /// Frees pages without records, from this page on.
        case vacating(page: Int)

        var isAboutNumbers: Bool {
            switch self {
            case .naming, .freeing, .freeingKeys: true
            default: false
            }
        }
    }

    let cause: LogEvent.Collection.Cause
    /// The collection's number in its store.
    let number: UInt32
    var phase = Phase.widening(page: 0)
    /// True if the collection only packs records.
    var onlyPacks = false
    var marker = Marker()
    var wide = WideRecords()
    /// The numbers that are in use.
    var known = RecordSet()
    /// The version of the layer stack whose numbers have been added; nil if there were no layers yet.
    var knownLayers: UInt64?
    /// The number of times that numbers could not be freed because of a hold.
    var refusals = 0
    /// True if some numbers were not freed because of holds.
    var hasGivenUp = false
    var numbersFreed = 0
    var recordsCollected = 0
    var fieldsDropped = 0
    var slices = 0
    var longestSlice = Duration.zero
    var duration = Duration.zero
}
