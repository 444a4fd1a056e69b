/// Knows how far a request is, for the timers that may end it.
///
/// State: guarded by a lock of its own, a leaf.
package final class RequestWatch: Sendable {
    /// What the end of a time means.
    package enum Verdict: Sendable {
        /// The request is given up.
        case over
        /// The time begins again.
        case again
        /// The request has no such limit any more.
        case never
    }

    private struct State {
        /// True at first: the start of the request counts as progress.
        var hasProgressed = true
        /// The caller has a response and has not taken it yet, so nothing is expected of the server.
        var isDelivering = false
        var isAnswered = false
        var isLate = false
    }

    private let state = Guarded(State())

    package init() {}

    /// Bytes have arrived or were sent.
    package func progress() { state.withLock { $0.hasProgressed = true } }

    /// The first answer is there, so the total timeout counts no longer. Throws if it was over before.
    package func answered() throws {
        let isLate = state.withLock { state in
            if !state.isLate { state.isAnswered = true }
            return state.isLate
        }
        if isLate { throw CancellationError() }
    }

    /// Runs `deliver`, while the server is not watched.
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

    /// What the end of the total timeout means.
    package func totalTimeIsOver() -> Verdict {
        state.withLock { state in
            if state.isAnswered { return .never }
            state.isLate = true
            return .over
        }
    }

    /// What the end of the idle timeout means.
    package func idleTimeIsOver() -> Verdict {
        state.withLock { state in
            if state.isDelivering { return .again }
            defer { state.hasProgressed = false }
            return state.hasProgressed ? .again : .over
        }
    }
}
