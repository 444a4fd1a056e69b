extension RelayEnvironment {
    /// Draws a frame, and returns it with an object that delivers a change of data that the frame has read. Handles and
    /// fragments that `render` reads register themselves, and so does each property of a handle.
    ///
    /// Rendering is synchronous or asynchronous; a frame inside another is tracked by itself. A handle that is read
    /// costs one entry in its list of observers. If `render` throws, nothing is observed.
    public func track<Frame>(_ render: () throws -> Frame) rethrows -> (frame: Frame, changed: TrackedChange) {
        let change = TrackedChange(Tracker(), in: self)
        return (try change.record(render), change)
    }

    /// Draws a frame asynchronously, and returns it with an object that delivers a change of data that the frame has
    /// read.
    public func track<Frame>(
        isolation: isolated (any Actor)? = #isolation, _ render: () async throws -> Frame
    ) async rethrows -> (frame: Frame, changed: TrackedChange) {
        let change = TrackedChange(Tracker(), in: self)
        return (try await change.record(isolation: isolation, render), change)
    }
}
