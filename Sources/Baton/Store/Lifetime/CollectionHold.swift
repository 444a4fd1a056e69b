/// Delays the collections of an environment as long as this object lives.
public final class CollectionHold: Sendable {
    private let schedule: CollectionSchedule
    private let isReleased = Guarded(false)

    init(_ schedule: CollectionSchedule) {
        self.schedule = schedule
        schedule.hold()
    }

    deinit { release() }

    /// Releases the hold; a collection that is due starts.
    public func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        if isFirst { schedule.resume() }
    }
}
