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

/// The shell of a handle, as the loop uses it.
protocol ReaderCore: StoreSubscriber {
    associatedtype Target: Sendable
    var environment: RelayEnvironment { get }
    /// The name of the operation or fragment, for the log.
    var component: String { get }
    /// Returns the next step before the handle's state is known.
    func next(at changes: Int) -> ReaderStep<Target>
    /// Binds a target; returns nil if it belongs to another environment.
    func bind(_ target: Target) -> BoundFragment?
    /// Shows a failure, because the target cannot be read.
    func refuse(_ task: ReaderTask<Target>)
    /// Reads, and uses the result unless the handle has moved on meanwhile.
    func take(_ task: ReaderTask<Target>, at place: BoundFragment) -> TakenRead
    /// Counts a change and notifies the observers.
    func mark()
}

/// The next step before a handle's state is known.
enum ReaderStep<Target: Sendable>: Sendable {
    /// No step is needed; this is the reading.
    case shown(Reading?)
    case read(ReaderTask<Target>)
    /// Another step was done, which may have changed everything.
    case again
}

/// The target to read, and the result of the last read.
struct ReaderTask<Target: Sendable>: Sendable {
    let target: Target
    let last: ReadOutcome?
    /// The machine's count of moves before the read.
    let moves: Int
    /// The count of changes before the read.
    let changes: Int
}

/// The result of a read.
struct TakenRead: Sendable {
    let read: HandleRead
    /// The handle's reading now; nil if it had moved on meanwhile.
    let reading: Reading?
    /// True if the data has changed since the read.
    let hasChanged: Bool
    /// True if the log is to know that data is missing.
    let reportsMissingData: Bool
}

/// The last read and the shown reading, as part of a handle's state. It follows the machine's decisions.
struct Reader: Sendable {
    /// The last read; nil before the first one.
    private(set) var reading: Reading?
    /// The last read; nil before the first one.
    private(set) var outcome: ReadOutcome?
    private var subscription: SubscriptionID?

    /// Shows another content, or the same content with another status.
    mutating func show(_ content: Reading.Content, publish: Int?) {
        reading = Reading(after: reading, content, changedBy: publish)
    }

    /// Takes the result of a read and subscribes to it; returns true if the data has changed since. Only the store is
    /// called, whose locks are inside those of handles.
    mutating func install(_ outcome: ReadOutcome, in store: Store, for subscriber: any StoreSubscriber) -> Bool {
        let (id, hasChanged) = store.subscribe(quietly: subscriber, to: outcome.dependencies, replacing: subscription)
        subscription = id
        self.outcome = outcome
        return hasChanged
    }

    /// Forgets the last read; the shown reading stays. The subscription waits for the next read, so that the handle is
    /// told of it before the handles that were made of its data.
    mutating func forget(in store: Store) {
        if let subscription { store.clear(subscription) }
        outcome = nil
    }

    /// Forgets the last read and ends its subscription; the shown reading stays.
    mutating func end(in store: Store) {
        if let subscription { store.unsubscribe(subscription) }
        subscription = nil
        outcome = nil
    }
}
