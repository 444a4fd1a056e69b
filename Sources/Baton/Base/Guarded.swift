import Synchronization

/// State under a lock, reachable only while the lock is held.
///
/// A part of the object that it guards, not an object of its own: what is locked in every publish should lie together
/// (benchmark `notify.growth`). All locks of the runtime are of this type. The thread sanitizer on Linux does not see
/// that a `Mutex` orders memory; a build with `BATON_TSAN` defined says it with an atomic. Nothing may call user code
/// inside `withLock`. Only locks of a later ``LockRank`` may be taken there, which debug builds check.
package struct Guarded<State: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<State>
    #if BATON_TSAN
        private let order = Atomic<Int>(0)
    #endif
    #if DEBUG
        private let rank: LockRank
    #endif

    /// Takes the state over; the caller keeps no way to it.
    package init(_ state: consuming sending State, _ rank: LockRank = .leaf) {
        mutex = Mutex(state)
        #if DEBUG
            self.rank = rank
        #endif
    }

    /// Runs the body with the state to itself; waits while another thread does.
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
