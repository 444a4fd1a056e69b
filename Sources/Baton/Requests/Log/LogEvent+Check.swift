extension LogEvent {
    /// The result of a check of the store, for the log.
    public struct Check: Sendable {
        /// The result of a check.
        public enum Finding: Sendable, Hashable {
            /// The store holds all of the operation's data, and all is valid.
            case available
            /// The store holds all of the data, but a part was invalidated after its fetch or is older than its age
            /// limit.
            case stale
            /// The store lacks a part of the data. The location is that of the first missing field.
            case missing(FieldLocation)
        }

        /// The operation's name as the document spells it.
        public let operationName: String
        /// The result of the check.
        public let finding: Finding
        /// The reason why the data is stale; nil if it is not.
        public let staleness: Staleness?
        /// The fetch time of the oldest part of available data, on the environment's clock.
        public let oldestFetch: Duration?
    }
}
