import Synchronization

/// What tracked frames have asked a handle for, to tell a frame that is never up to date.
///
/// A frame that asks for something new is drawn again when the response has come. If it asks for something new again
/// then, no response is ever shown. A user who goes on before a response was drawn does the same, but not many times.
///
/// State: atomics. One frame is drawn at a time.
struct FrameAsks: ~Copyable, Sendable {
    /// The number of responses that no frame has shown, one after another.
    private let unshown = Atomic(0)
    /// True if the last frame has asked for something that was not there.
    private let isAwaited = Atomic(false)

    private static let limit = 6

    /// Notes what a frame asks for, with whether a request was under way before. Returns true if each of many frames
    /// has asked for something new in place of a response.
    func note(isNew: Bool, wasFetching: Bool) -> Bool {
        guard isNew, isAwaited.load(ordering: .relaxed), !wasFetching else {
            unshown.store(0, ordering: .relaxed)
            return false
        }
        return unshown.add(1, ordering: .relaxed).newValue >= Self.limit
    }

    /// Notes whether the frame awaits a response.
    func noteEnd(isFetching: Bool) { isAwaited.store(isFetching, ordering: .relaxed) }
}
