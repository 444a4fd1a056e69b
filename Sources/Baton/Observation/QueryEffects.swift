/// The work of a query handle outside its lock: calls of other objects, and references to release.
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
    var results: [GeneratedCode.Row?] = []
    var outcomes: [ReadOutcome] = []
    /// The requested query before the current one.
    var former: (any RequestedQuery)?

    /// Starts, shares and gives up requests, releases operations, and resumes the waiting refetches.
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
