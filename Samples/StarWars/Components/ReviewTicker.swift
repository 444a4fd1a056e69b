import Baton
import StarWarsComponents
import TerminalRenderer

/// The newest review that somebody has added, from a subscription. Each event changes the film in the store, so its
/// page and its row show it too.
final class ReviewTicker: Component {
    private let reviews: SubscriptionHandle<ReviewTickerSubscription>

    private let sendsEvents: Bool

    init(in app: App) {
        (reviews, sendsEvents) = (SubscriptionHandle(in: app.environment), app.network.sendsEvents)
    }

    var content: any Element {
        if sendsEvents, let review = reviews.subscribe().data?.reviewAdded {
            Text.faint("new ") + .stars(Rating(review.stars)) + Text(" \(review.film.title)")
        }
    }
}
