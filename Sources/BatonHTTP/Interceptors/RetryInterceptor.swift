public import Baton

/// Sends a request again after a failure that may not come again.
///
/// The pause before retry number `n` is random between zero and `firstDelay` doubled `n - 1` times, at most
/// `maximumDelay` (full jitter). Clients that failed together therefore do not come back together. A longer time that
/// the server asks for with `Retry-After` replaces the pause.
///
/// ### Behavior
///
/// - Queries are sent again. Mutations are sent again only with an idempotency key, and subscriptions never.
/// - Nothing is sent again after a response went to the caller.
/// - No retry begins later than `timeLimit` after the request began: the caller then gets the last failure at once. The
///   transport limits the time of each attempt.
/// - A response without data is a failure too if its HTTP status is one that may change. If no retry is left, the
///   caller gets that response. A response to a mutation in which an error has a `path` is not a failure: the mutation
///   was carried out, and the caller gets the response.
/// - A cancelled request ends its pause.
public struct RetryInterceptor: NetworkInterceptor {
    /// The treatment of mutations that fail.
    public enum Mutations: Sendable, Hashable {
        /// Mutations are not sent again.
        case never
        /// Mutations are sent with their idempotency key in this header, and sent again with the same key. The server
        /// must recognize the key, or it carries a mutation out twice. A sent key does not prove that the server does:
        /// ``HTTPNetwork`` always sends one.
        case withKey(header: String = "Idempotency-Key")
    }

    private let maximumRetries: Int
    private let firstDelay: Duration
    private let maximumDelay: Duration
    private let timeLimit: Duration
    private let mutations: Mutations
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> Double
    private let mayPass: @Sendable (RelayError) -> Bool

    /// Makes an interceptor.
    ///
    /// - Parameters:
    ///   - maximumRetries: The largest number of retries of one request.
    ///   - firstDelay: The longest pause before the first retry.
    ///   - maximumDelay: The longest pause before any retry, unless the server asks for more.
    ///   - timeLimit: The time since the beginning of the request after which no retry begins.
    ///   - mutations: The treatment of mutations that fail.
    ///   - clock: The clock that measures the time and the pauses.
    ///   - random: Returns a number from 0 to 1 for each pause.
    ///   - mayPass: Returns true for failures after which the request is sent again.
    public init(
        maximumRetries: Int = 3,
        firstDelay: Duration = .milliseconds(300),
        maximumDelay: Duration = .seconds(10),
        timeLimit: Duration = .seconds(60),
        mutations: Mutations = .never,
        clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        mayPass: @escaping @Sendable (RelayError) -> Bool = RetryInterceptor.isTransient
    ) {
        self.maximumRetries = maximumRetries
        self.firstDelay = BoundedTime.of(firstDelay)
        self.maximumDelay = BoundedTime.of(maximumDelay)
        self.timeLimit = BoundedTime.of(timeLimit)
        self.mutations = mutations
        self.clock = clock
        self.random = random
        self.mayPass = mayPass
    }

    /// Sends the request until there is a response, or a failure after which no retry is made.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        guard let request = repeatable(request) else { return try await next(request, deliver) }
        let isRefused = Guarded(false)
        let watched = RequestReport.adding(to: request) { event in
            if case .refusedCredential = event { isRefused.withLock { $0 = true } }
        }
        let time = ElapsedTime(on: clock)
        var retries = 0
        while true {
            let first = FirstResponse(to: deliver) { [mayPass] response in
                guard let refusal = response.refusal, mayPass(refusal) else { return false }
                guard let outline = ResponseErrors(response.body) else { return true }
                // A server that recognizes the key would repeat this response.
                return request.kind == .mutation ? !outline.showsExecution : !outline.hasData
            }
            var failure: any Error = RelayError.noResponse
            do {
                try await next(watched) { try await first.take($0) }
                if first.held == nil { return }
            } catch {
                if first.isPassed || isRefused.withLock(\.self) { throw error }
                failure = first.held?.refusal ?? error
            }
            if let refusal = first.held?.refusal { failure = refusal }
            try Task.checkCancellation()
            let error = RelayError(ofStep: failure)
            let pause = pause(before: retries + 1, after: error)
            guard retries < maximumRetries, mayPass(error), time.value + pause <= timeLimit else {
                guard let held = first.held else { throw failure }
                return try await deliver(held)
            }
            retries += 1
            request.note(.retry(retries, after: pause, because: error))
            try await BoundedTime.sleep(for: pause, on: clock)
        }
    }

    /// The request in the form in which it may be sent several times; nil if it may be sent only once.
    private func repeatable(_ request: NetworkRequest) -> NetworkRequest? {
        switch (request.kind, mutations, request.idempotencyKey) {
        case (.query, _, _): return request
        case (.mutation, .withKey(let header), let key?):
            var request = request
            request.addHeader(header, key)
            return request
        case (.mutation, _, _), (.subscription, _, _): return nil
        }
    }

    private func pause(before retry: Int, after error: RelayError) -> Duration {
        var longest = min(firstDelay, maximumDelay)
        for _ in 1..<retry where longest < maximumDelay {
            longest = min(longest * 2, maximumDelay)
        }
        let part = random()
        let jittered = longest * (part.isNaN ? 1 : min(max(part, 0), 1))
        return max(jittered, BoundedTime.of(error.retryAfter ?? .zero))
    }
}

extension NetworkResponse {
    /// The error status of a response as an error; nil for a success.
    fileprivate var refusal: RelayError? {
        guard let status, status >= 400 else { return nil }
        return .httpStatus(status, body: "", retryAfter: metadata["retry-after"].flatMap { ResponseHead.wait($0) })
    }
}
