import Synchronization

/// What was cleared and may still be in the file: nothing of it is read any more.
///
/// State: guarded by a lock of its own, a leaf, and an atomic count.
final class DiskClearing: Sendable {
    private let types = Guarded<Set<String>>([])
    private let changes = Atomic(0)

    /// How often something was cleared. What was read before the last time must be read again.
    var count: Int { changes.load(ordering: .acquiring) }

    func begin() { changes.add(1, ordering: .acquiringAndReleasing) }

    func begin(_ type: String) {
        _ = types.withLock { $0.insert(type) }
        begin()
    }

    /// Notes that the file has no records of types any more.
    func end(_ ended: Set<String>) {
        if !ended.isEmpty { types.withLock { $0.subtract(ended) } }
    }

    func contains(_ type: String) -> Bool { types.withLock { !$0.isEmpty && $0.contains(type) } }
}
