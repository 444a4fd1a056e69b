public import Baton
public import Foundation
import Synchronization

/// Sends operations to a GraphQL server over HTTP.
///
/// Each operation is one POST with a JSON body, or a GET if that is wanted. The response is one JSON text, or several
/// parts: `multipart/mixed` or an event stream, for subscriptions and incremental queries. Files of a request are sent
/// as a multipart form.
///
/// Every method may be called from any thread. Cancelling the task of a request closes its exchange. A GraphQL response
/// is returned as bytes, whatever its HTTP status. All other responses and failures throw:
///
/// - `RelayError.httpStatus` for an error status, with the beginning of the body,
/// - `RelayError.transport` with ``HTTPError/notAcceptable(accept:body:)`` for the status 406,
/// - `RelayError.contentType` for a success whose body is not JSON,
/// - `RelayError.transport` with ``HTTPError/emptyBody(status:)`` for a success with an empty body,
/// - `RelayError.configuration` for a request that cannot be sent,
/// - `RelayError.transport` with an ``HTTPError`` for a failure of the transport,
/// - `RelayError.cancelled` for a cancelled task.
///
/// No error repeats the credentials of the request: where the server's text has the value of one of the request's
/// header fields, `***` replaces the value. Text of the server is cut to 500 bytes.
///
/// The `metadata` of a response has the `status` and all header fields by their names in lower case. A request with
/// `If-None-Match` or `If-Modified-Since` may get a response with an empty body and the status 304.
///
/// A redirect is followed only within the origin of the URL, and only with the same method. Credentials therefore reach
/// no other server, and the body is sent again.
///
/// A mutation carries its idempotency key in the header `Idempotency-Key`, which stays the same whenever the mutation
/// is sent again. A server that recognizes keys carries it out once.
///
/// `RequestConfiguration.headers` of a request replace the network's headers of the same names, without regard to case.
///
/// Specification: https://graphql.github.io/graphql-over-http/draft/
public final class HTTPNetwork: NetworkLayer {
    /// Returns headers for a request, for example after refreshing a token.
    ///
    /// The closure is called once for each request, while `timeout` already runs. An error that it throws fails the
    /// request. It may replace headers that the network sets itself, such as `Accept`.
    public typealias Headers = @Sendable (NetworkRequest) async throws -> HTTPHeaders

    /// The URL that requests are sent to.
    public let url: URL
    let transport: any HTTPTransport
    let documents: DocumentTransfer
    let useGETForQueries: Bool
    let maximumURLLength: Int
    let maximumBodySize: Int
    let idempotencyKeyHeader: String?
    let headers: Headers
    let remembered = RememberedDocuments()
    private let hasResponse = Atomic(false)
    private let totalTime: TimeLimit
    private let idleTime: TimeLimit

    /// Makes a network for one endpoint.
    ///
    /// - Parameters:
    ///   - url: The endpoint; `http` or `https`. Its own query is kept.
    ///   - transport: Sends the requests; nil for the system's: ``CurlTransport`` on Linux, and on Apple's systems
    ///     ``URLSessionTransport``.
    ///   - documents: What stands for the document in a request.
    ///   - useGETForQueries: True if queries are sent with GET. ``UsesGET`` says otherwise for one request.
    ///   - maximumURLLength: A query whose URL would have more bytes is sent with POST.
    ///   - timeout: The longest time until the response is there, including `headers`, redirects and the sending of
    ///     files. For a response in parts, the first part ends this time; for a subscription, the beginning of its
    ///     stream does. A `timeout` in the configuration of a query or mutation replaces this one, shorter or longer,
    ///     and is watched by the environment.
    ///   - silenceTimeout: The longest time without a received byte; a longer silence is noticed after at most twice
    ///     that time. The limit holds for streams too, whose servers send bytes now and then to keep them alive. A
    ///     query or mutation with a longer `timeout` of its own has that time until the head of its response is there.
    ///   - maximumBodySize: The largest response, or part of one, in bytes after decompression.
    ///   - idempotencyKeyHeader: The header in which the idempotency key of a mutation is sent, with each attempt. A
    ///     header of that name that the request or `headers` has set is kept. Mutations that are sent together have
    ///     their keys as `extensions.idempotencyKey` instead. Nil to send no keys.
    ///   - clock: The clock that measures both timeouts.
    ///   - headers: Returns further headers for each request.
    public init(
        url: URL,
        transport: (any HTTPTransport)? = nil,
        documents: DocumentTransfer = .text,
        useGETForQueries: Bool = false,
        maximumURLLength: Int = 8_000,
        timeout: Duration = .seconds(60),
        silenceTimeout: Duration = .seconds(30),
        maximumBodySize: Int = 64 << 20,
        idempotencyKeyHeader: String? = "Idempotency-Key",
        clock: any Clock<Duration> = ContinuousClock(),
        headers: @escaping Headers = { _ in [:] }
    ) {
        self.url = url
        self.transport = transport ?? SystemTransport.makeHTTP()
        self.documents = documents
        self.useGETForQueries = useGETForQueries
        self.maximumURLLength = maximumURLLength
        totalTime = TimeLimit(timeout, on: clock)
        idleTime = TimeLimit(silenceTimeout, on: clock)
        self.maximumBodySize = maximumBodySize
        self.idempotencyKeyHeader = idempotencyKeyHeader
        self.headers = headers
    }

