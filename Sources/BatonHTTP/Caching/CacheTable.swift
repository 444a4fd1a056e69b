import Baton

/// The requests of a `CachingInterceptor` that are on their way to the server.
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
        /// What the storages held before the server was asked. Its response may be confirmed.
        let look: CacheLook
        /// Whether the older response may be used in place of an error. The caller and mutations since then may forbid
        /// that.
        let entryIsWanted: Bool

        /// A response that the server may confirm.
        var entry: CacheEntry? { look.entry }

        fileprivate init(_ key: FlightKey, _ flight: Flight<FlightEnd>, _ look: CacheLook, _ question: CacheQuestion) {
            flightKey = key
            self.flight = flight
            self.look = look
            entryIsWanted = look.entry.map { !look.isOutdated && question.accepts($0) } ?? false
        }

        /// This permission after another look.
        func with(_ look: CacheLook, for question: CacheQuestion) -> Lead { Lead(flightKey, flight, look, question) }

        /// This permission without the older response.
        func withoutEntry(for question: CacheQuestion) -> Lead {
            var look = look
            look.entry = nil
            return with(look, for: question)
        }
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
        /// The versions of the tags, which change when responses on their way become too old.
        let versions: [UInt64]
        let sharedVersions: [UInt64]?
    }

    private struct State {
        var flights: [FlightKey: Flight<FlightEnd>] = [:]
        var statistics = CachingInterceptor.Statistics()
    }

    private let state = Guarded(State())

    var statistics: CachingInterceptor.Statistics { state.withLock(\.statistics) }

    func count(_ counter: any WritableKeyPath<CachingInterceptor.Statistics, Int> & Sendable) {
        state.withLock { $0.statistics[keyPath: counter] += 1 }
    }

    /// Decides how a question is answered at a time, with what the storages hold.
    func decide(_ question: CacheQuestion, _ look: CacheLook, at now: Duration) -> Decision {
        let use = question.use(look, at: now)
        let flightKey = FlightKey(
            key: question.key.exact, wish: question.request.header("cache-control"),
            fetchKey: question.request.fetchKey, versions: look.versions, sharedVersions: look.sharedVersions)
        return state.withLock { state in
            if let entry = look.entry, use == .fresh {
                state.statistics.hits += 1
                return .use(entry)
            }
            let flight = state.flights[flightKey]
            if let entry = look.entry, use == .whileRevalidating {
                state.statistics.hits += 1
                guard flight == nil else { return .use(entry) }
                return .useAndFetch(entry, Self.lead(flightKey, look, question, &state))
            }
            if let flight { return .join(flight) }
            return .lead(Self.lead(flightKey, look, question, &state))
        }
    }

    /// Ends a request and resumes the equal requests that wait. Only the first call counts.
    func end(_ lead: Lead, with result: Result<FlightEnd, any Error>) {
        state.withLock { state in
            if state.flights[lead.flightKey] === lead.flight { state.flights[lead.flightKey] = nil }
        }
        lead.flight.end(result)
    }

    private static func lead(
        _ key: FlightKey, _ look: CacheLook, _ question: CacheQuestion, _ state: inout State
    ) -> Lead {
        let flight = Flight<FlightEnd>()
        state.flights[key] = flight
        return Lead(key, flight, look, question)
    }
}
