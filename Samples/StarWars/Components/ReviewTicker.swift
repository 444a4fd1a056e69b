import Baton
import StarWarsComponents
import TerminalRenderer

/// The newest review that somebody has added, from a subscription. Each event changes the film in the store, so its
/// page and its row show it too.
final class ReviewTicker: Component {
    private let reviews: SubscriptionHandle<ReviewTickerSubscription>

    private let sendsEvents: Bool
    /// The last review, and when it was first seen.
    private var seen: (review: String, time: Duration)?

    init(in app: App) {
        (reviews, sendsEvents) = (SubscriptionHandle(in: app.environment), app.network.sendsEvents)
    }

    var content: any Element {
        if sendsEvents, let review = reviews.subscribe().data?.reviewAdded {
            Live { [self] frame in
                isNew(review.id, in: frame)
                    ? Text.faint("new ") + .stars(Rating(review.stars)) + Text(" \(review.film.title)") : Text("")
            }
        }
    }

    /// True while the review is one of the last seconds.
    private func isNew(_ review: String, in frame: Frame) -> Bool {
        if seen?.review != review { seen = (review, frame.time) }
        let rest = (seen?.time ?? frame.time) + .seconds(15) - frame.time
        if rest > .zero { frame.wakeUp(after: rest) }
        return rest > .zero
    }
}
