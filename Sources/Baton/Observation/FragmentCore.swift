import Synchronization

/// The half of a fragment handle that the store and observers hold on to.
///
/// State: `state`, guarded by its own lock, outside those of the store and of the operation ledger; `changes` and `lastPublish`, atomics that count what may
/// make the state old. Reading and comparing happen outside the lock. Nothing is read before somebody asks.
final class FragmentCore<Fragment: GraphQLFragment>: HandleCore, StoreSubscriber, RequestWatcher {
    typealias Data = Fragment.Data

    /// What kind of thing is shown; the number tells one failure from another.
    private enum Face: Equatable {
        case loading
        case failure(Int)
        case window
    }

    private struct State {
        var reference: FragmentReference<Fragment>
        var window = StoreWindow<Data>()
        var face = Face.loading
        var reading = Reading<Data>()
        /// The owner of the reference, unless that comes from another environment.
        var retained: BoundOperation?
        /// The ledger tells of requests of what is retained.
        var isWatching = false
        /// The reference is another than the one that was read last.
        var isRetargeted = true
        var isClosed = false
    }

    private enum Step {
        case done(Reading<Data>)
        case read(FragmentReference<Fragment>, StoreWindow<Data>)
    }

    let environment: RelayEnvironment
    let audience = Audience()
    // Before the state, which is large: a publish then meets them where it met the object (benchmark `notify.growth`).
    private let changes = Atomic(0)
    private let lastPublish = Atomic(0)
    private let state: Guarded<State>

    init(_ reference: FragmentReference<Fragment>, in environment: RelayEnvironment) {
        self.environment = environment
        let owner = Self.own(reference.owner, in: environment)
        if let owner { environment.operations.retain(owner) }
        state = Guarded(State(reference: reference, retained: owner))
    }

    private static func own(_ owner: BoundOperation, in environment: RelayEnvironment) -> BoundOperation? {
        owner.store === environment.store ? owner : nil
    }

    var component: String { Fragment.artifact.name }

    var reference: FragmentReference<Fragment> { state.withLock { $0.reference } }

    func get() -> QueryResult<Data> { reading().result }

    var isMissingData: Bool {
        _ = reading()
        return state.withLock { $0.window.isMissingData }
    }

    var errors: [GraphQLError] { environment.errors(in: reference) }

    func update(_ reference: FragmentReference<Fragment>) {
        let owner = Self.own(reference.owner, in: environment)
        if let owner { environment.operations.retain(owner) }
        let (isChanged, released, wasWatching) = state.withLock { state -> (Bool, BoundOperation?, Bool) in
            guard state.reference != reference, !state.isClosed else { return (false, owner, false) }
            let old = state.retained
            state.reference = reference
            state.retained = owner
            state.window.expire()
            state.isRetargeted = true
            let wasWatching = state.isWatching && old !== owner
            if wasWatching { state.isWatching = false }
            return (true, old, wasWatching)
        }
        if let released { letGo(released, unwatching: wasWatching) }
        if isChanged { audience.notify() }
    }

    func storeDidChange(at epoch: Epoch) {
        lastPublish.max(Int(truncatingIfNeeded: epoch), ordering: .relaxed)
        mark()
    }

    func requestDidMove() { mark() }

    private func mark() {
        changes.add(1, ordering: .acquiringAndReleasing)
        audience.notify()
    }

    func close() {
        audience.close()
        // The window goes outside the lock: it may be the last to hold something of the user's.
        let (retained, isWatching, _) = state.withLock { state in
            let window = state.window
            state.isClosed = true
            state.window.close(in: environment.store)
            defer { state.retained = nil }
            return (state.retained, state.isWatching, window)
        }
        if let retained { letGo(retained, unwatching: isWatching) }
    }

    private func letGo(_ operation: BoundOperation, unwatching isWatching: Bool) {
        if isWatching { environment.operations.unwatch(operation, self) }
        environment.operations.release(operation)
    }

    // MARK: - Reading

    func reading() -> Reading<Data> {
        while true {
            let seen = changes.load(ordering: .acquiring)
            let step = state.withLock { state -> Step in
                state.isClosed || state.window.isCurrent(seen)
                    ? .done(state.reading) : .read(state.reference, state.window)
            }
            switch step {
            case .done(let reading): return reading
            case .read(let reference, let window): read(reference, window, seen)
            }
        }
    }

    /// Reads what a reference points at; does nothing if the handle has moved on meanwhile.
    private func read(_ reference: FragmentReference<Fragment>, _ window: StoreWindow<Data>, _ seen: Int) {
        guard let bound = environment.store.bind(reference) else { return refuse(reference, window, seen) }
        let snapshot = environment.store.read(
            Data.self, at: bound.record, bound.selections, after: window.dependencies)
        let isDifferent = window.differs(from: snapshot)
        let (face, result) = face(of: snapshot, bound.owner)
        // What was shown goes outside the lock: it may be the last to hold something of the user's.
        let (isInstalled, hasChanged, _) = state.withLock { state -> (Bool, Bool, Reading<Data>?) in
            guard state.reference == reference, state.window.isSame(as: window), !state.isClosed else {
                return (false, false, nil)
            }
            let old = state.reading
            let hasChanged = state.window.install(snapshot, changes: seen, in: environment.store, for: self)
            if state.face != face || isDifferent && state.isRetargeted {
                state.reading = state.reading.next(result)
            } else if isDifferent && face == .window {
                state.reading = state.reading.next(result, changedBy: lastPublish.load(ordering: .relaxed))
            }
            state.face = face
            state.isRetargeted = false
            return (true, hasChanged, old)
        }
        if hasChanged { mark() }
        watch(bound.owner, snapshot.isMissingData, isInstalled)
        environment.report(snapshot.problems, of: bound.owner)
        if isInstalled && isDifferent && snapshot.isMissingData {
            environment.reportMissing(component, bound.owner, bound.selections, at: bound.record)
        }
    }

    private func refuse(_ reference: FragmentReference<Fragment>, _ window: StoreWindow<Data>, _ seen: Int) {
        _ = state.withLock { state -> Reading<Data>? in
            guard state.reference == reference, state.window.isSame(as: window), !state.isClosed else { return nil }
            let old = state.reading
            state.window.close(in: environment.store, until: seen)
            state.reading = state.reading.next(.failure(.foreignReference(fragment: component)))
            state.face = .failure(0)
            return old
        }
    }

    /// What is missing may be on its way, or the last request of its operation may have failed; the handle hears of it when that changes.
    private func face(of snapshot: Snapshot<Data>, _ owner: BoundOperation) -> (Face, QueryResult<Data>) {
        guard snapshot.isMissingData else { return (.window, snapshot.result) }
        environment.operations.watch(owner, self)
        if environment.requests[owner] != nil { return (.loading, .loading) }
        if snapshot.data == nil, let failure = environment.operations.failure(of: owner) {
            return (.failure(failure.number), .failure(failure.error))
        }
        return (.window, snapshot.result)
    }

    /// Notes whether the ledger tells of requests, and has it stop once nothing is missing.
    private func watch(_ owner: BoundOperation, _ isMissingData: Bool, _ isInstalled: Bool) {
        if isInstalled && !isMissingData && !state.withLock({ $0.isWatching }) { return }
        let mustStop = state.withLock { state in
            guard state.retained === owner, !state.isClosed else { return true }
            if isInstalled { state.isWatching = isMissingData }
            return !state.isWatching
        }
        if mustStop { environment.operations.unwatch(owner, self) }
    }
}
