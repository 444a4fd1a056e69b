import Synchronization

/// What the shells of query and fragment handles share: the count of changes, the lock, and the loop that reads until
/// nothing has changed meanwhile.
///
/// State: `state`, guarded by its own lock, outside those of the store and of the operation ledger; two atomics that
/// count what may make it old. What is read and compared runs code of the user's, and is done outside the lock.
struct ReaderLoop<State>: ~Copyable, Sendable {
    // Before the state, which is large: a publish then meets them where it met the object (benchmark `notify.growth`).
    private let counter = Atomic(0)
    private let publishes = Atomic(0)
    private let state: Guarded<State>

    init(_ state: consuming sending State) {
        self.state = Guarded(state, .handle)
    }

    /// Runs the body with the state to itself; no code of the user's in there.
    @inline(__always)
    func withLock<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
        state.withLock(body)
    }

    /// How often something has changed that may be read.
    var changes: Int { counter.load(ordering: .acquiring) }
    /// The newest publish that has changed what was read.
    var lastPublish: Int { publishes.load(ordering: .relaxed) }

    /// Counts a change; those who observe are told afterwards.
    func mark() {
        counter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Counts a change by a publish.
    func mark(at epoch: Epoch) {
        publishes.max(Int(truncatingIfNeeded: epoch), ordering: .relaxed)
        mark()
    }

    /// What a handle shows, after everything that has changed; nil if nothing was read before it died.
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
                if let reading = taken.reading, !taken.hasChanged, self.changes == changes { return reading }
            }
        }
    }

    private func report<Core: ReaderCore>(_ taken: TakenLook, of place: BoundFragment, for core: Core) {
        if taken.hasChanged { core.mark() }
        if let problems = taken.look.problems { core.environment.report(problems, of: place.owner) }
        if taken.reading != nil && taken.look.isDifferent && taken.look.sight.isMissingData {
            core.environment.reportMissing(core.component, place.owner, place.selections, at: place.record)
        }
    }
}

/// The shell of a handle, as the loop sees it.
protocol ReaderCore: StoreSubscriber {
    associatedtype Target: Sendable
    var environment: RelayEnvironment { get }
    /// The name of the operation or fragment, for the log.
    var component: String { get }
    /// Says what has to be done before it is known what the handle shows.
    func next(at changes: Int) -> ReaderStep<Target>
    /// Finds what to read; nil if it belongs to another environment.
    func bind(_ target: Target) -> BoundFragment?
    /// Shows that there is nothing that may be read.
    func refuse(_ task: ReaderTask<Target>)
    /// Reads, and takes over what was read if the handle has not moved on meanwhile.
    func take(_ task: ReaderTask<Target>, at place: BoundFragment) -> TakenLook
    /// Counts a change, and tells those who observe.
    func mark()
}

/// What has to be done before it is known what a handle shows.
enum ReaderStep<Target: Sendable>: Sendable {
    /// Nothing.
    case shown(Reading?)
    case read(ReaderTask<Target>)
    /// Something other was done, and may have changed everything.
    case again
}

/// What to read, and what was read before.
struct ReaderTask<Target: Sendable>: Sendable {
    let target: Target
    let last: Sight?
    /// What the machine had counted before.
    let moves: Int
    /// How many changes were counted before.
    let changes: Int
}

/// What came of a read.
struct TakenLook: Sendable {
    let look: Look
    /// What the handle shows now; nil if it had moved on meanwhile.
    let reading: Reading?
    /// What was read has changed since.
    let hasChanged: Bool
}

/// What was read and what is shown; a value inside the state of a handle, which does what the machine says.
struct Reader: Sendable {
    /// Nil before the first read.
    private(set) var reading: Reading?
    /// Nil before the first read.
    private(set) var sight: Sight?
    private var subscription: SubscriptionID?

    /// Shows something else, or the same with another status.
    mutating func show(_ content: Reading.Content, publish: Int?) {
        reading = Reading(after: reading, content, changedBy: publish)
    }

    /// Takes over what was read, and subscribes to it; true if it has changed since. Calls the store alone, whose locks
    /// are inside those of handles.
    mutating func install(_ sight: Sight, in store: Store, for subscriber: any StoreSubscriber) -> Bool {
        let (id, hasChanged) = store.subscribe(quietly: subscriber, to: sight.dependencies, replacing: subscription)
        subscription = id
        self.sight = sight
        return hasChanged
    }

    /// Forgets what was read, and ends the subscription; what is shown stays.
    mutating func forget(in store: Store) {
        if let subscription { store.unsubscribe(subscription) }
        subscription = nil
        sight = nil
    }
}
