/// The work of a query handle outside its lock: calls of other objects, and references to release.
struct QueryEffects: Sendable {
    /// The reading before the machine's last event; nil if there was no event.
    var before: Reading?
    var starts: [(waiter: Waiter, operation: BoundOperation, key: FetchKey?)] = []
    var forcesStarts = false
    var changesKey = false
    /// The query that was fetched before there was a handle.
    var preloaded: (any Preloaded)?
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
    func perform(in environment: RelayEnvironment, _ options: FetchOptions) {
        for start in starts {
            let call = RequestCall(
                operation: start.operation, component: options.component, updater: options.updater, key: start.key,
                policy: start.operation.artifact.kind == .query ? options.policy : nil,
                configuration: options.configuration, preloaded: preloaded, asksAgain: forcesStarts,
                changesKey: changesKey)
            environment.requests.joinOrStart(call, for: start.waiter)
        }
        for waiter in cancels { waiter.cancel() }
        for operation in releases { environment.operations.release(operation) }
        for continuation in resumes { continuation.resume() }
    }
}
