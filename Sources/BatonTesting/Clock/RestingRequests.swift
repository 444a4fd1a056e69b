import Baton

/// Counts the requests that will not move until a test does something, and tells who waits when that number changes.
final class RestingRequests: Sendable {
    struct Counts: Equatable {
        /// By the environment to which the requests belong.
        fileprivate var requests: [ObjectIdentifier: Int] = [:]
        /// Grows with every change.
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

    /// To be called before requests that end their rest go on; nil is the owner of what is no request of an
    /// environment.
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

    /// Returns when the count has moved since this revision, or when the task is cancelled.
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
