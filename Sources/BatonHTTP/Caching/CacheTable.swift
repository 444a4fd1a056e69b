import Baton

/// The responses of a `CachingInterceptor`, and the requests that are on their way to the server.
///
/// State: guarded by a lock of its own, a leaf.
final class CacheTable: Sendable {
    /// How a request ends for the equal requests that wait for it.
    enum FlightEnd: Sendable {
        /// The response serves all of them.
        case response(NetworkResponse)
        /// The response serves only the request that was sent.
        case alone
        /// The request was cancelled; one of the waiting requests is sent instead.
        case givenUp
    }

    /// A request's permission to ask the server, on behalf of all equal requests.
    struct Lead: Sendable {
        fileprivate let flightKey: FlightKey
        fileprivate let flight: Flight<FlightEnd>
        /// A response that the server may confirm.
        let entry: CacheEntry?
        /// Whether the older response may be used in place of an error. The caller and mutations since then may forbid
        /// that.
        let entryIsWanted: Bool

        /// This permission without the older response.
        var withoutEntry: Lead { Lead(flightKey: flightKey, flight: flight, entry: nil, entryIsWanted: false) }
    }

    /// The way in which a question is answered.
    enum Decision: Sendable {
        case use(CacheEntry)
        case useAndFetch(CacheEntry, Lead)
        case lead(Lead)
        case join(Flight<FlightEnd>)
    }

    /// The properties that are equal for requests that become one.
    fileprivate struct FlightKey: Sendable, Hashable {
        let key: CacheKey
        /// The header `Cache-Control`: a response may be fresh enough for one request, and too old for another.
        let wish: String?
        let fetchKey: String?
        /// A number that grows with every change after which answers on their way are too old.
        let generation: Int
    }

    private struct State {
        var cache: ResponseCache
        var flights: [FlightKey: Flight<FlightEnd>] = [:]
        var generation = 0
        var statistics = CachingInterceptor.Statistics()
    }

    private let state: Guarded<State>

    init(maximumBytes: Int) {
        state = Guarded(State(cache: ResponseCache(maximumBytes: maximumBytes)))
    }

    var statistics: CachingInterceptor.Statistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.bytes = state.cache.bytes
            return statistics
        }
    }

    func count(_ counter: WritableKeyPath<CachingInterceptor.Statistics, Int> & Sendable) {
        state.withLock { $0.statistics[keyPath: counter] += 1 }
    }

    /// Changes the kept answers. Answers that are on their way are not kept afterwards.
    func change(_ change: @Sendable (inout ResponseCache) -> Void) {
        state.withLock { state in
            state.generation += 1
            change(&state.cache)
        }
    }

    /// Decides how a question is answered at a time.
    func decide(_ question: CacheQuestion, at now: Duration) -> Decision {
        state.withLock { state in
            let entry = Self.entry(for: question, &state.cache)
            let use = entry.map { Self.use($0, question, at: now) } ?? .stale
            if let entry, use == .fresh {
                state.statistics.hits += 1
                return .use(entry)
            }
            let flightKey = FlightKey(
                key: question.key, wish: question.request.header("cache-control"),
                fetchKey: question.request.fetchKey, generation: state.generation)
            let flight = state.flights[flightKey]
            if let entry, use == .whileRevalidating {
                state.statistics.hits += 1
                guard flight == nil else { return .use(entry) }
                return .useAndFetch(entry, Self.lead(flightKey, entry, for: question, &state))
            }
            if let flight { return .join(flight) }
            return .lead(Self.lead(flightKey, entry, for: question, &state))
        }
    }

    /// Keeps a response, unless answers were removed since the server was asked.
    func store(_ entry: CacheEntry, for question: CacheQuestion, _ lead: Lead) {
        state.withLock { state in
            guard state.generation == lead.flightKey.generation else { return }
            let key = entry.freshness.isPublic ? question.key.shared : question.key
            state.cache.store(entry, key, for: question.request)
        }
    }

    /// Removes the answers that a question could be answered with.
    func remove(_ question: CacheQuestion) {
        state.withLock { state in
            state.cache.remove(question.key)
            state.cache.remove(question.key.shared)
        }
    }

    /// Ends a request and resumes the equal requests that wait. Only the first call counts.
    func end(_ lead: Lead, with result: Result<FlightEnd, any Error>) {
        state.withLock { state in
            if state.flights[lead.flightKey] === lead.flight { state.flights[lead.flightKey] = nil }
        }
        lead.flight.end(result)
    }

    /// Whether answers on their way are still recent enough to be kept.
    func isCurrent(_ lead: Lead) -> Bool { state.withLock { $0.generation == lead.flightKey.generation } }

    private static func lead(
        _ key: FlightKey, _ entry: CacheEntry?, for question: CacheQuestion, _ state: inout State
    ) -> Lead {
        let flight = Flight<FlightEnd>()
        state.flights[key] = flight
        return Lead(
            flightKey: key, flight: flight, entry: entry, entryIsWanted: entry.map { mayUse($0, question) } ?? false)
    }

    private static func entry(for question: CacheQuestion, _ cache: inout ResponseCache) -> CacheEntry? {
        if let entry = cache.entry(question.key, for: question.request) { return entry }
        guard question.key.hasHeaders else { return nil }
        let shared = cache.entry(question.key.shared, for: question.request)
        return shared?.freshness.isPublic == true ? shared : nil
    }

    private static func use(_ entry: CacheEntry, _ question: CacheQuestion, at now: Duration) -> CacheFreshness.Use {
        guard mayUse(entry, question) else { return .stale }
        return entry.freshness.use(after: now - entry.receivedAt, limit: question.maximumAge)
    }

    /// Whether a response may be used without the server, apart from its age.
    private static func mayUse(_ entry: CacheEntry, _ question: CacheQuestion) -> Bool {
        !entry.isInvalidated && !question.mustConfirm && entry.knowsKey(of: question.request)
    }
}
