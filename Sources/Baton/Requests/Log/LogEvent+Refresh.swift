extension LogEvent {
    /// A fetch that a handle has started by itself, for the log.
    public struct Refresh: Sendable, Hashable {
        /// The reason why the handle fetches again.
        public enum Cause: Sendable, Hashable {
            /// The shown data was invalidated.
            case invalidation
            /// A field that the last response had brought is missing.
            case missingData
            /// The application has said that the network can be reached again.
            case networkReturned
            /// The application has said that the user has returned to it.
            case applicationReturned
            /// The connection of a subscription is there again.
            case reconnected
            /// The interval of `poll(every:)` is over.
            case poll
        }

        /// The operation's name as the document spells it.
        public let operationName: String
        /// The reason why the handle fetches again.
        public let cause: Cause
    }
}
