public import Baton

/// The counts of one operation's requests.
public struct RequestMetrics: Sendable, Hashable {
    /// The number of requests that began.
    public var started = 0
    /// The number of requests that ended with a response.
    public var answered = 0
    /// The number of requests that failed.
    public var failed = 0
    /// The number of requests that were cancelled.
    public var cancelled = 0
    /// The number of retries of all requests.
    public var retries = 0
    /// The number of responses that were delivered.
    public var responses = 0
    /// The number of bytes of the delivered responses.
    public var bytes = 0
    /// The times from the beginning of a request to its end, subscriptions and cancelled requests left out.
    public var latency = LatencyHistogram()

    /// Makes metrics without requests.
    public init() {}

    /// The number of requests that have begun and not ended.
    public var inFlight: Int { started - answered - failed - cancelled }
}

/// Counts requests and their times for each operation.
///
/// Each request is counted once as started, and once as answered, failed or cancelled. The number of names is bounded,
/// because each name needs memory for the lifetime of the interceptor.
public final class MetricsInterceptor: NetworkInterceptor {
    /// The name for all operations after the first `maximumNames` ones. No operation can have this name.
    public static let otherName = "(other)"

    private let maximumNames: Int
    private let clock: any Clock<Duration>
    private let metrics = Guarded<[String: RequestMetrics]>([:])

    /// Makes an interceptor that counts up to `maximumNames` operations by their names.
    public init(maximumNames: Int = 500, clock: any Clock<Duration> = ContinuousClock()) {
        self.maximumNames = maximumNames
        self.clock = clock
    }

    /// The counts at this moment, by the names of operations.
    public var snapshot: [String: RequestMetrics] { metrics.withLock(\.self) }

    /// Sends the request on and counts it.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        let name = begin(request.operationName)
        let time = ElapsedTime(on: clock)
        let watched = RequestReport.adding(to: request) { [weak self] event in
            if case .retry = event { self?.change(name) { $0.retries += 1 } }
        }
        try await DeliveryCount.watching(watched, next: next, deliver: deliver) { outcome, count in
            let (time, responses, bytes) = (time.value, count.responses, count.bytes)
            change(name) { metrics in
                metrics.responses += responses
                metrics.bytes += bytes
                switch outcome {
                case .answered: metrics.answered += 1
                case .failed: metrics.failed += 1
                case .cancelled: metrics.cancelled += 1
                }
                if outcome != .cancelled, request.kind != .subscription { metrics.latency.add(time) }
            }
        }
    }

    /// Counts a request as started and returns the name under which it is counted.
    private func begin(_ name: String) -> String {
        metrics.withLock { metrics in
            let name = metrics[name] != nil || metrics.count < maximumNames ? name : Self.otherName
            metrics[name, default: RequestMetrics()].started += 1
            return name
        }
    }

    private func change(_ name: String, _ change: @Sendable (inout RequestMetrics) -> Void) {
        metrics.withLock { change(&$0[name, default: RequestMetrics()]) }
    }
}
