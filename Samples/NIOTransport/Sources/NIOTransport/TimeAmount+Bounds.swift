import NIOCore

extension TimeAmount {
    /// A duration that a caller names, as a loop may wait for it: at least none, and at most a hundred years. A loop
    /// ends the process for a time that it cannot count in nanoseconds.
    init(bounding duration: Duration) {
        self.init(min(max(duration, .zero), .seconds(100 * 366 * 24 * 60 * 60)))
    }
}
