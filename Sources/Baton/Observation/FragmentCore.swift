import Synchronization

/// The half of a fragment handle that the store and observers hold on to.
///
/// It does not depend on the type of the fragment's data, but for calls of `GraphQLFragment.look` and `failure`: in
/// code for any type every step asks the runtime for metadata, which was a third of what a handle costs (benchmark
/// `fragments.vs-foundation`).
///
/// State: `state`, guarded by its own lock, outside those of the store and of the operation ledger; `changes` and
/// `lastPublish`, atomics that count what may make the state old. Reading and comparing happen outside the lock.
/// Nothing is read before somebody asks.
final class FragmentCore: StoreSubscriber, RequestWatcher {
    private struct State {
        var target: GeneratedCode.FragmentTarget
        var sight = FragmentSight()
        var subscription: SubscriptionID?
        /// How many changes were counted before the last read; nil if it has to read whatever was counted.
        var changesRead: Int?
        /// Grows with what is read, and with what is to be read.
        var moves = 0
        /// The owner of the target is retained, since it does not come from another environment.
        var isRetaining: Bool
        /// The ledger tells of requests of what is retained.
        var isWatching = false
        var isClosed = false

        /// Forgets what was read, and ends the subscription; what is shown stays.
        mutating func forget(in store: Store) {
            if let subscription { store.unsubscribe(subscription) }
            subscription = nil
            changesRead = nil
            sight.forget()
        }
    }

    let environment: RelayEnvironment
    private let fragment: any GraphQLFragment.Type
    // Before the state, which is large: a publish then meets them where it met the object (benchmark `notify.growth`).
    private let changes = Atomic(0)
    private let lastPublish = Atomic(0)
    private let lateAudience = LateAudience()
    private let state: Guarded<State>

    // Inlined, so that the environment is counted once: it is referred to weakly too, and then each count takes a
    // detour.
    @inline(__always)
    init(
        _ fragment: any GraphQLFragment.Type, _ target: GeneratedCode.FragmentTarget, in environment: RelayEnvironment
    ) {
        let isOwn = target.use.source === environment.store
        if isOwn { environment.operations.retain(target.use) }
        self.fragment = fragment
        self.environment = environment
        state = Guarded(State(target: target, isRetaining: isOwn), .handle)
    }

    /// Who observes. One that is made when the handle has died is closed from the beginning.
    var audience: Audience {
        let audience = lateAudience.audience
        if state.withLock({ $0.isClosed }) { audience.close() }
        return audience
    }

    var component: String { fragment.artifact.name }

    var target: GeneratedCode.FragmentTarget { state.withLock { $0.target } }

    var isMissingData: Bool {
        _ = reading()
        return state.withLock { $0.sight.isMissingData }
    }

    func update(_ target: GeneratedCode.FragmentTarget) {
        let isOwn = target.use.source === environment.store
        if isOwn { environment.operations.retain(target.use) }
        // What goes does so outside the lock.
        let (isChanged, released, wasWatching, _) = state.withLock {
            state -> (Bool, BoundOperation?, Bool, GeneratedCode.FragmentTarget?) in
            guard state.target != target, !state.isClosed else {
                return (false, isOwn ? target.owner : nil, false, nil)
            }
            let old = state.target
            let released = state.isRetaining ? old.owner : nil
            state.target = target
            state.isRetaining = isOwn
            state.changesRead = nil
            state.moves += 1
            state.sight.isRetargeted = true
            let wasWatching = state.isWatching && (released !== target.owner || !isOwn)
            if wasWatching { state.isWatching = false }
            return (true, released, wasWatching, old)
        }
        if let released { letGo(released, unwatching: wasWatching) }
        if isChanged { lateAudience.present?.notify() }
    }

    func storeDidChange(at epoch: Epoch) {
        lastPublish.max(Int(truncatingIfNeeded: epoch), ordering: .relaxed)
        mark()
    }

    func requestDidMove() { mark() }

    private func mark() {
        changes.add(1, ordering: .acquiringAndReleasing)
        lateAudience.present?.notify()
    }

    func close() {
        // What was read goes outside the lock: it may be the last to hold something of the user's.
        let (retained, isWatching, _) = state.withLock { state -> (BoundOperation?, Bool, FragmentSight) in
            let sight = state.sight
            state.isClosed = true
            state.forget(in: environment.store)
            defer { state.isRetaining = false }
            return (state.isRetaining ? state.target.owner : nil, state.isWatching, sight)
        }
        // After the state, so that whoever makes the audience from now on knows.
        lateAudience.present?.close()
        if let retained { letGo(retained, unwatching: isWatching) }
    }

