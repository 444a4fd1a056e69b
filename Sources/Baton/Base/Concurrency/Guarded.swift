import Synchronization

/// State behind a lock; it can be reached only while the lock is held.
///
/// All locks of the runtime have this type. It is a struct inside the object that it guards, not an object of its own,
/// so that the state every publish locks lies together in memory (benchmark `notify.growth`).
///
/// Nothing may call user code inside `withLock`. Inside `withLock` only locks of a later ``LockRank`` may be taken,
/// which debug builds check. The thread sanitizer on Linux does not see that a `Mutex` orders memory, so a build with
/// `BATON_TSAN` adds an atomic.
package struct Guarded<State: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<State>
    #if BATON_TSAN
        private let order = Atomic<Int>(0)
    #endif
    #if DEBUG
        private let rank: LockRank
    #endif

    /// Takes the state over; the caller must not keep a reference to it.
    package init(_ state: consuming sending State, _ rank: LockRank = .leaf) {
        mutex = Mutex(state)
        #if DEBUG
            self.rank = rank
        #endif
    }

    /// Calls `body` with exclusive access to the state. Waits while another thread has access.
    @inline(__always)
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if DEBUG
            let held = HeldLocks.take(rank)
            defer { HeldLocks.giveBack(held) }
        #endif
        #if BATON_TSAN
            return try mutex.withLock { (state: inout sending State) throws(Failure) -> sending Result in
                _ = order.load(ordering: .acquiring)
                defer { order.store(1, ordering: .releasing) }
                return try body(&state)
            }
        #else
            return try mutex.withLock(body)
        #endif
    }
}
