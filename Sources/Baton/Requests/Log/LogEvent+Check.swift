extension LogEvent {
    /// The result of a check of the store, for the log.
    public struct Check: Sendable {
        /// The operation's name as the document spells it.
        public let operationName: String
        /// What the store holds of the operation's data.
        public let availability: Availability
    }
}
