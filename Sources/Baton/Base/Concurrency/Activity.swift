/// Counts the work that is under way in an environment, for tests and scripts that wait until nothing runs any more.
///
/// The counts change synchronously with the work. A request is counted from the call that starts it until its task has
/// ended. A delivery is counted from the publish that causes it until the observers' bodies have run. A collection is
/// counted from its cause until its last slice has run. A delivery caused by a payload is counted before its request is
/// no longer counted.
package final class Activity: Sendable {
    /// The counts at one moment.
    package struct Counts: Sendable, Equatable {
        /// Requests that were started and have not ended.
        package var requests = 0
        /// Requests that go on only when a test acts: a network of the kit holds them, or they sleep on its clock.
        package var resting = 0
        /// Subscriptions of which nobody knows whether an event is about to come.
        package var loose = 0
        /// Responses on their way from one stream to the next whose reader has not asked for another yet. They are
        /// counted only for networks and clocks of the kit.
        package var handovers = 0
        /// Commits of mutation handles that do not show their result yet.
        package var commits = 0
        /// Queues that hold deliveries or are being emptied.
        package var deliveries = 0
        /// Collections that run by themselves; a collection that is held back is not counted.
        package var collections = 0
        /// Grows with every change of the other counts.
        package var revision = 0
    }

    private struct State {
        var counts = Counts()
        /// What the open requests with marks do.
        var marks: [ObjectIdentifier: RequestMark.State] = [:]
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Guarded(State())

    /// Creates counts of zero.
    package init() {}

    /// The current counts.
    package var counts: Counts { state.withLock { $0.counts } }

    /// Returns when the revision of the counts differs from `revision`. Returns at once if it already differs, or if
    /// the task is cancelled.
    package func change(after revision: Int) async {
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

    /// Lets every waiter look again, although no count has changed.
    package func look() { move { _ in } }

    package func requestStarted() { move { $0.requests += 1 } }
    package func requestEnded() { move { $0.requests -= 1 } }

    /// Notes that a request has started. A subscription without a mark is loose from its start.
    func requestStarted(_ mark: RequestMark?, isSubscription: Bool) {
        change { state in
            state.counts.requests += 1
            if let mark {
                state.marks[ObjectIdentifier(mark)] = RequestMark.State(isSubscription: isSubscription)
            } else if isSubscription {
                state.counts.loose += 1
            }
        }
    }

    /// Notes that a request has ended.
    func requestEnded(_ mark: RequestMark?, isSubscription: Bool) {
        change { state in
            state.counts.requests -= 1
            if let mark {
                let last = state.marks.removeValue(forKey: ObjectIdentifier(mark))
                state.counts.add(last, -1)
            } else if isSubscription {
                state.counts.loose -= 1
            }
        }
    }

    /// Notes news of a request, unless it has ended. That it wakes must be noted before it goes on.
    func note(_ news: RequestMark.News, of mark: RequestMark) {
        change { state in
            guard var request = state.marks[ObjectIdentifier(mark)] else { return }
            state.counts.add(request, -1)
            request.note(news)
            state.counts.add(request, 1)
            state.marks[ObjectIdentifier(mark)] = request
        }
    }

    func handoverStarted() { move { $0.handovers += 1 } }
    func handoverEnded() { move { $0.handovers -= 1 } }

    func commitStarted() { move { $0.commits += 1 } }
    func commitEnded() { move { $0.commits -= 1 } }
    func deliveryStarted() { move { $0.deliveries += 1 } }
    func deliveryEnded() { move { $0.deliveries -= 1 } }
    func collectionStarted() { move { $0.collections += 1 } }
    func collectionEnded() { move { $0.collections -= 1 } }

    private func move(_ body: (inout Counts) -> Void) { change { body(&$0.counts) } }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            state.counts.revision += 1
            let waiters = state.waiters
            state.waiters = [:]
            return waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }
}

extension Activity.Counts {
    /// Adds what an open request does, or takes it away.
    fileprivate mutating func add(_ request: RequestMark.State?, _ difference: Int) {
        if request?.isResting == true { resting += difference }
        if request?.isLoose == true { loose += difference }
    }
}
