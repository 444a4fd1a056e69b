extension LogEvent {
    /// A request, for the log.
    public struct Fetch: Sendable {
        /// The number of the request, as in ``NetworkRequest/id``.
        public let request: Int
        /// The operation's name as the document spells it.
        public let operationName: String
        /// Query, mutation or subscription.
        public let kind: OperationKind
        /// The fetch key of the first handle or caller, as text; nil if there was none.
        public let fetchKey: String?
        /// The policy of the first handle or caller; nil for mutations and subscriptions.
        public let policy: FetchPolicy?
        /// The time since the request began, on the environment's clock.
        public let duration: Duration
    }
}
