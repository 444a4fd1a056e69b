/// Something that shows what the store holds, and starts afresh when the store is emptied.
protocol Resettable: AnyObject, Sendable {
    /// Called outside every lock, on any thread.
    func reset()
}

/// The handles of an environment that ask the network by themselves.
///
/// State: guarded by its own lock, a leaf. Handles are held weakly; each takes itself out when it dies.
final class LiveHandles: Sendable {
    private struct Entry {
        weak var handle: (any Resettable)?
    }

    private let entries = Guarded<[ObjectIdentifier: Entry]>([:])

    func add(_ handle: any Resettable) {
        entries.withLock { $0[ObjectIdentifier(handle)] = Entry(handle: handle) }
    }

    func remove(_ handle: any Resettable) {
        entries.withLock { $0[ObjectIdentifier(handle)] = nil }
    }

    /// Those that are alive now, in no order.
    var all: [any Resettable] { entries.withLock { $0.values.compactMap(\.handle) } }
}
