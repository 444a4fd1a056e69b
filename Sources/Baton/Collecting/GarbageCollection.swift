/// A collection that is under way.
struct GarbageCollection: Sendable {
    enum Phase: Sendable {
        /// Finding records with very many fields, from this page on.
        case widening(page: Int)
        /// Finding what can be reached.
        case marking
        /// Dropping fields that nothing reaches, of these records.
        case narrowing([RecordID])
        /// Taking the others away, from this number on.
        case sweeping(next: Int)
        /// Moving records together that are alone in their blocks, from this page on.
        case packing(page: Int)
        /// Finding the numbers that something knows, from this one on.
        case naming(next: Int)
        /// Giving the other numbers back, from this one on.
        case freeing(next: Int)
        /// Giving the numbers of storage keys back that nothing uses, from this one on.
        case freeingKeys(next: Int)
        /// Giving pages without records back, from this one on.
        case vacating(page: Int)

        var isAboutNumbers: Bool {
            switch self {
            case .naming, .freeing, .freeingKeys: true
            default: false
            }
        }
    }

    let cause: CollectionEvent.Cause
    /// The number of the collection in its store.
    let number: UInt32
    var phase = Phase.widening(page: 0)
    var marker = Marker()
    var wide = WideRecords()
    /// The numbers that something knows.
    var known = RecordSet()
    /// How often numbers could not be given back because somebody held them.
    var refusals = 0
    /// Some numbers were not given back because of that.
    var hasGivenUp = false
    var numbersFreed = 0
    var recordsCollected = 0
    var fieldsDropped = 0
    var slices = 0
    var longestSlice = Duration.zero
    var duration = Duration.zero
}

/// What came of a slice.
package enum CollectionProgress: Sendable {
    /// There is nothing to do.
    case idle
    /// There is more to do.
    case more
    /// This slice was the last; with the number of the collection.
    case finished(UInt32, CollectionEvent)
}
