public import Baton
public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends operations to a GraphQL server over HTTP: one POST with JSON each.
///
/// Every method may be called from any thread. Nothing is kept between requests: no cookies, no cache, no credentials.
/// A request whose task is cancelled is broken off. What the server answers is handed on as bytes if it is a GraphQL
/// answer, whatever its status; everything else is thrown:
///
/// - `RelayError.httpStatus` for a status that is no success, with the beginning of the body,
/// - `RelayError.contentType` for a success that is no JSON,
/// - `RelayError.noResponse` for a success with an empty body,
/// - `RelayError.transport` with an ``HTTPError`` for what happens on the way,
/// - `RelayError.cancelled`.
///
/// A redirect is followed only with status 307 or 308 and only within the origin of the URL, so that credentials go to
/// no other server and the body is sent again.
///
/// Specification: https://graphql.github.io/graphql-over-http/draft/
public final class HTTPNetwork: NetworkLayer {
    /// Gives headers for a request, for example after refreshing a token.
    ///
    /// It is called before each request, with `timeout` already running, and may throw to fail the request. Names that
    /// the network sets itself, such as `Accept`, can be replaced.
    public typealias Headers = @Sendable (NetworkRequest) async throws -> [String: String]

    /// Where requests go.
    public let url: URL
    private let timeout: Duration
    private let idleTimeout: Duration
    private let maximumBodySize: Int
    private let clock: any Clock<Duration>
    private let headers: Headers
    private let session: URLSession
    private let delegate = HTTPSessionDelegate()

    private static let maximumRedirects = 5

    /// Makes a network for one endpoint.
    ///
    /// - Parameters:
    ///   - url: The endpoint; `http` or `https`.
    ///   - timeout: How long one request may take altogether, headers hook and redirects included.
    ///   - idleTimeout: How long nothing may arrive; it is noticed after at most twice that time.
    ///   - maximumBodySize: How many bytes an answer may have, after decompression.
    ///   - connections: How many requests may be under way at a time; more wait.
    ///   - clock: What both timeouts are measured with.
    ///   - headers: More headers for each request.
    public init(
        url: URL,
        timeout: Duration = .seconds(60),
        idleTimeout: Duration = .seconds(30),
        maximumBodySize: Int = 64 << 20,
        connections: Int = 16,
        clock: any Clock<Duration> = ContinuousClock(),
        headers: @escaping Headers = { _ in [:] }
    ) {
        self.url = url
        self.timeout = timeout
        self.idleTimeout = idleTimeout
        self.maximumBodySize = maximumBodySize
        self.clock = clock
        self.headers = headers
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends the request as a POST and waits for the answer.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        do {
            return try await Deadline.run(
                within: timeout,
                on: clock,
                orThrow: HTTPError.timedOut(after: timeout)
            ) { [self] in try await exchange(request) }
        } catch let error as RelayError {
            throw error
        } catch is CancellationError {
            throw RelayError.cancelled
        } catch {
            throw RelayError.transport(error)
        }
    }

    private func exchange(_ request: NetworkRequest) async throws -> NetworkResponse {
        let headers = try await headers(request)
        let body = Data(request.jsonBody)
        var target = url
        for _ in 0...Self.maximumRedirects {
            let answer = try await post(body, headers, to: target)
            guard let next = try redirect(answer, from: target) else { return try answer.response() }
            target = next
        }
        throw HTTPError.tooManyRedirects(Self.maximumRedirects)
    }

    private func post(_ body: Data, _ headers: [String: String], to url: URL) async throws -> HTTPAnswer {
        try Task.checkCancellation()
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = body
        request.httpShouldHandleCookies = false
        // The session's own timeout counts from the last byte; the clock decides, and this must not come first.
        request.timeoutInterval = 24 * 60 * 60
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(
            "application/graphql-response+json, application/json;q=0.9",
            forHTTPHeaderField: "Accept"
        )
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }

        let task = session.dataTask(with: request)
        let exchange = HTTPExchange(maximumBodySize: maximumBodySize)
        delegate.add(exchange, for: task)
        let watch = Deadline.timer(idleTimeout, on: clock) { [idleTimeout] in
            if exchange.hasProgressed { return true }
            exchange.fail(HTTPError.stalled(after: idleTimeout))
            HTTPSessionDelegate.cancel(task)
            return false
        }
        defer {
            watch.cancel()
            delegate.remove(task)
        }
        return try await withTaskCancellationHandler {
            task.resume()
            return try await exchange.answer()
        } onCancel: {
            exchange.fail(CancellationError())
            HTTPSessionDelegate.cancel(task)
        }
    }

    /// Where to send the request again; nil if the answer is no redirect.
    private func redirect(_ answer: HTTPAnswer, from url: URL) throws -> URL? {
        guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.location else { return nil }
        guard answer.status >= 307, let target = URL(string: location, relativeTo: url)?.absoluteURL,
            Origin(target) == Origin(self.url)
        else {
            throw HTTPError.redirectRefused(status: answer.status, location: location)
        }
        return target
    }
}

/// Scheme, host and port, which together decide who may see credentials.
private struct Origin: Equatable {
    let scheme: String?
    let host: String?
    let port: Int?

    init(_ url: URL) {
        scheme = url.scheme?.lowercased()
        host = url.host?.lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
