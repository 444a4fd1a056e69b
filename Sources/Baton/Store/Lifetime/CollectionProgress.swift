/// The result of a slice.
package enum CollectionProgress: Sendable {
    /// No collection runs.
    case idle
    /// The collection needs another slice.
    case more
    /// The collection has ended. The first value is its number.
    case finished(UInt32, LogEvent.Collection)
    /// Packing has ended; no record was collected.
    case packed
}
