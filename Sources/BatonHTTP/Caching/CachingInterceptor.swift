public import Baton
import Foundation

/// Answers queries from memory for as long as the server allows (RFC 9111), and asks the server to confirm older
/// answers.
///
/// ### Behavior
///
/// - Only complete answers to queries are kept, without errors and with status 200. `Cache-Control`, `Age`, `Date`,
///   `Expires`, `Vary`, `ETag` and `Last-Modified` of the response's metadata decide for how long. A response without
///   such a field is kept for `defaultAge`.
/// - An old response with `ETag` or `Last-Modified` is confirmed by the server (status 304) instead of being sent
///   again.
/// - `stale-while-revalidate` and `stale-if-error` of the server are followed.
/// - A request with a fetch key is answered from the cache only if a response was fetched under that key.
/// - Equal requests at the same time become one, unless the server forbids to keep the response. If the one that was
///   sent is cancelled, another of the equal requests is sent.
/// - Requests are equal only if their contexts are, apart from keys that do not affect the response
///   (`RequestContextKey.affectsResponse`). Headers that a step behind this one adds are not compared.
/// - All headers of equal requests are equal, so that no user gets the response of another user. Exceptions are
///   `Cache-Control` and the headers that trace a request: `traceparent`, `tracestate`, `baggage`, their counterparts
///   of B3, Jaeger, AWS, Google, Datadog and Sentry, `Request-ID`, `X-Request-ID` and `X-Correlation-ID`. A response
///   that is `public` serves requests with any headers, apart from those that `Vary` names.
/// - Credentials that a step behind this one adds are not compared. Without a `partition`, answers that depend on an
///   ``AuthenticationInterceptor`` behind this step are kept only if they are `public`. Credentials that a network adds
///   by itself need a `partition`.
/// - After a mutation, successful or not, answers are removed as `afterMutation` says. A response that is on its way at
///   that time is delivered, but not kept.
/// - A request with `Cache-Control: no-store`, with a condition such as `If-None-Match`, or with files is passed on
///   unchanged. `no-cache` and `max-age` of a request are followed.
/// - The metadata of a response from the cache has its `age` in seconds, and `cache`: `fresh`, `stale`, `confirmed`.
public final class CachingInterceptor: NetworkInterceptor {
    /// The treatment of kept answers after a mutation.
    public enum AfterMutation: Sendable {
        /// All responses stay.
        case keep
        /// All responses are removed.
        case removeAll
        /// All responses stay, but the server must confirm each one before its next use.
        case confirmAll
        /// The responses to the operations with these names are removed.
        case remove(@Sendable (NetworkRequest) -> Set<String>)
    }

    /// The numbers of requests that the cache has and has not answered.
    public struct Statistics: Sendable, Hashable {
        /// The number of requests that were answered without the server.
        public internal(set) var hits = 0
        /// The number of requests for which the server confirmed a response.
        public internal(set) var confirmations = 0
        /// The number of requests whose response came from the server.
        public internal(set) var misses = 0
        /// The approximate memory of all responses, in bytes.
        public internal(set) var bytes = 0
    }

    let isShared: Bool
    let defaultAge: Duration?
    private let afterMutation: AfterMutation
    private let partition: (@Sendable (NetworkRequest) -> String)?
    private let time: ElapsedTime
    private let date: @Sendable () -> Int
    let table: CacheTable

    /// Makes a cache.
    ///
    /// - Parameters:
    ///   - maximumBytes: The approximate limit on the memory of all responses.
    ///   - defaultAge: The time for which a response without fields about its lifetime is kept; nil if such answers are
    ///     not kept.
    ///   - isShared: True if the cache serves several users, as on a server that renders pages. Then `s-maxage` counts,
    ///     and `private` answers are not kept.
    ///   - afterMutation: The treatment of kept answers after a mutation.
    ///   - partition: Returns a text that is equal for all requests that may share answers, such as the id of the user.
    ///   - clock: The clock that measures ages.
    ///   - date: Returns the seconds since 1970, to be compared with the field `Date`.
    public init(
        maximumBytes: Int = 16 << 20,
        defaultAge: Duration? = nil,
        isShared: Bool = false,
        afterMutation: AfterMutation = .removeAll,
        partition: (@Sendable (NetworkRequest) -> String)? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
    ) {
        self.isShared = isShared
        self.defaultAge = defaultAge.map(BoundedTime.of)
        self.afterMutation = afterMutation
        self.partition = partition
        self.date = date
        time = ElapsedTime(on: clock)
        table = CacheTable(maximumBytes: maximumBytes)
    }

