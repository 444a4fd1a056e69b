import Baton

/// A connection, with its statements, that several threads use one after the other.
///
/// State: guarded by its lock. The state is kept beside the lock and not in it: the closures of the store get what
/// belongs to the connection while they run, and the compiler cannot see that they do not keep it.
final class SharedConnection<State>: @unchecked Sendable {
    private let lock: Guarded<Void>
    private var state: State?

    init(_ rank: LockRank) { lock = Guarded((), rank) }

    /// Calls `body` with the state, which it may open or close. Waits while another thread has it.
    func use<Result, Failure: Error>(
        _ body: (inout State?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = lock.withLock { _ in Unshared(Swift.Result { () throws(Failure) in try body(&state) }) }
        return try result.value.get()
    }

    /// What a closure returns: it leaves the lock without having been part of what the lock guards.
    private struct Unshared<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }
}
