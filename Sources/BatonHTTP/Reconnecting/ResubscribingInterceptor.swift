// Reconnecting has several owners, this one for streams of one request; ReadingTheDesign.md names the others.

public import Baton

/// Subscribes again when the connection of a subscription breaks.
///
/// This step is for subscriptions over HTTP, as multipart or as an event stream, each with a connection of its own. The
/// handles of the subscription are told with `TransportState.reconnecting(attempt:)`, and with `connected` once an
/// event has arrived again. Events that the server sent in between are lost; query handles with the trigger
/// `Freshness.Triggers.reconnected` fetch again what must not be missed.
///
/// - The stream was closed early: the operation is subscribed again.
/// - The transport failed, or the status was 408, 429, 502, 503 or 504: the operation is subscribed again if the stream
///   was open before. A subscription that never had a stream fails with that error. A longer wait that the server asks
///   for with `Retry-After` is kept, up to ten minutes.
/// - The stream was completed, or the server refused it: the subscription ends.
/// - No caller takes responses any more, or a step in front of this one refuses one: the subscription ends too.
///
/// Put this step in front of an ``AuthenticationInterceptor``, so that each attempt has the credential of its time, and
/// not the one of the first attempt.
///
/// Other requests are passed on.
public struct ResubscribingInterceptor: NetworkInterceptor {
    private let policy: ReconnectPolicy
    private let clock: any Clock<Duration>
    private let random: RandomSource

    /// Makes an interceptor.
    ///
    /// - Parameters:
    ///   - policy: The waits and the number of attempts. An event that arrives begins a new row of attempts.
    ///   - clock: The clock that measures the waits.
    ///   - random: The source of the jitter.
    public init(
        _ policy: ReconnectPolicy = ReconnectPolicy(), clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.policy = policy
        self.clock = clock
        self.random = RandomSource(random)
    }

    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        guard request.kind == .subscription else { return try await next(request, deliver) }
        let progress = SubscriptionProgress()
        let watched = RequestReport.adding(to: request) { event in
            switch event {
            case .opened: progress.noteConnection()
            case .refusedCredential: progress.noteRefusal()
            case .retry, .credentials: break
            }
        }
        while true {
            do {
                return try await next(watched) { response in
                    if progress.noteResponse() { request.report(.connected) }
                    do { try await deliver(response) } catch {
                        progress.noteRefusal()
                        throw error
                    }
                }
            } catch {
                try Task.checkCancellation()
                guard !progress.isRefused, Self.isBreak(error, wasConnected: progress.wasConnected) else { throw error }
                let attempt = progress.nextAttempt()
                guard let delay = random.delay(policy, attempt: attempt, after: error) else { throw error }
                request.report(.reconnecting(attempt: attempt))
                try await BoundedTime.sleep(for: delay, on: clock)
            }
        }
    }

    /// True if an error means that the connection was lost, and not that the server refuses the subscription.
    private static func isBreak(_ error: any Error, wasConnected: Bool) -> Bool {
        switch RelayError(ofStep: error).reason {
        case .transport(let error as RelayError.StreamError):
            if case .closedEarly = error { true } else { false }
        case .transport(HTTPError.notAcceptable): false
        case .transport, .noResponse: wasConnected
        case .httpStatus(let status, _, _): wasConnected && [408, 429, 502, 503, 504].contains(status)
        default: false
        }
    }
}

/// The events of a subscription across all its attempts.
private final class SubscriptionProgress: Sendable {
    private struct State {
        var wasConnected = false
        var isRefused = false
        var attempt = 0
    }

    private let state = Guarded(State())

    var wasConnected: Bool { state.withLock(\.wasConnected) }
    /// Whether a step refused a response, or the application refused a credential.
    var isRefused: Bool { state.withLock(\.isRefused) }

    func noteConnection() { state.withLock { $0.wasConnected = true } }

    func noteRefusal() { state.withLock { $0.isRefused = true } }

    /// Returns true if this is the first response after a break.
    func noteResponse() -> Bool {
        state.withLock { state in
            defer { (state.wasConnected, state.attempt) = (true, 0) }
            return state.attempt > 0
        }
    }

    func nextAttempt() -> Int {
        state.withLock { state in
            state.wasConnected = true
            state.attempt += 1
            return state.attempt
        }
    }
}