    /// The numbers of answered requests until now.
    public var statistics: Statistics { table.statistics }

    /// Removes all responses. Answers that are on their way are delivered, but not kept.
    public func removeAll() { table.change { $0.removeAll() } }

    /// Answers the request from memory, or sends it on and keeps the response.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        switch request.kind {
        case .subscription: try await next(request, deliver)
        case .mutation:
            defer { mutated(request) }
            try await next(request, deliver)
        case .query:
            let wish = CacheControl(request.header("cache-control"))
            guard !wish.isNoStore, !request.isIncremental, !Self.hasCondition(request),
                request.configuration.uploads.isEmpty
            else {
                return try await next(request, deliver)
            }
            try await answer(CacheQuestion(request, wish, partition: partition?(request)), next, deliver)
        }
    }

    private static func hasCondition(_ request: NetworkRequest) -> Bool {
        ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since"].contains { request.header($0) != nil }
    }

    private func mutated(_ request: NetworkRequest) {
        switch afterMutation {
        case .keep: break
        case .removeAll: table.change { $0.removeAll() }
        case .confirmAll: table.change { $0.invalidateAll() }
        case .remove(let names):
            let names = names(request)
            table.change { $0.remove(operations: names) }
        }
    }

    private func answer(_ question: CacheQuestion, _ next: @escaping Next, _ deliver: @escaping Deliver) async throws {
        while true {
            switch table.decide(question, at: time.value) {
            case .use(let entry):
                return try await deliver(entry.response(at: time.value, "fresh"))
            case .useAndFetch(let entry, let lead):
                // No caller waits for the newer response, so that fetching it does not count as a request of the
                // environment.
                RequestScope.$activity.withValue(nil) {
                    // The environment does not watch the time of this request, so that the network does.
                    var question = question
                    question.request.configuration.timeout = nil
                    _ = Task { [question] in try await fetch(question, lead, next) { _ in } }
                }
                return try await deliver(entry.response(at: time.value, "stale"))
            case .lead(let lead):
                return try await fetch(question, lead, next, deliver)
            case .join(let flight):
                switch try await flight.value() {
                case .response(let response): return try await deliver(response)
                case .alone: return try await next(question.request, deliver)
                case .givenUp: continue
                }
            }
        }
    }

    /// Asks the server for a response, or to confirm an older one, and resumes the equal requests that wait.
    private func fetch(
        _ question: CacheQuestion, _ lead: CacheTable.Lead, _ next: Next, _ deliver: @escaping Deliver
    ) async throws {
        let began = time.value
        let hasCredentials = Mark()
        let request = RequestReport.adding(to: question.request(confirming: lead.entry)) { event in
            if case .credentials = event { hasCredentials.set() }
        }
        let first = Mark()
        do {
            try await next(request) { [self] response in
                guard !first.set() else { return try await deliver(response) }
                let answer = answer(
                    question, lead, response, since: began, hasCredentials: hasCredentials.isSet)
                // Requests with other values of headers that the key ignores wait for this response too.
                let isForOne = CacheEntry.varying(response.metadata).contains { CacheKey.ignores($0) }
                table.end(lead, with: .success(isForOne ? .alone : answer.map { .response($0) } ?? .alone))
                try await deliver(answer ?? response)
            }
            table.end(lead, with: .success(.givenUp))
        } catch {
            if !first.isSet, let answer = replacement(for: error, question, lead, since: began) {
                table.end(lead, with: .success(.response(answer)))
                return try await deliver(answer)
            }
            // A server may refuse a POST whose condition does not hold (RFC 9110, section 13.1.2).
            if !first.isSet, lead.entry != nil, RelayError(ofStep: error).status == 412 {
                table.remove(question)
                return try await fetch(question, lead.withoutEntry, next, deliver)
            }
            let isCancelled = Task.isCancelled || error is CancellationError || (error as? RelayError) == .cancelled
            // If a step behind adds credentials, a refusal may concern only one user.
            let isRefusal = RelayError(ofStep: error).status.map { (400..<500).contains($0) && $0 != 429 } ?? false
            let isForOne = isRefusal && hasCredentials.isSet && partition == nil
            table.end(lead, with: isCancelled ? .success(.givenUp) : isForOne ? .success(.alone) : .failure(error))
            throw error
        }
    }

    /// Keeps the response if that is allowed. Returns the response for all requests that wait; nil if each must ask for
    /// itself.
    private func answer(
        _ question: CacheQuestion, _ lead: CacheTable.Lead, _ response: NetworkResponse, since began: Duration,
        hasCredentials: Bool
    ) -> NetworkResponse? {
        if let entry = lead.entry, response.status == 304 {
            return confirm(entry, response.metadata, question, lead, since: began)
        }
        if let status = response.status, status >= 500, let stale = stale(question, lead) { return stale }
        if response.status == 412, lead.entry != nil { table.remove(question) }
        table.count(\.misses)
        guard !response.hasNext, response.status ?? 200 < 400 else { return nil }
        let now = time.value
        if response.status ?? 200 == 200, let outline = ResponseErrors(response.body), outline.hasData,
            !outline.hasErrors, let freshness = freshness(response.metadata, delay: now - began),
            mayKeep(freshness, question, hasCredentials),
            let entry = CacheEntry(response, to: question.request, freshness, at: now)
        {
            table.store(entry, for: question, lead)
            return response
        }
        // A response that is not kept still serves equal requests that came before it.
        let control = CacheControl(response.metadata["cache-control"])
        let isForOne =
            control.isNoStore || isShared && control.isPrivate || hasCredentials && partition == nil
            || response.metadata["vary"] == "*"
        return isForOne ? nil : response
    }

    private func replacement(
        for error: any Error, _ question: CacheQuestion, _ lead: CacheTable.Lead, since began: Duration
    ) -> NetworkResponse? {
        guard let entry = lead.entry, !Task.isCancelled else { return nil }
        switch RelayError(ofStep: error) {
        // A network that does not know conditional requests throws an error for status 304, without the fields.
        case .httpStatus where (error as? RelayError)?.status == 304:
            return confirm(entry, [:], question, lead, since: began)
        case .httpStatus where ((error as? RelayError)?.status ?? 0) < 500: return nil
        case .httpStatus, .transport, .noResponse, .timedOut: return stale(question, lead)
        default: return nil
        }
    }

    private func confirm(
        _ entry: CacheEntry, _ fields: [String: String], _ question: CacheQuestion, _ lead: CacheTable.Lead,
        since began: Duration
    ) -> NetworkResponse {
        let now = time.value
        table.count(\.confirmations)
        var merged = CacheEntry.merged(entry.metadata, fields)
        // A confirmation without a date counts as dated now.
        if fields["date"] == nil { merged["date"] = nil }
        let freshness = freshness(merged, delay: now - began)
        let confirmed = entry.confirmed(
            by: fields, for: question.request, at: now, freshness ?? entry.freshness)
        if freshness == nil { table.remove(question) } else { table.store(confirmed, for: question, lead) }
        return confirmed.response(at: now, "confirmed")
    }

    /// The older response, if it may be used in place of an error.
    private func stale(_ question: CacheQuestion, _ lead: CacheTable.Lead) -> NetworkResponse? {
        let now = time.value
        guard let entry = lead.entry, lead.entryIsWanted, table.isCurrent(lead),
            entry.freshness.mayReplaceError(after: now - entry.receivedAt, limit: question.maximumAge)
        else { return nil }
        table.count(\.hits)
        return entry.response(at: now, "stale")
    }

    private func freshness(_ fields: [String: String], delay: Duration) -> CacheFreshness? {
        CacheFreshness(
            fields, delay: delay, receivedAt: date(), rules: .init(isShared: isShared, defaultAge: defaultAge))
    }

    private func mayKeep(_ freshness: CacheFreshness, _ question: CacheQuestion, _ hasCredentials: Bool) -> Bool {
        if freshness.isPublic { return true }
        if isShared, hasCredentials || question.hasCredential, !freshness.mayBeSharedWithCredentials { return false }
        return partition != nil || !hasCredentials
    }
}

/// A flag that is set at most once.
///
/// State: guarded by a lock of its own, a leaf.
private final class Mark: Sendable {
    private let state = Guarded(false)

    var isSet: Bool { state.withLock(\.self) }

    /// Sets the mark; returns true if it was set before.
    @discardableResult func set() -> Bool {
        state.withLock { isSet in
            defer { isSet = true }
            return isSet
        }
    }
}
