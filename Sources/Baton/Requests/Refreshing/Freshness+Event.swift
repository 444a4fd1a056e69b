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
