extension LogEvent {
    /// A delivery to an observer, for the log.
    public struct Delivery: Sendable, Hashable {
        /// The cause of a delivery.
        public enum Cause: Sendable, Hashable {
            /// The observer was registered and gets the current state.
            case registration
            /// Data that the handle reads changed in the store, or the awaited data has arrived.
            case storeChange
            /// The handle got other arguments or another reference, or a request began or ended.
            case handle
        }

        /// The name of the operation or fragment that the handle holds.
        public let component: String
        /// The cause of the delivery.
        public let cause: Cause
        /// The number of the last publish that changed or brought the handle's data; nil for the other causes.
        public let publish: Int?
    }
}
