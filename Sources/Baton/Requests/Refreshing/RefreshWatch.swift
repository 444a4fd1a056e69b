/// The handles of an environment that fetch again by themselves, and the causes that they have not been notified of
/// yet.
///
/// Causes arise inside reads and publishes, often many at once. So they are collected, and one task passes them to the
/// handles. The task counts as a delivery in `Activity`.
///
/// State: guarded by a lock of its own, a leaf.
final class RefreshWatch: Sendable {
    private struct Failed {
        weak var load: (any Resumable)?
    }

    private struct State {
        var handles: [ObjectIdentifier: any Refreshable] = [:]
        /// What has failed to load and was not begun again.
        var failed: [ObjectIdentifier: Failed] = [:]
        /// The triggers that at least one handle has had so far.
        var wanted: Freshness.Triggers = []
        var isInvalidated = false
        var missing: Set<ObjectIdentifier> = []
        var signals: [RefreshCause] = []
        var isWorking = false

        /// Takes the causes with the handles that are to be told of them; nil ends the work.
        mutating func take() -> (causes: [RefreshCause], handles: [any Refreshable])? {
            var causes = signals
            if isInvalidated { causes.append(.invalidation) }
            if !missing.isEmpty { causes.append(.missingData(missing)) }
            (isInvalidated, missing, signals) = (false, [], [])
            if causes.isEmpty {
                isWorking = false
                return nil
            }
            return (causes, Array(handles.values))
        }
    }

    private let activity: Activity
    private let state = Guarded(State())

    init(activity: Activity) {
        self.activity = activity
    }

    /// Adds a handle. `watch` gets the listener for invalidations when the first handle wants them.
    func add(_ handle: any Refreshable, to watch: InvalidationWatch) {
        let listens = state.withLock { state in
            state.handles[ObjectIdentifier(handle)] = handle
            defer { state.wanted.formUnion(handle.triggers) }
            return handle.triggers.contains(.invalidation) && !state.wanted.contains(.invalidation)
        }
        if listens { watch.add(self) }
    }

    func remove(_ handle: any Refreshable) {
        _ = state.withLock { $0.handles.removeValue(forKey: ObjectIdentifier(handle)) }
    }

    /// Adds what has failed to load.
    func add(failed load: any Resumable) {
        state.withLock { $0.failed[ObjectIdentifier(load)] = Failed(load: load) }
    }

    /// Removes what is loaded again, or not wanted any more.
    func remove(failed load: any Resumable) {
        _ = state.withLock { $0.failed.removeValue(forKey: ObjectIdentifier(load)) }
    }

    /// Notes that a read of an operation's data found a field missing.
    func note(missingIn operation: BoundOperation) {
        note(.missingData) { $0.missing.insert(operation.identity) }
    }

    /// Notes a signal of the application, or of a subscription.
    func note(_ signal: Freshness.Triggers, ifOlderThan age: Duration) {
        let cause = RefreshCause.signal(signal, ifOlderThan: age)
        // Many subscriptions of one connection are restored at once.
        note(signal) { if !$0.signals.contains(cause) { $0.signals.append(cause) } }
    }

    private func note(_ trigger: Freshness.Triggers, _ change: (inout State) -> Void) {
        let starts = state.withLock { state in
            guard state.wanted.contains(trigger), !state.handles.isEmpty else { return false }
            change(&state)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        guard starts else { return }
        activity.deliveryStarted()
        Task { [activity] in
            work()
            activity.deliveryEnded()
        }
    }

    private func work() {
        while let (causes, handles) = state.withLock({ $0.take() }) {
            for cause in causes {
                let told = handles.filter { $0.triggers.contains(cause.trigger) }
                for handle in told { handle.refresh(because: cause) }
                if case .signal = cause { resume(dataOf: told) }
            }
        }
    }

    /// Has what failed to load of the data of these handles loaded again.
    private func resume(dataOf handles: [any Refreshable]) {
        let failed = state.withLock { state in
            state.failed = state.failed.filter { $0.value.load != nil }
            return state.failed.values.compactMap(\.load)
        }
        guard !failed.isEmpty else { return }
        let operations = Set(handles.compactMap { $0.operation?.identity })
        for load in failed where load.owner.map({ operations.contains($0.identity) }) == true { load.resume() }
    }
}

extension RefreshWatch: InvalidationListener {
    var isGone: Bool { false }

    func storeWasInvalidated() -> Bool {
        note(.invalidation) { $0.isInvalidated = true }
        return true
    }
}

/// A handle that fetches again by itself.
protocol Refreshable: AnyObject, Sendable {
    var triggers: Freshness.Triggers { get }
    /// The operation whose data the handle shows; nil before it was asked.
    var operation: BoundOperation? { get }
    /// Called in a task of the environment while no lock is held.
    func refresh(because cause: RefreshCause)
}

/// Something of a query's data that failed to load, and that is loaded again when the query's handles are told to
/// fetch.
protocol Resumable: AnyObject, Sendable {
    /// The operation of the query; nil if there is none any more.
    var owner: BoundOperation? { get }
    /// Called in a task of the environment while no lock is held, after the handles of the query were told.
    func resume()
}
