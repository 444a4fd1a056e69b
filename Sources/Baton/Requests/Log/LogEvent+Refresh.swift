extension LogEvent {
    /// A fetch that no caller has asked for, for the log.
    public struct Refresh: Sendable, Hashable {
        /// What has made the handle fetch again.
        public enum Cause: Sendable, Hashable {
            /// The shown data was invalidated.
            case invalidation
            /// A field that the last answer had brought is missing.
            case missingData
            /// The application has said that the network can be reached again.
            case networkReturned
            /// The application has said that the user looks at it again.
            case applicationReturned
            /// The interval of `poll(every:)` is over.
            case poll
        }

        /// The operation's name as the document spells it.
        public let operationName: String
        /// What has made the handle fetch again.
        public let cause: Cause
    }
}
