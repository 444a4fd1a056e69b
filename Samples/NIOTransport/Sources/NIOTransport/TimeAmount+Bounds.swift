import NIOCore

extension TimeAmount {
    /// A duration of a caller, bounded for an event loop: at least zero, and at most a hundred years. A loop ends the
    /// process for a time that it cannot count in nanoseconds.
    init(bounding duration: Duration) {
        self.init(min(max(duration, .zero), .seconds(100 * 366 * 24 * 60 * 60)))
    }
}
