extension LogEvent {
    /// A log event: no component learns of a change of the frame, because the frame's ``TrackedChange`` was released
    /// unused.
    public struct DroppedChange: Sendable, Hashable {
        /// The name of the first operation or fragment that the frame has read.
        public let component: String
    }
}
