public import Baton
import BatonHTTP
public import Metrics

/// Counts requests with swift-metrics.
///
/// | metric | dimensions |
/// |---|---|
/// | counter `graphql_requests` | `operation`, `type`, `end`: `answered`, `failed` or `cancelled` |
/// | timer `graphql_request_duration` | `operation`, `type`; subscriptions left out |
/// | counter `graphql_cache` | `operation`, `result`: `fresh`, `stale`, `confirmed` or `miss` |
///
/// Put it in front of a ``CachingInterceptor``. ``log(_:)`` counts events of an environment:
///
/// | metric | dimensions |
/// |---|---|
/// | counter `graphql_store_checks` | `operation`, `result`: `available`, `stale` or `missing` |
/// | timer `graphql_normalizing_duration`, `graphql_publish_duration` | none |
/// | counter `graphql_notifications` | none |
public struct MeasuringInterceptor: NetworkInterceptor {
    private let factory: any MetricsFactory
    private let now: @Sendable () -> Duration

    /// Makes an interceptor.
    public init(factory: any MetricsFactory = MetricsSystem.factory, clock: some Clock<Duration> = ContinuousClock()) {
        self.factory = factory
        let start = clock.now
        now = { start.duration(to: clock.now) }
    }

    /// Sends the request on and counts it.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        let began = now()
        do {
            try await next(request) { response in
                if request.kind == .query { count(response, request) }
                try await deliver(response)
            }
        } catch {
            let isCancelled = Task.isCancelled || error is CancellationError || error as? RelayError == .cancelled
            end(request, isCancelled ? "cancelled" : "failed", since: began)
            throw error
        }
        end(request, "answered", since: began)
    }

    private func count(_ response: NetworkResponse, _ request: NetworkRequest) {
        let result = response.metadata["cache"] ?? "miss"
        counter("graphql_cache", [("operation", request.operationName), ("result", result)]).increment()
    }

    private func end(_ request: NetworkRequest, _ end: String, since began: Duration) {
        let dimensions = [("operation", request.operationName), ("type", request.kind.rawValue)]
        counter("graphql_requests", dimensions + [("end", end)]).increment()
        guard request.kind != .subscription else { return }
        timer("graphql_request_duration", dimensions).recordNanoseconds((now() - began).nanoseconds)
    }

    /// Counts an event of an environment.
    public func log(_ event: LogEvent) {
        switch event {
        case .checked(let check):
            let result =
                switch check.availability {
                case .available: "available"
                case .stale: "stale"
                case .missing: "missing"
                }
            counter("graphql_store_checks", [("operation", check.operationName), ("result", result)]).increment()
        case .published(let publish):
            if let time = publish.normalizing {
                timer("graphql_normalizing_duration", []).recordNanoseconds(time.nanoseconds)
            }
            timer("graphql_publish_duration", []).recordNanoseconds(publish.duration.nanoseconds)
            counter("graphql_notifications", []).increment(by: Int64(publish.componentsNotified))
        default: break
        }
    }

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
        Counter(label: label, dimensions: dimensions, factory: factory)
    }

    private func timer(_ label: String, _ dimensions: [(String, String)]) -> Metrics.Timer {
        Metrics.Timer(label: label, dimensions: dimensions, factory: factory)
    }
}
