import Synchronization

/// Whether the file of a store is suspended, and who waits for it to be open again.
///
/// State: guarded by its lock, a leaf, and an atomic copy of the flag for readers.
final class DiskSuspension: Sendable {
    private struct State {
        /// The number of suspensions so far, so that the end of one does not end the next one.
        var count = 0
        var isSuspended = false
        var waiting: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private let state = Guarded(State())
    private let flag = Atomic(false)

    /// True from the suspension until the file is open again or has failed to be.
    var isSuspended: Bool { flag.load(ordering: .acquiring) }

    /// The number of the suspension; nil if the file is not suspended.
    var current: Int? { state.withLock { $0.isSuspended ? $0.count : nil } }

    func begin() {
        state.withLock { state in
            state.count += 1
            state.isSuspended = true
            flag.store(true, ordering: .releasing)
        }
    }

    /// Ends the suspension with a number, unless another one has begun, and calls those who wait. Must be called while
    /// no lock is held.
    func end(_ number: Int) {
        let waiting = state.withLock { state -> [ObjectIdentifier: @Sendable () -> Void] in
            guard state.isSuspended, state.count == number else { return [:] }
            state.isSuspended = false
            flag.store(false, ordering: .releasing)
            defer { state.waiting = [:] }
            return state.waiting
        }
        for call in waiting.values { call() }
    }

    /// Has `call` called once at the end of the suspension, in place of an earlier call of the same object. Returns
    /// false if the file is not suspended any more.
    func wait(_ object: AnyObject, _ call: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.isSuspended else { return false }
            state.waiting[ObjectIdentifier(object)] = call
            return true
        }
    }
}
