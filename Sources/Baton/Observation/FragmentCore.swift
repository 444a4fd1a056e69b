import Synchronization

/// The half of a fragment handle that the store and observers hold on to.
///
/// State: `state`, guarded by its own lock, outside those of the store and of the operation ledger; `changes` and `lastPublish`, atomics that `storeDidChange` moves
/// without a lock, because subscribing can call it. Nothing is read before somebody asks.
final class FragmentCore<Fragment: GraphQLFragment>: HandleCore, StoreSubscriber {
    typealias Data = Fragment.Data

    private struct State {
        var reference: FragmentReference<Fragment>
        var window = StoreWindow<Data>()
        var reading = Reading<Data>()
        var retained: BoundOperation?
        /// The number of the request whose end decides between loading and missing.
        var awaitedRequest: Int?
        var isRetargeted = true
        var isClosed = false
    }

    let environment: RelayEnvironment
    let audience = Audience()
    private let state: Guarded<State>
    private let changes = Atomic(0)
    private let lastPublish = Atomic(0)

    init(_ reference: FragmentReference<Fragment>, in environment: RelayEnvironment) {
        self.environment = environment
        state = Guarded(State(reference: reference))
    }

    var component: String { Fragment.artifact.name }

    var reference: FragmentReference<Fragment> { state.withLock { $0.reference } }

    func get() -> QueryResult<Data> { reading().result }

    func reading() -> Reading<Data> {
        let (reading, isNewlyMissing) = state.withLock { state in
            let seen = changes.load(ordering: .acquiring)
            let isNewlyMissing = state.window.isCurrent(seen) || state.isClosed ? false : refresh(&state, seen)
            return (state.reading, isNewlyMissing)
        }
        if isNewlyMissing { emitMissingData() }
        return reading
    }

    var isMissingData: Bool {
        _ = reading()
        return state.withLock { $0.window.isMissingData }
    }

    var errors: [GraphQLError] {
        environment.errors(in: reference)
    }

    func update(_ reference: FragmentReference<Fragment>) {
        let isChanged = state.withLock { state in
            guard state.reference != reference, !state.isClosed else { return false }
            state.reference = reference
            state.window.expire()
            state.isRetargeted = true
            return true
        }
        if isChanged { audience.notify() }
    }

    func storeDidChange(at epoch: Epoch) {
        lastPublish.store(Int(truncatingIfNeeded: epoch), ordering: .relaxed)
        mark()
    }

    private func mark() {
        changes.add(1, ordering: .acquiringAndReleasing)
        audience.notify()
    }

    func close() {
        audience.close()
        let retained = state.withLock { state in
            state.isClosed = true
            state.window.close(in: environment.store)
            defer { state.retained = nil }
            return state.retained
        }
        if let retained { environment.operations.release(retained) }
    }

    /// Reads the store; true if a field is found missing that was not missing before.
    private func refresh(_ state: inout State, _ seen: Int) -> Bool {
        guard let bound = environment.store.bind(state.reference) else {
            state.window.close(in: environment.store)
            show(.failure(.foreignReference(fragment: component)), &state)
            return false
        }
        retain(bound.owner, &state)
        let wasMissing = state.window.isMissingData
        let isDifferent = state.window.read(
            bound.selections, at: bound.record, in: environment.store, for: self, changes: seen)
        let result = result(of: state.window, bound.owner, &state)
        if isDifferent, !state.isRetargeted, case .success = result, case .success = state.reading.result {
            state.reading = state.reading.next(result, changedBy: lastPublish.load(ordering: .relaxed))
        } else {
            show(result, &state)
        }
        state.isRetargeted = false
        return state.window.isMissingData && !wasMissing
    }

    /// What is missing may be on its way, or its owner's request may have failed.
    private func result(
        of window: StoreWindow<Data>, _ owner: BoundOperation, _ state: inout State
    ) -> QueryResult<Data> {
        guard window.isMissingData else { return .success(window.data) }
        if let request = environment.requests[owner] {
            if state.awaitedRequest == request.network.id { return .loading }
            if request.listen({ [weak self] in self?.mark() }) {
                state.awaitedRequest = request.network.id
                return .loading
            }
        }
        if window.data == nil, let failure = environment.operations.failure(of: owner) { return .failure(failure) }
        return .success(window.data)
    }

    private func show(_ result: QueryResult<Data>, _ state: inout State) {
        if state.reading.result != result { state.reading = state.reading.next(result) }
    }

    private func retain(_ owner: BoundOperation, _ state: inout State) {
        guard state.retained !== owner else { return }
        environment.operations.retain(owner)
        if let before = state.retained { environment.operations.release(before) }
        state.retained = owner
    }

    private func emitMissingData() {
        guard environment.isLogging else { return }
        let owner = reference.owner.artifact.name
        environment.emit(.missingData(MissingDataEvent(component: component, operationName: owner)))
    }
}
