/// Tells any number of requests with the same limit when their time is over.
///
/// One task sleeps for all requests until the earliest time is over. The task continues to sleep when a request ends. A
/// cancelled sleep would cost as much as a request, and under load other requests need the sleep.
///
/// The type is in the module of its lock, because the compiler does not specialize a lock for the states of another
/// module.
///
/// State: guarded by a lock of its own, a leaf; the clock and the requests are called outside of it.
package final class TimeLimit: Sendable {
    package typealias Wait = WaitList<any TimeLimited>.ID

    private struct State {
        var waits = WaitList<any TimeLimited>()
        /// The task that sleeps; nil if no request waits.
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

    /// Begins a wait: calls the request after the duration, and after each further duration as long as the request
    /// returns true.
    ///
    /// The caller must call `end`; the limit keeps the request until then.
    package func begin(_ request: any TimeLimited) -> Wait {
        let end = BoundedTime.end(of: duration, from: now())
        return state.withLock { state in
            let wait = state.waits.add(request, until: end)
            if state.sleeper == nil { state.sleeper = sleeping() }
            return wait
        }
    }

    /// Ends a wait. A call of the request may still be under way.
    package func end(_ wait: Wait) {
        state.withLock { $0.waits.remove(wait) }
    }

    /// Starts the sleeping task. The task belongs to no request and has no task-local values of one.
    private func sleeping() -> Task<Void, Never> {
        Task.detached { [weak self, sleep] in
            while let end = self?.nextEnd() {
                // If the clock fails, the task ends. The next request starts another task.
                do { try await sleep(end) } catch { return self?.stop() ?? () }
                self?.tell()
            }
        }
    }

    /// Returns the end of the earliest wait. If there is none, the sleeping task ends.
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

    /// Calls the requests whose time is over.
    private func tell() {
        let now = now()
        while let (wait, request) = state.withLock({ $0.waits.takeFirst(endedAt: now) }) {
            guard request.timeIsOver(of: self) else { continue }
            let end = self.now() + BoundedTime.interval(duration)
            state.withLock { $0.waits.repeat(wait, until: end) }
        }
    }
}

/// A request whose time is limited by a `TimeLimit`.
package protocol TimeLimited: AnyObject, Sendable {
    /// Called when the time is over. Returns true if the time begins again.
    func timeIsOver(of limit: TimeLimit) -> Bool
}
