/// Says when a time is over, to any number of requests that have the same limit.
///
/// One task sleeps for all of them, until the earliest is due. It goes on to sleep when a request ends, because a sleep
/// that is cancelled costs as much as a request: under load there are always others to sleep for.
///
/// It is in the module of its lock, because the compiler does not specialize a lock for the states of another module.
///
/// State: guarded by a lock of its own, a leaf; the clock and the requests are called outside of it.
package final class TimeLimit: Sendable {
    package typealias Wait = WaitList<any TimeLimited>.ID

    private struct State {
        var waits = WaitList<any TimeLimited>()
        /// Sleeps; nil if nobody waits.
        var sleeper: Task<Void, Never>?
    }

    package let duration: Duration
    private let state = Guarded(State())
    /// The time since the limit was made.
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (_ until: Duration) async throws -> Void

    package init(_ duration: Duration, on clock: some Clock<Duration>) {
        self.duration = duration
        let origin = clock.now
        now = { origin.duration(to: clock.now) }
        sleep = BoundedTime.sleeping(on: clock, since: origin)
    }

    deinit { state.withLock { $0.sleeper }?.cancel() }

    /// Begins to wait: tells the request after the duration, and after each further one as long as it returns true.
    ///
    /// `end` must follow; the limit keeps the request until then.
    package func begin(_ request: any TimeLimited) -> Wait {
        let end = BoundedTime.end(of: duration, from: now())
        return state.withLock { state in
            let wait = state.waits.add(request, until: end)
            if state.sleeper == nil { state.sleeper = sleeping() }
            return wait
        }
    }

    /// Ends a wait. A call may still be under way.
    package func end(_ wait: Wait) {
        state.withLock { $0.waits.remove(wait) }
    }

    /// Starts the task that sleeps. It belongs to no request: neither its task-local values nor its end are theirs.
    private func sleeping() -> Task<Void, Never> {
        Task.detached { [weak self, sleep] in
            while let end = self?.nextEnd() {
                // A clock that fails is asked again by the next request.
                do { try await sleep(end) } catch { return self?.stop() ?? () }
                self?.tell()
            }
        }
    }

    /// The end of the earliest wait. If there is none, the sleeping task is over.
    private func nextEnd() -> Duration? {
        state.withLock { state in
            let end = state.waits.firstEnd
            if end == nil { state.sleeper = nil }
            return end
        }
    }

    private func stop() {
        state.withLock { $0.sleeper = nil }
    }

    /// Tells the requests whose time is over.
    private func tell() {
        let now = now()
        while let (wait, request) = state.withLock({ $0.waits.takeFirst(endedAt: now) }) {
            guard request.timeIsOver(of: self) else { continue }
            let end = self.now() + BoundedTime.interval(duration)
            state.withLock { $0.waits.repeat(wait, until: end) }
        }
    }
}
