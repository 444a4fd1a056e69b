extension SharedEnvironment {
    /// What the data of some queries was at one moment. Two equal revisions of the same queries stand for the same
    /// data, with the same errors at fields.
    ///
    /// Two different ones may stand for the same data too: another field of one of the records has changed, or a fetch
    /// has failed. Revisions of different queries are not comparable.
    public struct Revision: Sendable, Hashable {
        /// The newest version of the store in which a record of the queries was changed.
        let lastChange: Epoch
        let generation: Int
        /// The number of the newest fetch that had or ended errors. Numbers rise over all queries.
        let lastTrouble: UInt64
    }
}