    /// Sends the request and waits for its first response; later ones are not read.
    ///
    /// - Throws: A `RelayError`; see the type.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        do {
            for try await response in responses(to: request) { return response }
        } catch let error as RelayError {
            throw error
        } catch {
            throw RelayError.cancelled
        }
        throw Task.isCancelled ? RelayError.cancelled : RelayError.noResponse
    }

    /// Sends the request and returns its responses as they arrive. A slow reader makes the transport wait.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        .delivering { [self] deliver, giveUp in try await run(request, deliver: deliver, giveUp: giveUp) }
    }

    /// Notes that the server has answered, so that the scheme of the URL is right.
    func noteResponse() { hasResponse.store(true, ordering: .relaxed) }

    /// Makes a guess about the scheme of the URL.
    var schemeGuess: SchemeGuess { SchemeGuess(url, hasResponded: hasResponse.load(ordering: .relaxed)) }
}

extension HTTPNetwork: DirectNetwork {
    package func run(
        _ request: NetworkRequest, deliver: @escaping NetworkInterceptor.Deliver,
        giveUp: @escaping @Sendable (any Error) -> Void
    ) async throws {
        try await watched(request, giveUp) { watch in try await HTTPCall(request, self, watch, deliver).run() }
    }

    /// Sends several requests as one, with a JSON array as its body, and returns the response to all of them.
    ///
    /// The headers and the timeouts are those of the first request.
    ///
    /// - Throws: `RelayError.httpStatus` for a response that is neither a success nor an array.
    func sendTogether(_ requests: [NetworkRequest]) async throws -> NetworkResponse {
        guard let first = requests.first else { return NetworkResponse(body: Array("[]".utf8)) }
        let responses = AsyncThrowingStream<NetworkResponse, any Error>.delivering { [self] deliver, giveUp in
            try await watched(first, giveUp) { watch in
                try await HTTPCall(first, self, watch, deliver).run(together: requests)
            }
        }
        for try await response in responses { return response }
        throw Task.isCancelled ? RelayError.cancelled : RelayError.noResponse
    }

    /// Runs a call within the time limits, and throws a `RelayError`.
    private func watched(
        _ request: NetworkRequest, _ giveUp: @escaping @Sendable (any Error) -> Void,
        _ call: (RequestWatch) async throws -> Void
    ) async throws {
        let hasOwnTimeout = request.configuration.timeout != nil && request.kind != .subscription
        let total = hasOwnTimeout ? nil : totalTime
        let patience = hasOwnTimeout ? request.configuration.timeout : nil
        let watch = RequestWatch(total: total, idle: idleTime, patience: patience) { [totalTime] limit in
            let isTotal = limit === totalTime
            let error: HTTPError = isTotal ? .timedOut(after: limit.duration) : .stalled(after: limit.duration)
            giveUp(RelayError.transport(error))
        }
        watch.begin()
        defer { watch.end() }
        do { try await call(watch) } catch { throw Self.relayError(error) }
    }

    /// The error that a request fails with.
    ///
    /// This work stands in a function of its own, because the task of the caller would keep room for the error all the
    /// time.
    @inline(never)
    private static func relayError(_ error: any Error) -> any Error {
        switch error {
        case is RelayError: error
        case is CancellationError: RelayError.cancelled
        default: RelayError.transport(error)
        }
    }
}
