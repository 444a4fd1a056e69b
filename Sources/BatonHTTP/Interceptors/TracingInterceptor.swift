public import Baton

/// Makes a span of each request, and sends its ids to the server in the header `traceparent`.
///
/// The span continues the trace in the request's context (``RequestTrace``). Without such a trace, it continues the one
/// in a header `traceparent` that the caller has set, or begins a new trace. Steps behind this one find the span in the
/// context as ``RequestTrace``.
public struct TracingInterceptor: NetworkInterceptor {
    /// The measured time of one request.
    public struct Span: Sendable, Equatable {
        /// The ids that were sent to the server.
        public let id: TraceParent
        /// The span that this one continues; nil at the beginning of a trace.
        public let parent: TraceParent?
        /// The operation's name.
        public let operationName: String
        /// Query, mutation or subscription.
        public let operationKind: OperationKind
        /// The time from the beginning of the request to its end.
        public let duration: Duration
        /// How the request ended.
        public let outcome: RequestEnd
    }

    private let isSampled: Bool
    private let clock: any Clock<Duration>
    private let random: @Sendable () -> UInt64
    private let record: @Sendable (Span) -> Void

    /// Makes an interceptor.
    ///
    /// - Parameters:
    ///   - isSampled: Whether traces that begin here are recorded. A continued trace keeps its own setting.
    ///   - clock: The clock that measures the spans.
    ///   - random: Returns a random number for each half of an id.
    ///   - record: Called with each span when its request is over.
    public init(
        isSampled: Bool = true,
        clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: 1 ... .max) },
        record: @escaping @Sendable (Span) -> Void = { _ in }
    ) {
        self.isSampled = isSampled
        self.clock = clock
        self.random = random
        self.record = record
    }

    /// Sends the request on as a span.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        let parent =
            request.configuration.context[RequestTrace.self] ?? request.header("traceparent").flatMap(TraceParent.init)
        let trace = parent?.traceID ?? (random(), random())
        guard let id = TraceParent(traceID: trace, spanID: random(), isSampled: parent?.isSampled ?? isSampled) else {
            // The random numbers were zeros, which are not valid ids.
            return try await next(request, deliver)
        }
        var request = request
        let stale = request.configuration.headers.keys.filter { $0.lowercased() == "traceparent" }
        for name in stale { request.configuration.headers[name] = nil }
        request.configuration.headers["traceparent"] = id.header
        request.configuration.context[RequestTrace.self] = id
        let (name, kind, time) = (request.operationName, request.kind, ElapsedTime(on: clock))
        try await DeliveryCount.watching(request, next: next, deliver: deliver) { outcome, _ in
            record(
                Span(
                    id: id, parent: parent, operationName: name, operationKind: kind, duration: time.value,
                    outcome: outcome))
        }
    }
}
