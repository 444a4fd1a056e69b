import Synchronization

/// One call of `onInvalidation`: an actor, held weakly, and the body to run on it.
///
/// State: atomics.
final class InvalidationObserver<Target: Actor>: InvalidationListener, Delivery {
    private let body: @Sendable (isolated Target, [DataID]) -> Void
    private let dataIDs: [DataID]
    /// The version up to which invalidations were reported.
    private let told: Atomic<Epoch>
    private let isScheduled = Atomic(false)
    private let isOver = Atomic(false)
    private weak let target: Target?
    private weak let environment: RelayEnvironment?

    init(
        _ target: Target, of dataIDs: [DataID], in environment: RelayEnvironment,
        _ body: @escaping @Sendable (isolated Target, [DataID]) -> Void
    ) {
        self.target = target
        self.dataIDs = dataIDs
        told = Atomic(environment.store.epoch)
        self.environment = environment
        self.body = body
    }

    func end() {
        isOver.store(true, ordering: .releasing)
    }

    var isGone: Bool { target == nil || environment == nil || isOver.load(ordering: .acquiring) }

    func storeWasInvalidated() -> Bool {
        guard let target, let environment, !isOver.load(ordering: .acquiring) else { return false }
        let state = InvalidationState(of: dataIDs, in: environment.store, since: told.load(ordering: .acquiring))
        guard state.hasChanged else { return true }
        if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) {
            environment.deliveries.schedule(self, on: target)
        }
        return true
    }

    func deliver(on target: isolated Target) {
        _ = isScheduled.exchange(false, ordering: .acquiringAndReleasing)
        guard let environment, !isOver.load(ordering: .acquiring) else { return }
        let records = environment.store.records
        let since = told.exchange(records.epoch, ordering: .acquiringAndReleasing)
        let invalidated = InvalidationState(of: dataIDs, in: environment.store, since: since).news(in: records)
        if !invalidated.isEmpty { body(target, invalidated) }
    }
}
