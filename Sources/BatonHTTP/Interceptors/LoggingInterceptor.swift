public import Baton

/// Calls a closure with the events of each request.
///
/// Events of one request come in order: `began`, then retries and responses, and `ended` exactly once. The closure is
/// called on any thread, while no lock is held, and the request waits for it.
///
/// By default an event shows the names of variables and no header; see ``Detail``. Put this interceptor first, so that
/// it sees each request as the application makes it, and everything that the other steps do.
public struct LoggingInterceptor: NetworkInterceptor {
    /// The parts of a request's content that events show.
    public struct Detail: Sendable {
        /// Returns the text for a variable; nil hides the variable, its name included.
        public var variable: @Sendable (_ name: String, _ value: JSONValue) -> String?
        /// The names of the headers whose values are shown, without regard to case.
        public var headers: Set<String>

        /// Makes a choice; by default events show the names of variables and no header.
        public init(
            headers: Set<String> = [],
            variable: @escaping @Sendable (_ name: String, _ value: JSONValue) -> String? = { name, _ in name }
        ) {
            self.variable = variable
            self.headers = headers
        }

        /// Shows the values of all variables, except for variables with the given names, whose values are replaced by
        /// dots. For a secret inside an input object, give the name of the whole variable.
        public static func values(except secrets: Set<String>, headers: Set<String> = []) -> Detail {
            Detail(headers: headers) { name, value in "\(name): \(secrets.contains(name) ? "..." : value.text)" }
        }
    }

    private let detail: Detail
    private let clock: any Clock<Duration>
    private let log: @Sendable (NetworkEvent) -> Void

    /// Makes an interceptor that calls `log` with each event.
    public init(
        detail: Detail = Detail(), clock: any Clock<Duration> = ContinuousClock(),
        log: @escaping @Sendable (NetworkEvent) -> Void
    ) {
        self.detail = detail
        self.clock = clock
        self.log = log
    }

    /// Sends the request on and logs its events.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        let line = Line(request, detail, ElapsedTime(on: clock), log)
        line.write(.began)
        let watched = RequestReport.adding(to: request) { event in
            if case .retry(let number, let delay, let error) = event {
                line.write(.retry(number, after: delay, because: error))
            }
        }
        try await DeliveryCount.watching(watched, next: next, deliver: deliver) { response in
            line.write(
                .response(status: response.status, bytes: response.body.count, hasNext: response.hasNext))
        } ended: { outcome, count in
            line.write(.ended(outcome, responses: count.responses, bytes: count.bytes))
        }
    }

    /// Logs the events of one request.
    private struct Line: Sendable {
        let request: NetworkRequest
        let variables: [String]
        let headers: [String: String]
        let time: ElapsedTime
        let log: @Sendable (NetworkEvent) -> Void

        init(
            _ request: NetworkRequest, _ detail: Detail, _ time: ElapsedTime,
            _ log: @escaping @Sendable (NetworkEvent) -> Void
        ) {
            self.request = request
            self.time = time
            self.log = log
            variables = request.variables.compactMap { detail.variable($0.name, $0.value) }
            let shown = Set(detail.headers.map { $0.lowercased() })
            headers = request.configuration.headers.filter { shown.contains($0.key.lowercased()) }
        }

        func write(_ kind: NetworkEvent.Kind) {
            log(
                NetworkEvent(
                    requestID: request.id, operationName: request.operationName, operationKind: request.kind,
                    kind: kind, time: time.value, variables: variables, headers: headers))
        }
    }
}
