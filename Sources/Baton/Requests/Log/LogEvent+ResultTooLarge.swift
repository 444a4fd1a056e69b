extension LogEvent {
    /// A log event, once for each read: the result is larger than the store allows.
    public struct ResultTooLarge: Sendable, Hashable {
        /// The name of the operation or fragment.
        public let component: String
        /// The greatest size in bytes: ``StoreOptions/resultSize``.
        public let limit: Int
        /// The name of the operation that fetched the data.
        public let operationName: String
    }
}
