extension LogEvent {
    /// A log event: nobody is told when the frame changes, because its ``TrackedChange`` was released unused.
    public struct DroppedChange: Sendable, Hashable {
        /// The name of the first operation or fragment that the frame has read.
        public let component: String
    }
}
