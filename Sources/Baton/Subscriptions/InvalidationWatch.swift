/// Somebody who hears of invalidations.
protocol InvalidationListener: AnyObject, Sendable {
    /// Called on the publishing thread, outside every lock. False if it will never listen again.
    func storeWasInvalidated() -> Bool
}

/// Those who hear of invalidations.
///
/// State: guarded by its own lock, a leaf.
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
