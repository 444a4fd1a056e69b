import Synchronization

/// Asks for a collection when it is worth its cost: after growth, and after releases.
final class CollectionTriggers: Sendable {
    /// The number of ended mutations and subscriptions that cause a collection.
    static let endedCallsLimit = 64

    /// The work that a store asks for.
    enum Wish: Sendable {
        case collection(LogEvent.Collection.Cause)
        /// The records must be packed into fewer blocks; nothing is collected.
        case packing
    }

    /// The number of mutations and subscriptions that were released since the last collection began.
    private let endedCalls = Atomic(0)
    private let whenWanted = Guarded<Hook<Wish>?>(nil)

    /// Makes triggers that also ask for the work that growth makes due.
    init(after growth: GrowthCount) {
        growth.setHook(Hook { [weak self] in self?.ask(for: $0) })
    }

    /// Sets the function that is called to ask for work. It is called while no lock is held.
    func setHook(_ hook: Hook<Wish>) { whenWanted.withLock { $0 = hook } }

    /// Asks for a collection. Must be called while no lock is held.
    func want(_ cause: LogEvent.Collection.Cause) { ask(for: .collection(cause)) }

    private func ask(for wish: Wish) { whenWanted.withLock { $0 }?.body(wish) }

    private func ask(for due: GrowthCount.Due) {
        if due.contains(.collection) { want(.growth) }
        if due.contains(.measurement) { want(.memoryBudget) }
        if due.contains(.packing) { ask(for: Wish.packing) }
    }

    /// Asks for a collection after the last `release` of a query. An ended mutation or subscription has only one root
    /// record, so a collection waits for several of them.
    func operationEnded(_ kind: OperationKind) {
        if kind == .query || endedCalls.add(1, ordering: .relaxed).newValue >= Self.endedCallsLimit { want(.release) }
    }

    /// Notes that a collection has begun, which removes the ended operations.
    func collectionBegins() { endedCalls.store(0, ordering: .relaxed) }
}
