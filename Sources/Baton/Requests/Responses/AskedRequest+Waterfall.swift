extension AskedRequest {
    /// Requests of a page that were asked for late, because only a response to an earlier request of the page made them
    /// known.
    ///
    /// Each waterfall makes the page wait for another round trip. A fragment that is spread into the earlier query, or
    /// a preloaded query, avoids it.
    public struct Waterfall: Sendable, Hashable, CustomStringConvertible {
        /// The number of the pass that asked. The first pass is 1 and makes no waterfall.
        public let pass: Int
        /// The requests of this pass, in the order in which they were asked for.
        public let asked: [AskedRequest]
        /// The requests that the pass had waited for.
        public let after: [AskedRequest]

        /// The requests in words: `pass 2 asked for FilmDetail after FilmList`.
        public var description: String {
            func list(_ requests: [AskedRequest]) -> String { requests.map(\.description).joined(separator: ", ") }
            return "pass \(pass) asked for \(list(asked)) after \(list(after))"
        }
    }
}
