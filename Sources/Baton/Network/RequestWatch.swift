/// Watches the progress of a request, and gives the request up when one of its times is over.
///
/// State: guarded by a lock of its own, a leaf; the limits and `giveUp` are called outside of it.
package final class RequestWatch: Sendable {
    fileprivate struct State {
        /// True at first, because the start of the request counts as progress.
        var hasProgressed = true
        /// True until the head of the response has arrived.
        var isAsking = true
        /// The number of idle times without progress until now, one after the other.
        var silences = 0
        /// The number of silences that are too many before the head of the response.
        let patience: Int
        /// True while the caller has a response and has not taken it yet, so that the server need not send anything.
        var isDelivering = false
        var hasResponse = false
        var isLate = false
        /// The waits for the ends of the total and of the idle time.
        var waits: (total: TimeLimit.Wait?, idle: TimeLimit.Wait)?
    }

    private let state: Guarded<State>
    private let total: TimeLimit?
    private let idle: TimeLimit
    private let giveUp: @Sendable (TimeLimit) -> Void

    /// Makes a watch. `giveUp` gets the limit that is over, on any thread.
    ///
    /// - Parameters:
    ///   - total: The longest time until the first response; nil for none.
    ///   - idle: The longest time without progress.
    ///   - patience: The longest time without progress before the head of the response, if it is longer than `idle`.
    package init(
        total: TimeLimit?, idle: TimeLimit, patience: Duration? = nil, giveUp: @escaping @Sendable (TimeLimit) -> Void
    ) {
        let silences = patience.map { (BoundedTime.of($0) / BoundedTime.interval(idle.duration)).rounded(.up) } ?? 1
        state = Guarded(State(patience: Int(min(max(silences, 1), 1e9))))
        self.total = total
        self.idle = idle
        self.giveUp = giveUp
    }

    /// Begins to watch. The limits keep the watch until `end`, which the caller must call.
    package func begin() {
        let waits = (total?.begin(self), idle.begin(self))
        state.withLock { $0.waits = waits }
    }

    /// Stops watching. `giveUp` may still be called once by another thread.
    package func end() {
        guard let waits = state.withLock({ $0.waits.take() }) else { return }
        if let wait = waits.total { total?.end(wait) }
        idle.end(waits.idle)
    }

    /// Notes that the server is asked, so that silence is allowed for a while.
    package func asks() { state.withLock { $0.isAsking = true } }

    /// Notes that the head of a response has arrived.
    package func begins() {
        state.withLock { state in
            state.isAsking = false
            state.hasProgressed = true
        }
    }

    /// Notes that bytes have arrived or were sent.
    package func progress() { state.withLock { $0.hasProgressed = true } }

    /// Notes that the first response has arrived, so that the total time does not count any more. Throws if the time
    /// was over before.
    package func answered() throws {
        let isLate = state.withLock { state in
            if !state.isLate { state.hasResponse = true }
            return state.isLate
        }
        if isLate { throw CancellationError() }
    }

    /// Runs `deliver`; meanwhile the server is not watched.
    package func delivering(_ deliver: () async throws -> Void) async rethrows {
        state.withLock { $0.isDelivering = true }
        defer {
            state.withLock { state in
                state.isDelivering = false
                state.hasProgressed = true
            }
        }
        try await deliver()
    }
}

extension RequestWatch: TimeLimited {
    package func timeIsOver(of limit: TimeLimit) -> Bool {
        let verdict = state.withLock { limit === total ? $0.totalTimeIsOver() : $0.idleTimeIsOver() }
        if verdict == .over { giveUp(limit) }
        return verdict == .again
    }
}

/// The consequence for a request when the time of a limit is over.
private enum Verdict {
    /// The request is given up.
    case over
    /// The limit applies to another period, which begins now.
    case again
    /// The limit does not apply to the request any more.
    case never
}

extension RequestWatch.State {
    fileprivate mutating func totalTimeIsOver() -> Verdict {
        if hasResponse { return .never }
        isLate = true
        return .over
    }

    fileprivate mutating func idleTimeIsOver() -> Verdict {
        if isDelivering { return .again }
        silences = hasProgressed ? 0 : silences + 1
        hasProgressed = false
        return silences < (isAsking ? patience : 1) ? .again : .over
    }
}
