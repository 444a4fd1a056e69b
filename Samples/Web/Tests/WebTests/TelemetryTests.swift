import Baton
import BatonTesting
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import StarWarsComponents
import Testing

@testable import Web

/// What those learn of the site who run it.
@Suite struct TelemetryTests {
    private let tracer = InMemoryTracer()
    private let metrics = TestMetrics()
    private let logs = InMemoryLogHandler()

    private func site(_ network: any NetworkLayer) -> Site {
        var logger = Logger(label: "test", factory: { [logs] _ in logs })
        logger.logLevel = .trace
        let telemetry = Telemetry(logger: logger, metrics: metrics, tracer: tracer)
        return Site(network: network, freshFor: .seconds(60), telemetry: telemetry)
    }

    private func visit(_ site: Site, _ paths: [String]) async throws {
        try await Application(router: Routes(site: site).router).test(.router) { client in
            for path in paths { try await client.execute(uri: path, method: .get) }
        }
    }

    @Test func aPageAndItsQueryAreSpansOfOneTrace() async throws {
        try await visit(site(EmbeddedService()), ["/characters?after=planted"])
        let spans = tracer.finishedSpans
        let page = try #require(spans.first { $0.operationName == "GET /characters" })
        let query = try #require(spans.first { $0.operationName == "query CharacterPageQuery" })
        #expect(page.kind == .server && query.kind == .client)
        #expect(query.parentSpanID == page.spanID && query.traceID == page.traceID)
        #expect(query.attributes["graphql.operation.name"]?.toSpanAttribute() == .string("CharacterPageQuery"))
        #expect(query.attributes["graphql.operation.type"]?.toSpanAttribute() == .string("query"))
        #expect(query.attributes["graphql.document"] == nil)
        #expect(spans.contains { $0.operationName == "graphql.normalize" })
        #expect(spans.contains { $0.operationName == "graphql.notify" })
        #expect(!spans.contains { "\($0.operationName) \($0.attributes)".contains("planted") })
    }

    @Test func requestsAreCounted() async throws {
        try await visit(site(EmbeddedService()), ["/", "/", "/films/none"])
        func count(_ route: String, _ status: String) throws -> Int64 {
            try metrics.expectCounter("web_requests", [("route", route), ("status", status)]).totalValue
        }
        #expect(try count("/", "200") == 2)
        #expect(try count("/films/{id}", "404") == 1)
        let dimensions = [("operation", "FilmListQuery"), ("type", "query"), ("end", "answered")]
        #expect(try metrics.expectCounter("graphql_requests", dimensions).totalValue == 1)
    }

    @Test func aFailureIsInTheLogWithoutAWordOfTheServer() async throws {
        let service = try SagaService.make()
        service.fail(RelayError.httpStatus(500, body: "planted in SQL"))
        try await visit(site(service), ["/films/planted"])
        let entry = try #require(logs.entries.first { $0.level == .error })
        #expect(entry.metadata["graphql.operation.name"] == "FilmDetailQuery")
        #expect(entry.metadata["error"] == "status 500")
        #expect(!"\(logs.entries)".contains("planted"))
        #expect(
            tracer.finishedSpans.contains {
                $0.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(502)
            })
    }

    @Test func aSiteThatNobodyWatchesMeasuresNothing() {
        #expect(!Telemetry(logger: Logger(label: "test")).isOn)
        #expect(site(MockNetwork()).telemetry.isOn)
    }
}
