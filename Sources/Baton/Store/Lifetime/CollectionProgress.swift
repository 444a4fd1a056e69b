/// The result of a slice.
package enum CollectionProgress: Sendable {
    /// No collection runs.
    case idle
    /// The collection needs another slice.
    case more
    /// The collection has ended; with its number.
    case finished(UInt32, LogEvent.Collection)
    /// Records were moved together, and nothing was collected.
    case packed
}
