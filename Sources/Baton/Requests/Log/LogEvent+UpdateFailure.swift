extension LogEvent {
    /// A log event: an update threw.
    public struct UpdateFailure: Sendable {
        /// The source of the update.
        public let source: LogEvent.Publish.Source
        /// The error that the update threw.
        public let error: any Error
        /// True if the store refused a change; false if the application's code failed.
        public var isRefused: Bool { error is UpdateError }
    }
}
