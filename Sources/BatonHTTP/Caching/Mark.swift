import Baton

/// A flag that several tasks may set.
///
/// State: guarded by a lock of its own, a leaf.
final class Mark: Sendable {
    private let state = Guarded(false)

    var isSet: Bool { state.withLock(\.self) }

    /// Sets the mark; returns true if it was set before.
    @discardableResult func set() -> Bool {
        state.withLock { isSet in
            defer { isSet = true }
            return isSet
        }
    }

    func reset() { state.withLock { $0 = false } }
}
