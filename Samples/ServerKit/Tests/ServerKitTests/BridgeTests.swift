import Baton
import BatonHTTP
import InMemoryLogging
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import ServerKit
import Testing
import Tracing

/// Answers each request, or fails with a text that must not be repeated.
struct Origin: NetworkLayer {
    var fields: [String: String] = ["cache-control": "public, max-age=60"]

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        if request.operationName == "Broken" { throw RelayError.httpStatus(500, body: "planted in SQL") }
        return NetworkResponse(body: Array(#"{"data":1}"#.utf8), metadata: fields)
    }
}

func request(_ name: String = "Films", kind: OperationKind = .query) -> NetworkRequest {
    NetworkRequest(
        id: 1, operationName: name, kind: kind, text: "query \(name) { films }", variables: [.init("text", "planted")])
}

@Suite struct BridgeTests {
    @Test func aLogHasNamesAndKindsOnly() async throws {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test", factory: { _ in handler })
        logger.logLevel = .trace
        let network = Origin().intercepted(by: LoggingInterceptor { [logger] in logger.log($0) })
        _ = try await network.send(request())
        await #expect(throws: RelayError.self) { try await network.send(request("Broken")) }
        let entries = handler.entries
        #expect(entries.map { "\($0.message)" }.filter { $0 == "graphql request ended" }.count == 2)
        #expect(entries.last?.level == .error && entries.last?.metadata["error"] == "status 500")
        #expect(entries.first?.metadata["graphql.operation.name"] == "Films")
        #expect(entries.first?.metadata["graphql.operation.type"] == "query")
        #expect(entries.first?.metadata["graphql.variables"] == "text")
        #expect(!"\(entries)".contains("planted"))
    }

    @Test func requestsAndTheCacheAreCounted() async throws {
        let metrics = TestMetrics()
        let network = Origin().intercepted(by: MeasuringInterceptor(factory: metrics), CachingInterceptor())
        for _ in 0..<3 { _ = try await network.send(request()) }
        await #expect(throws: RelayError.self) { try await network.send(request("Broken")) }
        func count(_ label: String, _ dimensions: [(String, String)]) throws -> Int64 {
            try metrics.expectCounter(label, dimensions).totalValue
        }
        #expect(
            try count("graphql_requests", [("operation", "Films"), ("type", "query"), ("end", "answered")]) == 3)
        #expect(try count("graphql_requests", [("operation", "Broken"), ("type", "query"), ("end", "failed")]) == 1)
        #expect(try count("graphql_cache", [("operation", "Films"), ("result", "miss")]) == 1)
        #expect(try count("graphql_cache", [("operation", "Films"), ("result", "fresh")]) == 2)
        let timer = try metrics.expectTimer("graphql_request_duration", [("operation", "Films"), ("type", "query")])
        #expect(timer.values.count == 3)
    }

    @Test func changesOfAStoreAreCountedAndTraced() async throws {
        let (metrics, tracer) = (TestMetrics(), InMemoryTracer())
        let (measuring, spans) = (MeasuringInterceptor(factory: metrics), SpanInterceptor(tracer: tracer))
        let environment = RelayEnvironment(
            network: Origin(),
            log: { event in
                measuring.log(event)
                spans.log(event)
            })
        environment.invalidate()
        try environment.update { store in _ = try store.create("client:1", type: "Film") }
        #expect(try metrics.expectTimer("graphql_publish_duration").values.isEmpty == false)
        #expect(tracer.finishedSpans.contains { $0.operationName == "graphql.notify" })
    }

    @Test func requestsAndCacheHitsAreSpansOfThePage() async throws {
        let tracer = InMemoryTracer()
        let page = tracer.startSpan("page", context: .topLevel)
        let network = Origin().intercepted(
            by: SpanInterceptor(tracer: tracer, parent: page.context), CachingInterceptor(partition: { _ in "" }))
        _ = try await network.send(request())
        await #expect(throws: RelayError.self) { try await network.send(request("Broken")) }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["query Films", "query Broken"])
        #expect(spans.allSatisfy { $0.traceID == page.traceID && $0.parentSpanID == page.spanID })
        #expect(spans[0].kind == .client && spans[0].attributes.get("graphql.document") == nil)
        #expect(spans[0].attributes.get("graphql.operation.name") == .string("Films"))
        #expect(spans[0].attributes.get("graphql.operation.type") == .string("query"))
        #expect(spans[1].status?.code == .error && spans[1].status?.message == "status 500")
        #expect(spans[1].errors.isEmpty && !"\(spans)".contains("planted"))
        #expect(tracer.performedContextInjections.count == 2)
    }

    @Test func aCacheHitIsASpanOfItsRequest() async throws {
        let tracer = InMemoryTracer()
        let hit = Origin(fields: ["cache": "fresh"])
        let network = hit.intercepted(by: SpanInterceptor(tracer: tracer, parent: .topLevel, showsDocument: true))
        _ = try await network.send(request())
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["graphql.cache", "query Films"])
        #expect(spans[0].parentSpanID == spans[1].spanID)
        #expect(spans[0].attributes.get("graphql.cache.result") == .string("fresh"))
        #expect(spans[1].attributes.get("graphql.document") == .string("query Films { films }"))
    }
}
