public import Baton
public import Foundation

/// Sends operations to a server that returns all results over one event stream (graphql-sse, single connection mode).
///
/// The stream is opened with the first operation, and closed some time after the last one has ended. Clients and
/// servers that speak HTTP/1.1 open few connections to one host; this network needs one for any number of
/// subscriptions.
///
/// A broken stream is opened again as ``ReconnectPolicy`` says. Subscriptions are then sent again, and so are queries
/// without a response so far. A mutation that was sent fails, since the server may have carried it out; its idempotency
/// key is `extensions.idempotencyKey`. Handles of subscriptions are told the state. The first failure to connect fails
/// the operations that wait for the connection.
///
/// Methods may be called from any thread. A request is over at its last response. Cancelling the reading task stops
/// the operation on the server.
///
/// Specification: https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#single-connection-mode
public final class EventStreamNetwork: NetworkLayer {
    /// Returns header fields for each HTTP request, for example credentials.
    public typealias Headers = @Sendable () async throws -> HTTPHeaders

    private let shell: EventStreamShell

    /// Makes a network for one endpoint.
    ///
    /// - Parameters:
    ///   - url: The endpoint; `http` or `https`.
    ///   - transport: What sends the HTTP requests; nil for the system's, as with ``HTTPNetwork``.
    ///   - policy: When and how often a broken stream is opened again.
    ///   - timeout: The longest time for the head of each HTTP response.
    ///   - silenceTimeout: The longest time without a byte on the open stream, comments included; a longer silence
    ///     counts as a break. Set it if the server sends pings, to notice a connection that was lost without a sign.
    ///   - idleTime: The time that the stream stays open without operations.
    ///   - maximumEventSize: The largest event in bytes; a larger one breaks the stream.
    ///   - maximumWaitingResponses: The number of responses that may wait for a slow reader of an operation, which
    ///     fails then.
    ///   - documentIDs: Where the server expects the id of a document (trusted documents). The texts are not sent then,
    ///     and an operation without an id is refused. Nil to send the text, and the id beside the text if there is one.
    ///   - clock: The clock that measures all times.
    ///   - random: The source of the jitter.
    ///   - headers: Further header fields of each request.
    public init(
        url: URL, transport: (any HTTPTransport)? = nil, reconnecting policy: ReconnectPolicy = ReconnectPolicy(),
        timeout: Duration = .seconds(30), silenceTimeout: Duration? = nil, idleTime: Duration = .seconds(10),
        maximumEventSize: Int = 16 << 20,
        maximumWaitingResponses: Int = 1000, documentIDs: DocumentIDShape? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        headers: @escaping Headers = { [:] }
    ) {
        shell = EventStreamShell(
            engine: EventStreamEngine(policy: policy, idleTime: idleTime, random: random),
            exchanges: EventStreamExchanges(
                url: url, transport: transport ?? SystemTransport.makeHTTP(), timeout: timeout,
                silenceTimeout: silenceTimeout,
                limit: maximumEventSize, clock: clock, headers: headers),
            maximumWaitingResponses: maximumWaitingResponses, documentIDs: documentIDs)
    }

    deinit { shell.end() }

    /// Sends the request and waits for its first response.
    ///
    /// - Throws: A `RelayError`, with an `RelayError.StreamError` or ``HTTPError`` for a failure on the way.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        for try await response in responses(to: request) { return response }
        try Task.checkCancellation()
        throw RelayError.noResponse
    }

    /// Sends the request and returns its responses as they arrive.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        let shell = shell
        return .delivering { deliver in
            guard request.configuration.uploads.isEmpty else {
                throw RelayError.configuration("This network cannot send files.")
            }
            for try await response in try shell.responses(to: request) {
                try await deliver(response)
                if !response.hasNext { return }
            }
            try Task.checkCancellation()
        }
    }
}
