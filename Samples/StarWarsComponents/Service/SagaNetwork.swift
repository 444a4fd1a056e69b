import Baton
import BatonTesting

/// The embedded service as a network: queries and mutations, and the events of subscriptions.
public struct SagaNetwork: NetworkLayer {
    private let state = SagaState()
    private let service: LocalService
    private let clock: any Clock<Duration>

    /// Makes a service of its own, whose events come by this clock.
    public init(clock: some Clock<Duration>) throws(LocalSchemaError) {
        service = try SagaService.make(state)
        self.clock = clock
    }

    public func send(_ request: NetworkRequest) async throws -> NetworkResponse { try await service.send(request) }

    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        guard request.kind == .subscription else { return service.responses(to: request) }
        let film = service.rootArguments(of: request)?.string("film")
        let feed = ReviewFeed(state, of: film, clock: clock)
        return service.responses(to: request) { try await feed.next() }
    }
}

/// The reviews that are added from now on, of any film or of one. It looks for them in intervals of the clock.
private actor ReviewFeed {
    private static let interval = Duration.milliseconds(250)
    /// The number of looks after which a stranger adds a review: 20 seconds.
    private static let looksOfStrangers = 80

    private let state: SagaState
    /// The film; nil for all of them.
    private let film: String?
    private let clock: any Clock<Duration>
    private var known: Int
    private var looks = 0

    init(_ state: SagaState, of film: String?, clock: any Clock<Duration>) {
        self.state = state
        self.film = film
        self.clock = clock
        known = state.reviewCount
    }

    func next() async throws -> Saga.Review {
        while true {
            try await clock.sleep(for: Self.interval)
            looks += 1
            // Whoever looks at one film alone must not make the strangers hurry.
            if film == nil, looks % Self.looksOfStrangers == 0 { state.addStrangersReview() }
            while let review = state.review(number: known) {
                known += 1
                if film == nil || film == Saga.Film.id(review.film) { return review }
            }
        }
    }
}
