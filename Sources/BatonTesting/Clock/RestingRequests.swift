import Baton

/// Counts resting requests, which go on only when a test acts. Waiting tasks are resumed when the count changes.
final class RestingRequests: Sendable {
    struct Counts: Equatable {
        /// The number of resting requests by the activity of their environment.
        fileprivate var requests: [ObjectIdentifier: Int] = [:]
        /// A number that grows with every change of the counts.
        fileprivate(set) var revision = 0

        func requests(of activity: Activity) -> Int { requests[ObjectIdentifier(activity)] ?? 0 }
    }

    private struct State {
        var counts = Counts()
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Guarded(State())

    var counts: Counts { state.withLock(\.counts) }

    /// Adds `difference` to the count of each owner; a nil owner is ignored.
    ///
    /// When a request stops resting, the caller must call this before the request goes on.
    func move(_ owners: [ObjectIdentifier?], by difference: Int) {
        let owners = owners.compactMap { $0 }
        guard !owners.isEmpty else { return }
        let waiters = state.withLock { state in
            for owner in owners {
                let count = state.counts.requests[owner, default: 0] + difference
                state.counts.requests[owner] = count == 0 ? nil : count
            }
            state.counts.revision += 1
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the revision differs from `revision`, or until the task is cancelled.
    func change(after revision: Int) async {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.counts.revision != revision || Task.isCancelled { return true }
                    state.waiters[waiter] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume()
        }
    }
}
