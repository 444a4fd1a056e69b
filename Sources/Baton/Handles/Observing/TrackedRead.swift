import Synchronization

/// One handle that a frame has read, and the revision of the state that the frame shows.
final class TrackedRead: HandleObserver {
    let observers: Observers
    let revision: Int
    let source: any ReadingSource
    private let tracker: Tracker
    private let isSuspect = Atomic(false)

    init(_ source: some ReadingSource, _ observers: Observers, _ revision: Int, _ tracker: Tracker) {
        self.source = source
        self.observers = observers
        self.revision = revision
        self.tracker = tracker
    }

    var component: String { source.component }

    var hasChanged: Bool { source.reading().revision != revision }

    /// The log event of the change, with its environment; nil if the handle has not changed.
    var event: (LogEvent.Delivery, RelayEnvironment)? {
        let reading = source.reading()
        guard reading.revision != revision else { return nil }
        return (LogEvent.Delivery(of: reading, after: revision, component: source.component), source.environment)
    }

    func notify() -> Bool {
        if !isSuspect.exchange(true, ordering: .acquiringAndReleasing) { tracker.suspect(self) }
        return true
    }

    /// Clears the suspicion, so that the next notification makes the read suspect again.
    func absolve() { isSuspect.store(false, ordering: .sequentiallyConsistent) }

    func end() {}
}
