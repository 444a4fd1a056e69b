extension LogEvent {
    /// A response that was dropped from a sequence of events, for the log.
    public struct DroppedEvent: Sendable, Hashable {
        /// The subscription's name as the document spells it.
        public let operationName: String
    }
}
