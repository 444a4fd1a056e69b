import Baton

/// Carries events from steps near the network to steps nearer to the caller.
///
/// A step that wants these events puts a report into the context of the request. Each report passes its events on to
/// the report that was there before.
final class RequestReport: Sendable, Hashable {
    /// An event that a step reports.
    enum Event: Sendable {
        /// The request is sent again after the delay; the number counts from 1.
        case retry(Int, after: Duration, because: RelayError)
        /// The response depends on credentials that the configuration of the request does not have.
        case credentials
        /// The application has refused a credential for the request, so that sending the request again would fail too.
        case refusedCredential
        /// The stream of a subscription is open. No response has arrived so far.
        case opened
    }

    private let outer: RequestReport?
    private let receive: @Sendable (Event) -> Void

    private init(outer: RequestReport?, receive: @escaping @Sendable (Event) -> Void) {
        self.outer = outer
        self.receive = receive
    }

    /// Returns the same request, which reports to `receive` too.
    static func adding(
        to request: NetworkRequest, _ receive: @escaping @Sendable (Event) -> Void
    ) -> NetworkRequest {
        var request = request
        let outer = request.configuration.context[RequestReportKey.self]
        request.configuration.context[RequestReportKey.self] = RequestReport(outer: outer, receive: receive)
        return request
    }

    func report(_ event: Event) {
        receive(event)
        outer?.report(event)
    }

    static func == (left: RequestReport, right: RequestReport) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private enum RequestReportKey: RequestContextKey {
    static var defaultValue: RequestReport? { nil }
    static var affectsResponse: Bool { false }
}

extension NetworkRequest {
    /// Tells the steps nearer to the caller.
    func note(_ event: RequestReport.Event) { configuration.context[RequestReportKey.self]?.report(event) }
}
