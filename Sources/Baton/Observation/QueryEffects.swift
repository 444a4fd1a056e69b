/// What a query handle does to others once its lock is free, and what it lets go of then.
struct QueryEffects: Sendable {
    /// The reading before the machine's last event; nil if there was no event.
    var before: Reading?
    var starts: [(waiter: Waiter, operation: BoundOperation, key: FetchKey?)] = []
    var forcesStarts = false
    var changesKey = false
    var cancels: [Waiter] = []
    var releases: [BoundOperation] = []
    var resumes: [CheckedContinuation<Void, Never>] = []
    /// Objects whose last reference may be released here, outside the lock.
    var garbage: [(any AnyObject & Sendable)?] = []
    var sights: [Sight] = []
    /// The ask before the current one.
    var former: (any RequestedQuery)?

    /// Starts, shares and gives up requests, lets go of operations, and lets those go on who wait for a refetch.
    func perform(in environment: RelayEnvironment, policy: FetchPolicy) {
        for start in starts {
            environment.start(
                start.waiter, for: start.operation, key: start.key, force: forcesStarts, changesKey: changesKey,
                policy: policy)
        }
        for waiter in cancels { environment.cancel(waiter) }
        for operation in releases { environment.operations.release(operation) }
        for continuation in resumes { continuation.resume() }
    }
}