    private func letGo(_ operation: BoundOperation, unwatching isWatching: Bool) {
        if isWatching { environment.operations.unwatch(operation, self) }
        environment.operations.release(operation)
    }

    // MARK: - Reading

    /// A `Reading` of the fragment's data: what is newest; nil if nothing was read before the handle died.
    func reading() -> (any AnyObject & Sendable)? {
        while true {
            let seen = changes.load(ordering: .acquiring)
            var reading: (any AnyObject & Sendable)?
            var work: Work?
            state.withLock { state in
                if state.isClosed || state.changesRead == seen {
                    reading = state.sight.reading
                } else {
                    work = Work(target: state.target, sight: state.sight, moves: state.moves, seen: seen)
                }
            }
            guard var work else { return reading }
            if let reading = read(&work) { return reading }
        }
    }

    /// What to read, and what was read before.
    private struct Work {
        let target: GeneratedCode.FragmentTarget
        var sight: FragmentSight
        let moves: Int
        /// How many changes were counted before.
        let seen: Int
    }

    /// Reads what a reference points at: what it gives is the newest. Nil if there may be something newer, or if the
    /// handle has moved on meanwhile.
    private func read(_ work: inout Work) -> (any AnyObject & Sendable)? {
        guard let bound = environment.store.bind(work.target, fragment.artifact) else {
            refuse(&work)
            return nil
        }
        let finding = fragment.look(
            at: bound, in: environment.store, &work.sight, publish: lastPublish.load(ordering: .relaxed)
        ) { isMissingData, hasData in
            isMissingData ? choice(for: bound.owner, hasData: hasData) : FragmentSight.Choice(face: .window)
        }
        let (reading, isMissingData) = (work.sight.reading, work.sight.isMissingData)
        let (isInstalled, hasChanged, mustStop) = install(&work)
        if hasChanged { mark() }
        if mustStop { environment.operations.unwatch(bound.owner, self) }
        if let problems = finding.problems { environment.report(problems, of: bound.owner) }
        if isInstalled && finding.isDifferent && isMissingData {
            environment.reportMissing(component, bound.owner, bound.selections, at: bound.record)
        }
        return isInstalled && !hasChanged && changes.load(ordering: .acquiring) == work.seen ? reading : nil
    }

    /// Takes over what was read, and subscribes to it. What was shown goes with the work, outside the lock: it may be
    /// the last to hold something of the user's.
    private func install(_ work: inout Work) -> (isInstalled: Bool, hasChanged: Bool, mustStop: Bool) {
        state.withLock { state in
            let isMissingData = work.sight.isMissingData
            guard state.moves == work.moves, !state.isClosed, let dependencies = work.sight.dependencies else {
                // The ledger was asked to tell; it goes on if another read wants that.
                let isWatching = state.isRetaining && state.isWatching && state.target.owner === work.target.owner
                return (false, false, isMissingData && !isWatching)
            }
            let (id, hasChanged) = environment.store.subscribe(
                quietly: self, to: dependencies, replacing: state.subscription)
            state.subscription = id
            state.changesRead = work.seen
            state.moves += 1
            swap(&state.sight, &work.sight)
            let mustStop = state.isWatching && !isMissingData
            state.isWatching = isMissingData
            return (true, hasChanged, mustStop)
        }
    }

    private func refuse(_ work: inout Work) {
        let reading = fragment.failure(.foreignReference(fragment: component), after: work.sight)
        state.withLock { state in
            guard state.moves == work.moves, !state.isClosed else { return }
            work.sight = state.sight
            state.forget(in: environment.store)
            state.changesRead = work.seen
            state.moves += 1
            state.sight.reading = reading
            state.sight.face = .failure(0)
        }
    }

    /// What is missing may be on its way, or the last request of its operation may have failed; the handle hears of it
    /// when that changes.
    private func choice(for owner: BoundOperation, hasData: Bool) -> FragmentSight.Choice {
        environment.operations.watch(owner, self)
        if environment.requests[owner] != nil { return FragmentSight.Choice(face: .loading) }
        if !hasData, let failure = environment.operations.failure(of: owner) {
            return FragmentSight.Choice(face: .failure(failure.number), error: failure.error)
        }
        return FragmentSight.Choice(face: .window)
    }
}
