extension StoreOptions {
    /// The greatest size of one response that arrives in parts (`@defer`, `@stream`), as a protection against servers
    /// that never end.
    ///
    /// Each event of a subscription counts as a response. A payload beyond a limit ends the request with
    /// ``RelayError/invalidResponse(_:)``; the earlier payloads stay in the store.
    public struct IncrementalLimits: Sendable, Hashable {
        /// The greatest number of parts. A payload without parts counts as one part, and so does the beginning of the
        /// response.
        public var parts: Int
        /// The greatest number of bytes in the bodies of all payloads together. The bodies are kept for
        /// ``GraphQLResponse/json`` until the response is not needed any more.
        public var bytes: Int

        /// Creates limits; by default 1,000,000 parts and 256 MiB.
        public init(parts: Int = 1_000_000, bytes: Int = 256 << 20) {
            self.parts = parts
            self.bytes = bytes
        }
    }
}
