import Baton
import Logging
import Metrics
import ServerKit
import Tracing

/// How the site is watched: by a log, by metrics and by traces. The program has those with which the process was
/// started (`LoggingSystem`, `MetricsSystem`, `InstrumentationSystem`); a site of your own starts them in `Program`.
struct Telemetry: Sendable {
    let logger: Logger
    let metrics: any MetricsFactory
    let tracer: any Tracer
    private let measuring: MeasuringInterceptor
    private let spans: SpanInterceptor

    init(
        logger: Logger, metrics: any MetricsFactory = MetricsSystem.factory,
        tracer: any Tracer = InstrumentationSystem.tracer
    ) {
        (self.logger, self.metrics, self.tracer) = (logger, metrics, tracer)
        measuring = MeasuringInterceptor(factory: metrics)
        // The shared environment serves all pages: a request is a part of the page that waits for it first.
        spans = SpanInterceptor(tracer: tracer, parent: nil)
    }

    /// True if anybody collects what requests are measured by.
    var isOn: Bool { !(metrics is NOOPMetricsHandler) || !(tracer is NoOpTracer) }

    /// The network with its requests counted and traced, in front of a cache.
    func watching(_ network: any NetworkLayer) -> any NetworkLayer { network.intercepted(by: [measuring, spans]) }

    func log(_ event: Baton.LogEvent) {
        logger.log(event)
        measuring.log(event)
        spans.log(event)
    }
}
