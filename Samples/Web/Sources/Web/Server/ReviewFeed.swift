import Baton
import BatonHTTP
import HTML
import StarWarsComponents

/// The reviews of one film for all pages of it that are open.
///
/// New reviews come by one subscription. Its transport connects again when the connection is lost; until then, and
/// where the service has no subscription, the feed asks every two seconds. It asks once whenever events can arrive
/// again, for those that nobody has heard, and seldom while they arrive, since no protocol says when a subscription has
/// begun. All of it lands in the shared environment, so the pages that are made next have it as well.
struct ReviewFeed: Sendable {
    private enum Connection {
        case open
        /// The connection is being made, or made again.
        case lost
        case ended
    }

    /// How often the feed asks, without a subscription and with one.
    private static let (often, seldom) = (Duration.seconds(2), Duration.seconds(30))
    /// The waits before the attempts to subscribe again after the service has ended the subscription.
    private static let attempts = ReconnectPolicy(firstDelay: .seconds(1), maximumDelay: .seconds(60))

    private let id: String
    private let source: ReviewSource
    private let reviews: QueryHandle<FilmReviewsQuery>
    private let send: @Sendable ([UInt8]) -> Void

    /// Makes a feed, which sends each event to this function.
    init(_ id: String, _ source: ReviewSource, send: @escaping @Sendable ([UInt8]) -> Void) {
        self.id = id
        self.source = source
        self.send = send
        reviews = QueryHandle(in: source.environment, fetchPolicy: .storeOrNetwork)
    }

    /// Sends events until the task is cancelled.
    func run() async {
        // What is asked for first is there before anything is asked again.
        _ = reviews.get(id: id)
        async let drawing: Void = draw()
        await listen()
        await drawing
    }

    private func draw() async {
        let frames = source.environment.frames { [reviews, id, environment = source.environment] () -> HTML? in
            guard let film = reviews.get(id: id).data?.film else { return nil }
            return FilmReviews.render(film.fragments.filmReviews_film, id, in: environment)
        }
        var sent: String?
        for await case let html? in frames where html.text != sent {
            sent = html.text
            send(Self.event(html))
        }
    }

    private func listen() async {
        reviews.poll(every: Self.often)
        guard source.hasSubscriptions else { return source.report(nil) }
        var (attempt, random) = (0, SystemRandomNumberGenerator())
        while !Task.isCancelled {
            let wasOpen = await subscribe()
            reviews.poll(every: Self.often)
            attempt = wasOpen ? 1 : attempt + 1
            let delay = Self.attempts.delay(attempt: attempt, using: &random) ?? Self.often
            guard (try? await Task.sleep(for: delay)) != nil else { return }
        }
    }

    /// Subscribes, and returns after the end of the subscription whether an event has come.
    private func subscribe() async -> Bool {
        let subscription = SubscriptionHandle<FilmReviewsSubscription>(in: source.environment)
        let connections = source.environment.frames { [id] () -> (Connection, hasEvent: Bool) in
            let event = subscription.subscribe(id: id).data
            return (Self.connection(of: subscription), event != nil)
        }
        var (known, wasOpen) = (Connection.lost, false)
        for await (connection, hasEvent) in connections {
            if hasEvent { wasOpen = true }
            guard connection != known else { continue }
            known = connection
            switch connection {
            case .open:
                reviews.poll(every: Self.seldom)
                // A failure is polled again.
                try? await reviews.refetch().finished()
            case .lost: reviews.poll(every: Self.often)
            case .ended:
                if !wasOpen { source.report(subscription.fetchError) }
                return wasOpen
            }
        }
        return wasOpen
    }

    private static func connection(of subscription: SubscriptionHandle<FilmReviewsSubscription>) -> Connection {
        guard subscription.isFetching else { return .ended }
        return switch subscription.transportState {
        // A service inside the process says nothing of a connection.
        case nil, .connected: .open
        case .connecting, .reconnecting, .paused: .lost
        }
    }

    /// An event has one line of data for each line of the piece (HTML standard, section 9.2).
    private static func event(_ html: HTML) -> [UInt8] {
        let lines = html.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            "data: \($0)\n"
        }
        return Array("event: reviews\n\(lines.joined())\n".utf8)
    }
}
