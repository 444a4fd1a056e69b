extension LogEvent {
    /// The effect of a publish, for the log.
    ///
    /// The components that were drawn again because of the publish have ``LogEvent/delivered(_:)`` events whose
    /// ``LogEvent/Delivery/publish`` is this `number`.
    public struct Publish: Sendable, Hashable {
        /// The cause of a publish.
        public enum Source: Sendable, Hashable {
            /// A response, with the operation's name and the number of the request; 0 for a payload that was published
            /// without a request.
            case response(operationName: String, request: Int)
            /// A local update.
            case update
            /// An optimistic change was applied: that of a mutation, or ``RelayEnvironment/applyUpdate(file:line:_:)``
            /// if the name is nil.
            case optimistic(operationName: String?)
            /// An optimistic change was reverted without a response.
            case revert(operationName: String?)
            /// An invalidation.
            case invalidation
            /// Everything was removed by ``RelayEnvironment/reset(refetching:)``.
            case reset
            /// Values that missing-field handlers found.
            case missingFieldHandlers
            /// A snapshot that was restored.
            case restore
        }

        /// The number of the publish; it grows within an environment.
        public let number: Int
        /// The cause of the publish.
        public let source: Source
        /// The number of records that the response or update brought, changed or not.
        public let recordsWritten: Int
        /// The number of records that are new, were deleted, or have at least one changed field.
        public let recordsChanged: Int
        /// The number of reads of changed records by handles. A handle counts once for each changed record and
        /// selection set.
        public let componentsChecked: Int
        /// The number of handles that read a changed field.
        public let componentsNotified: Int
        /// The time until the change could be read, updaters included, on the environment's clock.
        public let duration: Duration
        /// The time of normalizing the response before the publish, on the environment's clock; nil if there is no
        /// response.
        public let normalizing: Duration?
    }
}
