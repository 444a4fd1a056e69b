public import Baton
public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends operations to a GraphQL server over HTTP, each as one POST with a JSON body.
///
/// Every method may be called from any thread. The network keeps no cookies, no cache and no credentials between
/// requests. Cancelling the task of a request breaks the request off. A GraphQL response is returned as bytes, whatever
/// its HTTP status; everything else throws:
///
/// - `RelayError.httpStatus` for an error status, with the beginning of the body,
/// - `RelayError.contentType` for a success whose body is not JSON,
/// - `RelayError.noResponse` for a success with an empty body,
/// - `RelayError.transport` with an ``HTTPError`` for a failure of the transport,
/// - `RelayError.cancelled` for a cancelled task.
///
/// A redirect is followed only with status 307 or 308, and only within the origin of the URL. Credentials therefore
/// reach no other server, and the body is sent again.
///
/// `RequestConfiguration.headers` of a request replace equal names of the network's own. A request with
/// `RequestConfiguration.uploads` is refused with `RelayError.configuration`.
///
/// Specification: https://graphql.github.io/graphql-over-http/draft/
public final class HTTPNetwork: NetworkLayer {
    /// Returns headers for a request, for example after refreshing a token.
    ///
    /// The closure is called once for each request, while `timeout` already runs. An error that it throws fails the
    /// request. It may replace headers that the network sets itself, such as `Accept`.
    public typealias Headers = @Sendable (NetworkRequest) async throws -> [String: String]

    /// The URL that requests are sent to.
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
    ///   - timeout: The longest time for one request, including `headers` and redirects.
    ///   - idleTimeout: The longest time without a received byte; it is noticed after at most twice that time.
    ///   - maximumBodySize: The largest body of an answer in bytes, after decompression.
    ///   - connections: The number of requests that may be in flight at a time; further requests wait.
    ///   - clock: The clock that measures both timeouts.
    ///   - headers: Returns further headers for each request.
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
    ///
    /// - Throws: A `RelayError`; see the type.
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
        guard request.configuration.uploads.isEmpty else {
            throw RelayError.configuration("This network cannot send files.")
        }
        // What the caller says about one request counts more than what the network says about all.
        let headers = try await headers(request).merging(request.configuration.headers) { $1 }
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
        // The session's own timeout must never end a request before the timeouts of `clock` do.
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

    /// The URL that a redirect leads to; nil if the answer is not a redirect.
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

/// Scheme, host and port of a URL; credentials are sent to one origin only.
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
