extension SharedEnvironment {
    /// How old shared data may be, and how long a request waits for it.
    public struct Ages: Sendable, Hashable {
        /// The age until which data is used without a fetch.
        public var fresh: Duration
        /// The age until which data is used while it is fetched again. Older data is waited for.
        public var usable: Duration
        /// The time after a failure in which the same query is not sent again. So a server that is down, or that lets
        /// requests wait, is not asked once for each visitor.
        public var pause: Duration
        /// The longest time that a fetch takes.
        public var timeout: Duration

        /// Makes ages; omitted arguments have their defaults.
        public init(
            fresh: Duration = .seconds(5), usable: Duration = .seconds(600), pause: Duration = .seconds(1),
            timeout: Duration = .seconds(2)
        ) {
            self.fresh = fresh
            self.usable = usable
            self.pause = pause
            self.timeout = timeout
        }
    }
}
