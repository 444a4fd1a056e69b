public import Baton
public import Foundation

/// Sends operations to a GraphQL server over one WebSocket, which is made when the first operation needs it.
///
/// The network is meant for subscriptions; queries and mutations go over the WebSocket too. Many operations share the
/// connection. Every method may be called from any thread.
///
/// When the connection is lost, a new one is made after a while (`WebSocketOptions.reconnecting`). Then:
///
/// - subscriptions are started again; events of the time in between are not sent,
/// - queries are sent again, unless a part of their response had come; they fail if the next attempt fails,
/// - mutations fail with ``WebSocketError/outcomeUnknown(cause:)`` if they had been sent, unless
///   `WebSocketOptions.resendsMutations` is set and they have an idempotency key.
///
/// After a fatal error (``WebSocketError/isFatal``) all operations fail. They also fail if the first connection could
/// not be made secure. The next operation begins with a new connection.
///
/// A consumer that does not take its responses stops the reading for all operations, after
/// `WebSocketOptions.maximumWaitingResponses` responses, so that the memory stays bounded.
///
/// The headers of a single request are not sent, since the connection has its own. A request with uploads is refused
/// with `RelayError.configuration`.
public final class WebSocketNetwork: NetworkLayer {
    /// Makes a value for each new connection, such as a payload with a fresh token.
    ///
    /// A thrown error is treated like a failed connection.
    public typealias Fresh<Value> = @Sendable () async throws -> Value

    /// The URL of the endpoint.
    public let url: URL
    private let options: WebSocketOptions
    private let core: SocketCore

    /// Makes a network for one endpoint. Nothing is sent yet.
    ///
    /// - Parameters:
    ///   - url: The endpoint; `ws`, `wss`, `http` or `https`.
    ///   - transport: Makes the connections; nil for the system's: ``CurlWebSocketTransport`` on Linux, and on Apple's
    ///     systems ``URLSessionWebSocketTransport``.
    ///   - options: Times and limits.
    ///   - clock: The clock that measures all times.
    ///   - random: The source of the jitter.
    ///   - headers: Returns header fields for the handshake of each connection.
    ///   - payload: Returns the payload of `connection_init` for each connection; nil for none.
    public init(
        url: URL,
        transport: (any WebSocketTransport)? = nil,
        options: WebSocketOptions = WebSocketOptions(),
        clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        headers: @escaping Fresh<HTTPHeaders> = { [:] },
        payload: @escaping Fresh<JSONValue?> = { nil }
    ) {
        self.url = url
        self.options = options
        let dialing = SocketDialing(
            url: url, transport: transport ?? SystemTransport.makeWebSocket(),
            subprotocols: options.subprotocols.map(\.rawValue),
            maximumMessageSize: options.maximumMessageSize, headers: headers, payload: payload)
        core = SocketCore(SocketMachine(options: options, random: random), dialing, clock)
    }

    deinit {
        core.handle(.shutDown)
        core.endStates()
    }

    /// The state of the connection.
    public var state: WebSocketState { core.current }

    /// The current state, and each later one, until the network ends. A slow reader gets the newest.
    public var states: AsyncStream<WebSocketState> { core.states() }

    /// Closes the connection, for example while the application is in the background.
    ///
    /// Operations wait for `resume`. Operations that would not survive the loss of a connection end.
    public func pause() { core.handle(.pause) }

    /// Makes a new connection, if an operation needs one.
    public func resume() { core.handle(.resume) }

    /// Sends the request and waits for its first response.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        for try await response in responses(to: request) { return response }
        try Task.checkCancellation()
        throw RelayError.noResponse
    }

    /// Sends the request when the stream is first read, and returns its responses.
    ///
    /// The operation is stopped when the reading task is cancelled, or when the stream is no longer used.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        guard request.configuration.uploads.isEmpty else {
            return AsyncThrowingStream { throw RelayError.configuration("A WebSocket cannot send files.") }
        }
        let payload: [UInt8]
        do throws(RelayError) {
            payload = try SocketText.payload(of: request, options)
        } catch {
            return AsyncThrowingStream { throw error }
        }
        let reader = SocketReader(request, payload: payload, core, owner: self)
        return AsyncThrowingStream { try await reader.next() }
    }
}
