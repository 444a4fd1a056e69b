/// A search for records that nothing needs any more, for the log.
public struct CollectionEvent: Sendable, Hashable {
    /// Why it was made.
    public enum Cause: Sendable, Hashable {
        /// An operation was released, or the time of one that was released is over.
        case release
        /// ``RelayEnvironment/collectGarbage()`` was called.
        case request
        /// The store has half as many records again as the last collection left.
        case growth
        /// The records need more memory than they may.
        case memoryBudget
    }

    /// Why it was made.
    public let cause: Cause
    /// Records that stay.
    public let recordsKept: Int
    /// Records that went.
    public let recordsCollected: Int
    /// Fields that went from records that stay: from the query root, and from records with very many fields with
    /// arguments.
    public let fieldsDropped: Int
    /// The number of slices in which it was made.
    public let slices: Int
    /// The time that the longest slice took, on the system's clock.
    public let longestSlice: Duration
    /// The time that all slices took together, on the system's clock.
    public let duration: Duration

    /// Puts together what a collection did; what is left out is that of one that took no time.
    package init(
        cause: Cause, recordsKept: Int, recordsCollected: Int, fieldsDropped: Int = 0, slices: Int = 1,
        longestSlice: Duration = .zero, duration: Duration = .zero
    ) {
        self.cause = cause
        self.recordsKept = recordsKept
        self.recordsCollected = recordsCollected
        self.fieldsDropped = fieldsDropped
        self.slices = slices
        self.longestSlice = longestSlice
        self.duration = duration
    }
}
