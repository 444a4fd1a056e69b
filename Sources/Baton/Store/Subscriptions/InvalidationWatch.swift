import Synchronization

/// The listeners for invalidations.
///
/// State: guarded by a lock of its own, a leaf.
final class InvalidationWatch: Sendable {
    private let listeners = Guarded<[any InvalidationListener]>([])
    /// The number of listeners at which gone listeners are removed.
    private let limit = Atomic(16)

    /// The number of listeners, including gone ones.
    var count: Int { listeners.withLock(\.count) }

    func add(_ listener: any InvalidationListener) {
        let all = listeners.withLock { listeners in
            listeners.append(listener)
            return listeners.count >= limit.load(ordering: .relaxed) ? listeners : []
        }
        if !all.isEmpty { removeGone(all) }
    }

    /// Removes the gone listeners. On average, each addition pays for a constant number of listeners.
    private func removeGone(_ all: [any InvalidationListener]) {
        // `isGone` may release objects of the application, so no lock is held.
        let gone = Set(all.filter(\.isGone).map { ObjectIdentifier($0) })
        listeners.withLock { $0.removeAll { gone.contains(ObjectIdentifier($0)) } }
        limit.store(max(16, 2 * (all.count - gone.count)), ordering: .relaxed)
    }

    func remove(_ listener: any InvalidationListener) {
        _ = listeners.withLock { listeners in
            let all = listeners
            listeners = all.filter { $0 !== listener }
            return all
        }
    }

    func notify() {
        for listener in listeners.withLock({ $0 }) where !listener.storeWasInvalidated() { remove(listener) }
    }
}

/// A listener for invalidations.
protocol InvalidationListener: AnyObject, Sendable {
    /// True if the listener informs no observer any more, so that it may be removed.
    var isGone: Bool { get }
    /// Called on the publishing thread while no lock is held. Returns false if the listener is to be removed.
    func storeWasInvalidated() -> Bool
}
