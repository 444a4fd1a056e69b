import HTTPTypes
import Hummingbird
import Metrics
import Tracing

/// Makes a span of each request, and counts and times it. The names have the pattern of the address: nothing of what
/// visitors ask for.
struct RequestWatch: RouterMiddleware {
    typealias Context = BasicRequestContext

    let telemetry: Telemetry

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let tracer = telemetry.tracer
        var parent = ServiceContext.current ?? .topLevel
        tracer.extract(request.headers, into: &parent, using: Headers())
        let began = ContinuousClock.now
        return try await tracer.withSpan("\(request.method)", context: parent, ofKind: .server) { span in
            span.attributes["http.request.method"] = request.method.rawValue
            let response = try await next(request, context)
            let (route, status) = (context.endpointPath ?? "none", response.status.code)
            span.operationName = "\(request.method) \(route)"
            span.attributes["http.route"] = route
            span.attributes["http.response.status_code"] = status
            if status >= 500 { span.setStatus(SpanStatus(code: .error)) }
            let dimensions = [("route", route), ("status", "\(status)")]
            Counter(label: "web_requests", dimensions: dimensions, factory: telemetry.metrics).increment()
            let timer = Metrics.Timer(
                label: "web_request_duration", dimensions: [("route", route)], factory: telemetry.metrics)
            timer.recordNanoseconds(Int64((ContinuousClock.now - began) / .nanoseconds(1)))
            return response
        }
    }

    private struct Headers: Extractor {
        func extract(key: String, from headers: HTTPFields) -> String? {
            HTTPField.Name(key).flatMap { headers[$0] }
        }
    }
}
