/// The errors of the last request of each retained operation, and the watchers of its requests.
///
/// The store's `Operations` count the holders. An entry is forgotten when its operation is dropped. State: guarded by
/// a lock of its own, which is taken before those of the store.
final class LastFetches: Sendable {
    private struct Entry {
        /// The errors of the newest payload.
        var errors: [GraphQLError] = []
        var failure: Failure?
        /// The newest noted request. Payloads and failures of older requests are ignored.
        var request = 0
        var watchers: [ObjectIdentifier: any RequestWatcher] = [:]

        /// True if there is neither a request nor a watcher.
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
        /// The entries by `BoundOperation.identity`, only of retained operations.
        var entries: [ObjectIdentifier: Entry] = [:]
    }

    private let operations: Operations
    private let state = Guarded(State(), .lastFetches)

    init(of operations: Operations) {
        self.operations = operations
        operations.setDropHook(Hook { [weak self] identity in self?.forget(identity) })
    }

    /// Forgets a dropped operation, unless it was retained again meanwhile.
    private func forget(_ identity: ObjectIdentifier) {
        _ = state.withLock { state -> Entry? in
            operations.isRetained(identity) ? nil : state.entries.removeValue(forKey: identity)
        }
    }

    /// Forgets the errors of requests that began before a generation of the store.
    func reset(to generation: Int) {
        state.withLock { state in
            state.generation = max(state.generation, generation)
            for identity in state.entries.keys {
                state.entries[identity]?.errors = []
                state.entries[identity]?.failure = nil
            }
        }
    }

    // MARK: - Errors

    /// Notes the errors of a payload that has landed.
    func noteErrors(_ errors: [GraphQLError], of request: RequestExecution) {
        note(request) { _, entry in
            entry.errors = errors
            entry.failure = nil
        }
    }

    /// Notes the failure of a request.
    func noteFailure(_ failure: RelayError, of request: RequestExecution) {
        note(request) { lastFailure, entry in
            lastFailure += 1
            entry.failure = Failure(number: lastFailure, error: failure)
        }
    }

    private func note(_ request: RequestExecution, _ change: (_ lastFailure: inout Int, inout Entry) -> Void) {
        let identity = request.operation.identity
        state.withLock { state in
            guard request.generation >= state.generation, operations.isRetained(identity) else { return }
            var entry = state.entries[identity] ?? Entry()
            guard entry.request <= request.network.id else { return }
            entry.request = request.network.id
            change(&state.lastFailure, &entry)
            state.entries[identity] = entry
        }
    }

    /// The errors of the last payload; none if the operation is not retained.
    func errors(of operation: BoundOperation) -> [GraphQLError] {
        state.withLock { $0.entries[operation.identity]?.errors ?? [] }
    }

    /// Returns the failure of the last request; nil if it did not fail.
    func failure(of operation: BoundOperation) -> Failure? {
        state.withLock { $0.entries[operation.identity]?.failure }
    }

    // MARK: - Watchers

    /// Adds a watcher of the operation's requests. It is removed by `unwatch`, or when the operation is dropped.
    func watch(_ operation: BoundOperation, _ watcher: any RequestWatcher) {
        let identity = operation.identity
        state.withLock { state in
            guard operations.isRetained(identity) else { return }
            state.entries[identity, default: Entry()].watchers[ObjectIdentifier(watcher)] = watcher
        }
    }

    /// Removes a watcher.
    func unwatch(_ operation: BoundOperation, _ watcher: any RequestWatcher) {
        let identity = operation.identity
        _ = state.withLock { state -> (any RequestWatcher)? in
            let removed = state.entries[identity]?.watchers.removeValue(forKey: ObjectIdentifier(watcher))
            if state.entries[identity]?.isEmpty == true { state.entries[identity] = nil }
            return removed
        }
    }

    /// Returns the watchers, in no order.
    func watchers(of operation: BoundOperation) -> [any RequestWatcher] {
        state.withLock { state in
            (state.entries[operation.identity]?.watchers.values).map(Array.init) ?? []
        }
    }
}

/// An observer of the requests of an operation.
protocol RequestWatcher: AnyObject, Sendable {
    /// Called when a request begins or ends, on any thread while no lock is held; must be quick.
    func requestDidMove()
}
