/// What one request waits for, as far as a test must know it. An `Activity` counts it.
///
/// State: guarded by a lock of its own, a leaf. It changes only inside the lock of the activity.
package final class RequestMark: Sendable {
    /// What a request does next.
    package enum News: Sendable {
        /// Its network was asked for responses.
        case asked
        /// A network of the kit carries the request to its end, so it rests whenever it waits for the test.
        case held
        /// It goes on only when a test acts.
        case rests
        /// It goes on.
        case wakes
        case over
    }

    private struct State {
        var isAsked = false
        var isHeld = false
        var rests = 0
        var isOver = false

        var isResting: Bool { !isOver && rests > 0 }
        /// True if nobody knows whether an event is about to come.
        var isLoose: Bool { !isOver && rests == 0 && isAsked && !isHeld }
    }

    private let state = Guarded(State())
    private let isSubscription: Bool

    /// Makes the mark of a request that has not begun.
    package init(isSubscription: Bool) { self.isSubscription = isSubscription }

    /// Notes news of the request in the counts.
    func note(_ news: News, in counts: inout Activity.Counts) {
        let (before, after) = state.withLock { state in
            let before = state
            switch news {
            case .asked: state.isAsked = true
            case .held: state.isHeld = true
            case .rests: state.rests += 1
            case .wakes: state.rests -= 1
            case .over: state.isOver = true
            }
            return (before, state)
        }
        counts.resting += (after.isResting ? 1 : 0) - (before.isResting ? 1 : 0)
        guard isSubscription else { return }
        counts.loose += (after.isLoose ? 1 : 0) - (before.isLoose ? 1 : 0)
    }
}
