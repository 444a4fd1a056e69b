/// Something that shows what the store holds, and starts afresh when the store is emptied.
protocol Resettable: AnyObject, Sendable {
    /// Called outside every lock, on any thread.
    func reset()
}

/// The handles of an environment that ask the network by themselves.
///
/// State: guarded by its own lock, a leaf. Each handle takes its core out when it dies.
final class LiveHandles: Sendable {
    private let entries = Guarded<[ObjectIdentifier: any Resettable]>([:])

    func add(_ handle: any Resettable) {
        entries.withLock { $0[ObjectIdentifier(handle)] = handle }
    }

    func remove(_ handle: any Resettable) {
        _ = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(handle)) }
    }

    /// Those that are alive now, in no order.
    var all: [any Resettable] { entries.withLock { Array($0.values) } }
}
