/// The handles of an environment that send requests.
///
/// State: guarded by a lock of its own, a leaf. Each handle removes its core when the handle is deinitialized.
final class LiveHandles: Sendable {
    private let entries = Guarded<[ObjectIdentifier: any Resettable]>([:])

    func add(_ handle: any Resettable) {
        entries.withLock { $0[ObjectIdentifier(handle)] = handle }
    }

    func remove(_ handle: any Resettable) {
        _ = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(handle)) }
    }

    /// The current handles, in no order.
    var all: [any Resettable] { entries.withLock { Array($0.values) } }
}

/// An object that shows data of the store, and is notified when the store is emptied.
protocol Resettable: AnyObject, Sendable {
    /// Forgets the old data. With `asksAgain` the same data is requested again, unless the application has cancelled;
    /// without it no request is sent. Called on any thread while no lock is held.
    func reset(asksAgain: Bool)
}
