import Synchronization

/// What the shells of query and fragment handles share: the count of changes, the lock, and the loop that reads until
/// nothing has changed meanwhile.
///
/// State: `state`, guarded by its own lock, outside those of the store and of request outcomes; two atomics that
/// count what may make it old. What is read and compared runs code of the user's, and is done outside the lock.
struct ReaderLoop<State>: ~Copyable, Sendable {
    // The counters come before the large state, so that a publish finds them in the cache line of the object's header
    // (benchmark `notify.growth`).
    private let counter = Atomic(0)
    private let publishes = Atomic(0)
    private let state: Guarded<State>

    init(_ state: consuming sending State) {
        self.state = Guarded(state, .handle)
    }

    /// Calls `body` with exclusive access to the state. No code of the application may run in it.
    @inline(__always)
    func withLock<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        state.withLock(body)
    }

    /// The number of changes that may require another read.
    var changes: Int { counter.load(ordering: .acquiring) }
    /// The newest publish that has changed the data.
    var lastPublish: Int { publishes.load(ordering: .relaxed) }

    /// Counts a change. Observers must be notified afterwards.
    func mark() {
        counter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Counts a change by a publish.
    func mark(at epoch: Epoch) {
        publishes.max(Int(truncatingIfNeeded: epoch), ordering: .relaxed)
        mark()
    }

    /// Returns the reading of a handle after all changes; nil if nothing was read before the handle was deinitialized.
    func newest<Core: ReaderCore>(for core: Core) -> Reading? {
        while true {
            let changes = changes
            switch core.next(at: changes) {
            case .shown(let reading): return reading
            case .again: continue
            case .read(let task):
                guard let place = core.bind(task.target) else {
                    core.refuse(task)
                    continue
                }
                let taken = core.take(task, at: place)
                report(taken, of: place, for: core)
                if let reading = taken.reading {
                    if !taken.hasChanged, self.changes == changes { return reading }
                    // A read that fails for its size begins anew each time, so it might never be the newest. The change
                    // is counted, and the next call reads again.
                    if case .resultTooLarge? = taken.read.outcome.failure { return reading }
                }
            }
        }
    }

    private func report<Core: ReaderCore>(_ taken: TakenRead, of place: BoundFragment, for core: Core) {
        if taken.hasChanged { core.mark() }
        if let problems = taken.read.outcome.problems { core.environment.report(problems, of: place.owner) }
        if taken.reportsMissingData {
            core.environment.reportMissing(core.component, place.owner, place.selections, at: place.record)
        }
    }
}
