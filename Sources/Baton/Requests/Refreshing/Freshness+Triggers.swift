extension Freshness {
    /// The events that make a live query handle fetch again by itself.
    public struct Triggers: OptionSet, Sendable, Hashable {
        /// A bit for each trigger.
        public let rawValue: Int

        /// Makes a set of the triggers with these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The shown data is invalidated: the whole store, the query, a record that it reads, or its type.
        public static let invalidation = Freshness.Triggers(rawValue: 1)
        /// A component has read a field of the query that the last response had brought, and that is missing now.
        public static let missingData = Freshness.Triggers(rawValue: 2)
        /// The application has noted ``Freshness/Event/networkReturned``.
        public static let networkReturned = Freshness.Triggers(rawValue: 4)
        /// The application has noted ``Freshness/Event/applicationReturned``.
        public static let applicationReturned = Freshness.Triggers(rawValue: 8)
        /// The connection of a subscription of the environment was lost or paused, and is there again. Events may have
        /// been missed, so the data is fetched again whatever its age.
        public static let reconnected = Freshness.Triggers(rawValue: 16)
    }
}

extension Freshness {
    /// What the application knows and the runtime does not. It is told with ``RelayEnvironment/note(_:ifOlderThan:)``.
    public struct Event: Sendable, Hashable {
        /// The trigger of the handles that want to know.
        let trigger: Triggers

        /// The network can be reached again. A `ConnectivityInterceptor` of BatonHTTP notes it after each outage.
        public static let networkReturned = Event(trigger: .networkReturned)
        /// The user has returned to the application.
        public static let applicationReturned = Event(trigger: .applicationReturned)
    }
}
