import Synchronization

/// One call of `observe`: an actor, held weakly, and the body to run on it.
///
/// State: atomics. `lastRevision` is used only on the actor.
final class ActorObserver<Target: Actor, Core: HandleCore>: HandleObserver, Delivery {
    private let core: Core
    private let body: @Sendable (isolated Target, QueryResult<Core.Data>) -> Void
    private let isScheduled = Atomic(false)
    private let isOver = Atomic(false)
    private let lastRevision = Atomic(0)
    private weak let target: Target?

    init(
        _ target: Target, of core: Core, _ body: @escaping @Sendable (isolated Target, QueryResult<Core.Data>) -> Void
    ) {
        self.core = core
        self.target = target
        self.body = body
    }

    func notify() -> Bool {
        guard let target, !isOver.load(ordering: .acquiring) else { return false }
        if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) {
            core.environment.deliveries.schedule(self, on: target)
        }
        return true
    }

    func end() {
        isOver.store(true, ordering: .releasing)
    }

    var isGone: Bool { target == nil }

    var isUntold: Bool {
        lastRevision.load(ordering: .relaxed) == 0 && !isOver.load(ordering: .acquiring) && target != nil
    }

    func deliver(on target: isolated Target) {
        _ = isScheduled.exchange(false, ordering: .acquiringAndReleasing)
        guard !isOver.load(ordering: .acquiring) else { return }
        let reading = core.reading()
        let last = lastRevision.exchange(reading.revision, ordering: .relaxed)
        guard reading.revision != last else { return }
        Recording.outside { body(target, core.result(of: reading)) }
        core.environment.emit(.delivered(LogEvent.Delivery(of: reading, after: last, component: core.component)))
    }
}
