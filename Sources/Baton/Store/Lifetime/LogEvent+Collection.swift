extension LogEvent {
    /// A log event: a collection of records that nothing needs any more has ended.
    public struct Collection: Sendable, Hashable {
        /// The cause of the collection.
        public enum Cause: Sendable, Hashable {
            /// An operation was released, or its time in the release buffer is over.
            case release
            /// ``RelayEnvironment/collectGarbage()`` was called.
            case request
            /// The store has one and a half times as many records as the last collection left.
            case growth
            /// The records need more memory than the budget allows.
            case memoryBudget
        }

        /// The cause of the collection.
        public let cause: Cause
        /// The number of records that stayed.
        public let recordsKept: Int
        /// The number of records that were removed.
        public let recordsCollected: Int
        /// The number of fields that were removed from records that stayed: from the query root, and from records with
        /// very many fields with arguments.
        public let fieldsDropped: Int
        /// The number of slices of the collection.
        public let slices: Int
        /// The duration of the longest slice, on the system's clock.
        public let longestSlice: Duration
        /// The duration of all slices together, on the system's clock.
        public let duration: Duration

        /// Creates an event; the defaults are those of a collection that took no time.
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
}
