import Baton

/// Carries what steps near the network have to say to steps nearer to the caller.
///
/// A step that wants to know puts a report into the context of the request. Its own reports go on to the one that was
/// there before.
final class RequestReport: Sendable, Hashable {
    /// What is reported.
    enum Event: Sendable {
        /// The request is sent again after the delay; the number counts from 1.
        case retry(Int, after: Duration, because: RelayError)
        /// The answer depends on credentials that the request's configuration did not have.
        case credentials
        /// Nobody gives the request a credential, for a reason of the application that sending again does not mend.
        case refusedCredential
        /// The stream of a subscription is open; nothing has come over it so far.
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
    static var affectsAnswer: Bool { false }
}

extension NetworkRequest {
    /// Tells the steps nearer to the caller.
    func note(_ event: RequestReport.Event) { configuration.context[RequestReportKey.self]?.report(event) }
}
