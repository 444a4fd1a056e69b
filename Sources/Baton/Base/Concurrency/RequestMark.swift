/// Names one request for the counts of an `Activity`, which knows what the request waits for as far as a test must
/// know.
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
    }

    /// What an open request does.
    struct State: Sendable {
        let isSubscription: Bool
        private var isAsked = false
        private var isHeld = false
        private var rests = 0

        init(isSubscription: Bool) { self.isSubscription = isSubscription }

        var isResting: Bool { rests > 0 }
        /// True if nobody knows whether an event is about to come.
        var isLoose: Bool { isSubscription && rests == 0 && isAsked && !isHeld }

        mutating func note(_ news: News) {
            switch news {
            case .asked: isAsked = true
            case .held: isHeld = true
            case .rests: rests += 1
            case .wakes: rests -= 1
            }
        }
    }

    /// Makes the name of a request that has not started.
    package init() {}
}
