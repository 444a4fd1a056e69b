/// A listener for invalidations.
protocol InvalidationListener: AnyObject, Sendable {
    /// Called on the publishing thread while no lock is held. Returns false if the listener is to be removed.
    func storeWasInvalidated() -> Bool
}

/// The listeners for invalidations.
///
/// State: guarded by a lock of its own, a leaf.
final class InvalidationWatch: Sendable {
    private let listeners = Guarded<[any InvalidationListener]>([])

    func add(_ listener: any InvalidationListener) {
        listeners.withLock { $0.append(listener) }
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
