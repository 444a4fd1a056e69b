import Baton

/// Asks a storage outside of the process without ever waiting long for it.
///
/// Each call has a deadline. After a failure nothing is asked for a pause; then one call tries again, and the others go
/// on when it has succeeded. Invalidations that could not be sent are kept, and sent before anything else.
///
/// State: guarded by a lock of its own, a leaf.
final class SharedStorage: Sendable {
    private struct State {
        var pausedUntil: Duration?
        var isTrying = false
        var failures = 0
        var unsent: Set<ResponseTag> = []
        var sending: Flight<Bool>?
    }

    private enum End { case success, failure, cancelled }

    let limits: CachingInterceptor.StorageLimits
    private let storage: any ResponseStorage
    private let isRemoving: Bool
    private let clock: any Clock<Duration>
    private let time: ElapsedTime
    private let state = Guarded(State())

    private static let maximumUnsent = 1000

    init(
        _ storage: any ResponseStorage, _ limits: CachingInterceptor.StorageLimits, isRemoving: Bool,
        clock: any Clock<Duration>
    ) {
        self.storage = storage
        self.limits = limits
        self.isRemoving = isRemoving
        self.clock = clock
        time = ElapsedTime(on: clock)
    }

    /// The number of calls that have failed.
    var failures: Int { state.withLock(\.failures) }

    /// The answer of the storage; nil if it is out of reach. So are the results of the other methods.
    func read(_ key: ResponseKey) async -> ResponseReading? {
        await ask { [storage] in
            let reading = try await storage.read(key)
            guard reading.versions.count == key.tags.count else { throw RelayError.noResponse }
            return reading
        }
    }

    func write(_ response: StoredResponse, _ key: ResponseKey) async {
        _ = await ask { [storage] in try await storage.write(response, key) }
    }

    func remove(_ key: ResponseKey) async { _ = await ask { [storage] in try await storage.remove(key) } }

    func lease(_ key: ResponseKey) async -> ResponseLease? {
        await ask { [storage, limits] in try await storage.lease(key, for: limits.lease) }
    }

    /// Ends a lease, even if the caller was cancelled.
    func release(_ key: ResponseKey, token: UInt64, isUnneeded: Bool) async {
        await Task { [storage, limits] in
            _ = await ask {
                try await storage.release(key, token: token, isUnneeded: isUnneeded, for: limits.lease)
            }
        }.value
    }

    /// Notes that tags are to be invalidated; `send` does so.
    func note(_ tags: Set<ResponseTag>) {
        state.withLock { Self.add(tags, to: &$0) }
    }

    /// Sends the invalidations that were noted. Returns false if the storage is out of reach.
    @discardableResult func send() async -> Bool {
        while let flight = sending() {
            guard (try? await flight.value()) == true else { return false }
        }
        return true
    }

    /// The sending that is under way or begins now; nil if there is nothing to send. It goes on if its caller is
    /// cancelled.
    private func sending() -> Flight<Bool>? {
        let flight = Flight<Bool>()
        let (current, tags) = state.withLock { state -> (Flight<Bool>?, Set<ResponseTag>?) in
            if let current = state.sending { return (current, nil) }
            if state.unsent.isEmpty { return (nil, nil) }
            state.sending = flight
            defer { state.unsent = [] }
            return (flight, state.unsent)
        }
        guard let tags else { return current }
        RequestScope.$owner.withValue(nil) {
            _ = Task {
                let sent: Void? = await attempt { [storage, isRemoving] in
                    try await storage.invalidate(tags, removing: isRemoving)
                }
                finish(tags, isSent: sent != nil)
                flight.end(.success(sent != nil))
            }
        }
        return current
    }

    private func finish(_ tags: Set<ResponseTag>, isSent: Bool) {
        state.withLock { state in
            state.sending = nil
            if !isSent { Self.add(tags, to: &state) }
        }
    }

    private static func add(_ tags: Set<ResponseTag>, to state: inout State) {
        state.unsent.formUnion(tags)
        // All responses stand for more tags than are worth remembering.
        if state.unsent.count > maximumUnsent { state.unsent = [.all] }
    }

    private func ask<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async -> Value? {
        guard await send() else { return nil }
        return await attempt(work)
    }

    private func attempt<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async -> Value? {
        guard begin() else { return nil }
        do {
            let value = try await Deadline.run(
                within: limits.deadline, on: clock, orThrow: RelayError.timedOut(after: limits.deadline), work)
            end(.success)
            return value
        } catch {
            end(Task.isCancelled ? .cancelled : .failure)
            return nil
        }
    }

    /// Whether the storage may be asked.
    private func begin() -> Bool {
        let now = time.value
        return state.withLock { state in
            guard let end = state.pausedUntil else { return true }
            guard now >= end, !state.isTrying else { return false }
            state.isTrying = true
            return true
        }
    }

    private func end(_ end: End) {
        let now = time.value
        state.withLock { state in
            state.isTrying = false
            switch end {
            case .success: state.pausedUntil = nil
            case .cancelled: break
            case .failure:
                state.failures += 1
                state.pausedUntil = BoundedTime.end(of: limits.pause, from: now)
            }
        }
    }
}
