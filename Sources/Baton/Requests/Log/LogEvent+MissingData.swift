extension LogEvent {
    /// A read that found less data than it selects, for the log.
    public struct MissingData: Sendable, Hashable {
        /// The name of the operation or fragment that was read.
        public let component: String
        /// The name of the operation that fetched the data.
        public let operationName: String
        /// The place of the first missing field.
        public let location: FieldLocation
    }
}
