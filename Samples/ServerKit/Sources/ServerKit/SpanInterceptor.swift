public import Baton
import BatonHTTP
public import Tracing

/// Makes spans with swift-distributed-tracing: of requests and cache hits, and by ``log(_:)`` of the work on their
/// responses.
///
/// | span | attributes |
/// |---|---|
/// | `query Films` | `graphql.operation.name`, `graphql.operation.type`, `graphql.document` if it is asked for |
/// | `graphql.cache` | `graphql.operation.name`, `graphql.cache.result`: `fresh`, `stale` or `confirmed` |
/// | `graphql.normalize` | `graphql.records.written`, and the name of the operation |
/// | `graphql.notify` | `graphql.components.notified` |
///
/// An environment of one page gets an interceptor of its own, with the context of the page as the parent of all spans.
/// The tracer writes the headers that carry the trace on, such as `traceparent`. Put this step in front of a
/// ``CachingInterceptor``, which does not compare the headers of the usual tracers.
public struct SpanInterceptor: NetworkInterceptor {
    private let tracer: any Tracer
    private let parent: ServiceContext?
    private let showsDocument: Bool

    /// Makes an interceptor.
    ///
    /// - Parameters:
    ///   - tracer: The tracer that records the spans.
    ///   - parent: The context of the page; nil for that of the task at the time of a request.
    ///   - showsDocument: Whether spans have the text of the operation.
    public init(
        tracer: any Tracer = InstrumentationSystem.tracer, parent: ServiceContext? = ServiceContext.current,
        showsDocument: Bool = false
    ) {
        self.tracer = tracer
        self.parent = parent
        self.showsDocument = showsDocument
    }

    private var context: ServiceContext { parent ?? ServiceContext.current ?? .topLevel }

    /// Sends the request on as a span.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        let span = tracer.startSpan(
            "\(request.kind.rawValue) \(request.operationName)", context: context, ofKind: .client)
        defer { span.end() }
        span.attributes["graphql.operation.name"] = request.operationName
        span.attributes["graphql.operation.type"] = request.kind.rawValue
        if showsDocument, let text = request.text { span.attributes["graphql.document"] = text }
        let context = span.context
        var sent = request
        tracer.inject(context, into: &sent.configuration.headers, using: HeaderInjector())
        do {
            try await ServiceContext.$current.withValue(context) { [sent, context] in
                try await next(sent) { response in
                    note(response, request.operationName, context)
                    try await deliver(response)
                }
            }
        } catch {
            // The error itself may repeat what a server says, so that only its kind is recorded.
            let label = (error as? RelayError)?.label ?? (error is CancellationError ? "cancelled" : "transport")
            span.attributes["error.type"] = label
            span.setStatus(SpanStatus(code: .error, message: label))
            throw error
        }
    }

    private func note(_ response: NetworkResponse, _ operation: String, _ context: ServiceContext) {
        guard let result = response.metadata["cache"] else { return }
        let span = tracer.startSpan("graphql.cache", context: context)
        span.attributes["graphql.operation.name"] = operation
        span.attributes["graphql.cache.result"] = result
        span.end()
    }

    /// Makes spans of events of an environment.
    public func log(_ event: LogEvent) {
        guard case .published(let publish) = event else { return }
        let end = DefaultTracerClock.now.nanosecondsSinceEpoch
        let began = end &- UInt64(publish.duration.nanoseconds)
        if let time = publish.normalizing {
            let start = SpanInstant(nanosecondsSinceEpoch: began &- UInt64(time.nanoseconds))
            let span = tracer.startSpan("graphql.normalize", context: context, at: start)
            span.attributes["graphql.records.written"] = publish.recordsWritten
            if case .response(let name, _) = publish.source { span.attributes["graphql.operation.name"] = name }
            span.end(at: SpanInstant(nanosecondsSinceEpoch: began))
        }
        let span = tracer.startSpan("graphql.notify", context: context, at: SpanInstant(nanosecondsSinceEpoch: began))
        span.attributes["graphql.components.notified"] = publish.componentsNotified
        span.end(at: SpanInstant(nanosecondsSinceEpoch: end))
    }

    private struct HeaderInjector: Injector {
        func inject(_ value: String, forKey key: String, into headers: inout [String: String]) { headers[key] = value }
    }

    private struct SpanInstant: TracerInstant {
        let nanosecondsSinceEpoch: UInt64

        static func < (left: SpanInstant, right: SpanInstant) -> Bool {
            left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
        }
    }
}
