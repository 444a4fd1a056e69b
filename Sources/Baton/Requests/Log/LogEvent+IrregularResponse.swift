extension LogEvent {
    /// A log event: a response breaks a specification but was read.
    public struct IrregularResponse: Sendable, Hashable {
        /// The operation's name as the document spells it.
        public let operationName: String
        /// The number of the request, as in ``NetworkRequest/id``.
        public let request: Int
        /// The irregularities of the response.
        public let irregularities: [LogEvent.Irregularity]
    }
}
