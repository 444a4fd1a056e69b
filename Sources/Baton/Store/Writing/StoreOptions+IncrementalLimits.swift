extension StoreOptions {
    /// The greatest size of one answer that arrives in parts (`@defer`, `@stream`), as a protection against servers
    /// that never end.
    ///
    /// Each event of a subscription counts by itself. A payload beyond a limit ends the request with
    /// ``RelayError/invalidResponse(_:)``; what came before stays in the store.
    public struct IncrementalLimits: Sendable, Hashable {
        /// The greatest number of parts. A payload without parts, the beginning of the answer included, counts as one.
        public var parts: Int
        /// The greatest number of bytes in the bodies of all payloads together. They are kept for
        /// ``GraphQLResponse/json`` until the answer is not needed any more.
        public var bytes: Int

        /// Creates limits; by default 1,000,000 parts and 256 MiB.
        public init(parts: Int = 1_000_000, bytes: Int = 256 << 20) {
            self.parts = parts
            self.bytes = bytes
        }
    }
}
