extension SharedEnvironment {
    /// What the data of some queries was at one moment. Two equal revisions of the same queries stand for the same
    /// data, with the same errors at fields.
    ///
    /// Two different ones may stand for the same data too: the data of other queries has changed, or a fetch has
    /// brought nothing new. Revisions of different queries are not comparable.
    public struct Revision: Sendable, Hashable {
        let epoch: Epoch
        let generation: Int
        /// The number of the newest fetch of the queries. Numbers rise over all queries, so that each fetch is the
        /// newest.
        let newestFetch: UInt64
    }
}
