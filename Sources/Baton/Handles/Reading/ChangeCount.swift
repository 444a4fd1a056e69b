import Synchronization

/// Counts what may make a handle's last read old. A publish counts without the handle's lock, because it may concern
/// thousands of handles.
struct ChangeCount: ~Copyable, Sendable {
    // An owner has the count before its large state, so that a publish finds it in the cache line of the object's
    // header (benchmark `notify.growth`).
    private let counter = Atomic(0)
    private let publishes = Atomic(0)

    /// The number of changes that may require another read.
    var changes: Int { counter.load(ordering: .acquiring) }
    /// The newest publish that has changed the data.
    var lastPublish: Int { publishes.load(ordering: .relaxed) }

    /// Counts a change. Observers must be notified afterwards.
    func mark() { counter.add(1, ordering: .acquiringAndReleasing) }

    /// Counts a change by a publish.
    func mark(at epoch: Epoch) {
        publishes.max(Int(truncatingIfNeeded: epoch), ordering: .relaxed)
        mark()
    }
}
