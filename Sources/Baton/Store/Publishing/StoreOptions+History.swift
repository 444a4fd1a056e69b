extension StoreOptions {
    /// The size of a store's memory of changes, for ``RelayEnvironment/explain(_:field:arguments:)``.
    public struct History: Sendable, Hashable {
        /// The number of remembered publishes.
        public var publishes: Int
        /// True to remember the last change of each field, and not only of each record. It takes about 50 bytes for
        /// each field that changes, so it is meant for debugging.
        public var fields: Bool

        /// Creates a history; omitted arguments have their defaults.
        public init(publishes: Int = 256, fields: Bool = false) {
            self.publishes = max(publishes, 0)
            self.fields = fields
        }
    }
}
