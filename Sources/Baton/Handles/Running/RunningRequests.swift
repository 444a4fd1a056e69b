/// What waits for the requests of a machine, by the machine's numbers for them.
///
/// State: guarded by a lock of its own, a leaf. The queue of a shell calls it, so a request begins before it ends.
struct RunningRequests: ~Copyable, Sendable {
    private let waiters = Guarded<[Int: Waiter]>([:])

    /// Waits for a request: a new one, or one in flight that may be shared.
    func start(
        _ number: Int, _ call: RequestCall, in environment: RelayEnvironment,
        _ receive: @escaping @Sendable (RequestEvent) -> Void
    ) {
        let waiter = Waiter(receive: receive)
        waiters.withLock { $0[number] = waiter }
        environment.requests.joinOrStart(call, for: waiter)
    }

    /// True while a response arrives: from before its first payload is in the store until the machine has got the last.
    var isArriving: Bool { waiters.withLock { Array($0.values) }.contains(where: \.isArriving) }

    /// Stops waiting for a request.
    func abandon(_ number: Int) { waiters.withLock { $0.removeValue(forKey: number) }?.cancel() }

    /// Forgets a request that has ended.
    func finish(_ number: Int) { _ = waiters.withLock { $0.removeValue(forKey: number) } }
}
