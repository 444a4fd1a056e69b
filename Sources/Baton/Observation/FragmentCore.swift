/// The half of a fragment handle that the store and observers hold on to: the shell of a `FragmentMachine`.
///
/// It does not depend on the type of the fragment's data, but for calls of `look`: in code for any type every step asks
/// the runtime for metadata, which was a third of what a handle costs (benchmark `fragments.vs-foundation`).
///
/// State: that of `loop`. Nothing is read before somebody asks.
final class FragmentCore: ReaderCore, RequestWatcher {
    private struct State {
        var target: GeneratedCode.FragmentTarget
        var machine: FragmentMachine
        var reader = Reader()
    }

    let environment: RelayEnvironment
    private let fragment: any GraphQLFragment.Type
    private let lateAudience = LateAudience()
    private let loop: ReaderLoop<State>

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
        loop = ReaderLoop(State(target: target, machine: FragmentMachine(isRetaining: isOwn)))
    }

    /// Who observes. One that is made when the handle has died is closed from the beginning.
    var audience: Audience {
        let audience = lateAudience.audience
        if loop.withLock({ $0.machine.isClosed }) { audience.close() }
        return audience
    }

    var component: String { fragment.artifact.name }

    var target: GeneratedCode.FragmentTarget { loop.withLock { $0.target } }

    var isMissingData: Bool {
        _ = reading()
        return loop.withLock { $0.reader.sight?.isMissingData == true }
    }

    /// What is newest; nil if nothing was read before the handle died.
    func reading() -> Reading? { loop.newest(for: self) }

    func update(_ target: GeneratedCode.FragmentTarget) {
        let isOwn = target.use.source === environment.store
        if isOwn { environment.operations.retain(target.use) }
        let (isChanged, parting, old) = loop.withLock {
            state -> (Bool, FragmentMachine.Parting, GeneratedCode.FragmentTarget) in
            guard state.target != target else { return (false, FragmentMachine.Parting(releases: isOwn), target) }
            let wasClosed = state.machine.isClosed
            let old = state.target
            let parting = state.machine.turned(isOwn: isOwn, isSameOwner: old.owner === target.owner)
            if wasClosed { return (false, parting, target) }
            state.target = target
            return (true, parting, old)
        }
        part(from: old, parting)
        if isChanged { lateAudience.present?.notify() }
    }

    func storeDidChange(at epoch: Epoch) {
        loop.mark(at: epoch)
        lateAudience.present?.notify()
    }

    func requestDidMove() { mark() }

    func mark() {
        loop.mark()
        lateAudience.present?.notify()
    }

    func close() {
        // What was read goes outside the lock: it may be the last to hold something of the user's.
        let (parting, target, _) = loop.withLock {
            state -> (FragmentMachine.Parting, GeneratedCode.FragmentTarget, Sight?) in
            let sight = state.reader.sight
            state.reader.forget(in: environment.store)
            return (state.machine.closed(), state.target, sight)
        }
        // After the state, so that whoever makes the audience from now on knows.
        lateAudience.present?.close()
        part(from: target, parting)
    }

    private func part(from target: GeneratedCode.FragmentTarget, _ parting: FragmentMachine.Parting) {
        guard parting.releases else { return }
        if parting.unwatches { environment.operations.unwatch(target.owner, self) }
        environment.operations.release(target.owner)
    }

    // MARK: - Reading

    func next(at changes: Int) -> ReaderStep<GeneratedCode.FragmentTarget> {
        loop.withLock { state in
            guard state.machine.reader.mustRead(at: changes) else { return .shown(state.reader.reading) }
            return .read(
                ReaderTask(
                    target: state.target, last: state.reader.sight, moves: state.machine.reader.moves, changes: changes)
            )
        }
    }

    func bind(_ target: GeneratedCode.FragmentTarget) -> BoundFragment? {
        environment.store.bind(target, fragment.artifact)
    }

    func take(_ task: ReaderTask<GeneratedCode.FragmentTarget>, at place: BoundFragment) -> TakenLook {
        let publish = loop.lastPublish
        let look = fragment.look(at: place, in: environment.store, after: task.last)
        let isMissingData = look.sight.isMissingData
        let choice =
            isMissingData ? choice(for: place.owner, hasData: look.sight.data != nil) : Choice(face: .window)
        // What was shown goes outside the lock: it may be the last to hold something of the user's.
        let (reading, hasChanged, unwatches, _) = loop.withLock {
            state -> (Reading?, Bool, Bool, Reading?) in
            guard state.machine.read(since: task.moves, at: task.changes) else {
                let isSameOwner = state.target.owner === task.target.owner
                return (nil, false, state.machine.dropped(isMissingData: isMissingData, isSameOwner: isSameOwner), nil)
            }
            let old = state.reader.reading
            let hasChanged = state.reader.install(look.sight, in: environment.store, for: self)
            let (change, unwatches) = state.machine.took(
                isMissingData: isMissingData, face: choice.face, isDifferent: look.isDifferent, publish: publish)
            if let change { state.reader.show(choice.content(of: look.sight), publish: change.publish) }
            return (state.reader.reading, hasChanged, unwatches, old)
        }
        if unwatches { environment.operations.unwatch(place.owner, self) }
        return TakenLook(look: look, reading: reading, hasChanged: hasChanged)
    }

    func refuse(_ task: ReaderTask<GeneratedCode.FragmentTarget>) {
        _ = loop.withLock { state -> (Reading?, Sight?) in
            guard state.machine.refused(since: task.moves, at: task.changes) else { return (nil, nil) }
            let old = (state.reader.reading, state.reader.sight)
            state.reader.forget(in: environment.store)
            state.reader.show(.failure(.foreignReference(fragment: component)), publish: nil)
            return old
        }
    }

    /// What to show of what was found: that, or a failure.
    private struct Choice {
        let face: ReaderMachine.Face
        var error: RelayError?

        func content(of sight: Sight) -> Reading.Content {
            switch face {
            case .loading: .loading
            case .failure: .failure(error ?? .noResponse)
            case .null, .window: sight.content
            }
        }
    }

    /// What is missing may be on its way, or the last request of its operation may have failed; the handle hears of it
    /// when that changes.
    private func choice(for owner: BoundOperation, hasData: Bool) -> Choice {
        environment.operations.watch(owner, self)
        if environment.requests[owner] != nil { return Choice(face: .loading) }
        if !hasData, let failure = environment.operations.failure(of: owner) {
            return Choice(face: .failure(failure.number), error: failure.error)
        }
        return Choice(face: .window)
    }
}

extension GraphQLFragment {
    fileprivate static func look(at place: BoundFragment, in store: Store, after last: Sight?) -> Look {
        Data.look(at: place, in: store, after: last)
    }
}

/// A look at the core of a handle, with the type of its data.
struct FragmentView<Fragment: GraphQLFragment>: HandleCore {
    typealias Data = Fragment.Data

    let core: FragmentCore

    var environment: RelayEnvironment { core.environment }
    var audience: Audience { core.audience }
    var component: String { core.component }

    func reading() -> Reading { core.reading() ?? .nothing }
    func result() -> QueryResult<Data> { reading().result(of: Data.self) }
}
