/// The outcome of the last request of each retained operation, and the watchers of its requests.
///
/// The store's `Operations` count the holders. An outcome is forgotten when its operation is dropped. State: guarded by
/// a lock of its own, which is taken before those of the store.
final class RequestOutcomes: Sendable {
    private struct Outcome {
        var errors: [GraphQLError] = []
        var failure: Failure?
        /// The newest noted request; the outcomes of older ones are ignored.
        var request = 0
        var watchers: [ObjectIdentifier: any RequestWatcher] = [:]

        /// True if there is neither an outcome nor a watcher.
        var isEmpty: Bool { request == 0 && watchers.isEmpty }
    }

    /// The failure of a request; the number distinguishes failures.
    struct Failure: Sendable {
        let number: Int
        let error: RelayError
    }

    private struct State {
        var lastFailure = 0
        /// The store's generation of these entries.
        var generation = 0
        /// By `BoundOperation.identity`, of retained operations only.
        var outcomes: [ObjectIdentifier: Outcome] = [:]
    }

    private let operations: Operations
    private let state = Guarded(State(), .outcomes)

    init(of operations: Operations) {
        self.operations = operations
        operations.setDropHook(Hook { [weak self] identity in self?.forget(identity) })
    }

    /// Forgets a dropped operation, unless it was retained again meanwhile.
    private func forget(_ identity: ObjectIdentifier) {
        _ = state.withLock { state -> Outcome? in
            operations.isRetained(identity) ? nil : state.outcomes.removeValue(forKey: identity)
        }
    }

    /// Forgets the outcomes of requests that began before a generation of the store.
    func reset(to generation: Int) {
        state.withLock { state in
            state.generation = max(state.generation, generation)
            for identity in state.outcomes.keys {
                state.outcomes[identity]?.errors = []
                state.outcomes[identity]?.failure = nil
            }
        }
    }

    // MARK: - Outcomes

    /// Notes the errors of an answer that has landed.
    func noteAnswer(_ errors: [GraphQLError], of request: Request) {
        note(request) { _, outcome in
            outcome.errors = errors
            outcome.failure = nil
        }
    }

    /// Notes the failure of a request.
    func noteFailure(_ failure: RelayError, of request: Request) {
        note(request) { lastFailure, outcome in
            lastFailure += 1
            outcome.failure = Failure(number: lastFailure, error: failure)
        }
    }

    private func note(_ request: Request, _ change: (_ lastFailure: inout Int, inout Outcome) -> Void) {
        let identity = request.operation.identity
        state.withLock { state in
            guard request.generation >= state.generation, operations.isRetained(identity) else { return }
            var outcome = state.outcomes[identity] ?? Outcome()
            guard outcome.request <= request.network.id else { return }
            outcome.request = request.network.id
            change(&state.lastFailure, &outcome)
            state.outcomes[identity] = outcome
        }
    }

    /// The errors of the last answer; none if the operation is not retained.
    func errors(of operation: BoundOperation) -> [GraphQLError] {
        state.withLock { $0.outcomes[operation.identity]?.errors ?? [] }
    }

    /// Returns the failure of the last request; nil if it did not fail.
    func failure(of operation: BoundOperation) -> Failure? {
        state.withLock { $0.outcomes[operation.identity]?.failure }
    }

    // MARK: - Watchers

    /// Adds a watcher of the operation's requests. It is removed by `unwatch`, or when the operation is dropped.
    func watch(_ operation: BoundOperation, _ watcher: any RequestWatcher) {
        let identity = operation.identity
        state.withLock { state in
            guard operations.isRetained(identity) else { return }
            state.outcomes[identity, default: Outcome()].watchers[ObjectIdentifier(watcher)] = watcher
        }
    }

    /// Removes a watcher.
    func unwatch(_ operation: BoundOperation, _ watcher: any RequestWatcher) {
        let identity = operation.identity
        _ = state.withLock { state -> (any RequestWatcher)? in
            let removed = state.outcomes[identity]?.watchers.removeValue(forKey: ObjectIdentifier(watcher))
            if state.outcomes[identity]?.isEmpty == true { state.outcomes[identity] = nil }
            return removed
        }
    }

    /// Returns the watchers, in no order.
    func watchers(of operation: BoundOperation) -> [any RequestWatcher] {
        state.withLock { state in
            (state.outcomes[operation.identity]?.watchers.values).map(Array.init) ?? []
        }
    }
}
