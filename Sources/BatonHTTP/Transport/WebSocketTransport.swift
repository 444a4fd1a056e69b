public import Foundation

/// Makes WebSocket connections (RFC 6455). `WebSocketNetwork` uses such connections for GraphQL.
///
/// A transport is called on any thread, several times concurrently. It replies to the protocol's pings by itself.
public protocol WebSocketTransport: Sendable {
    /// Connects, and returns when the handshake is over. Cancelling the calling task gives the connection up.
    ///
    /// - Parameters:
    ///   - url: `ws`, `wss`, `http` or `https`; the latter two stand for the former two.
    ///   - headers: Fields of the handshake besides those of the protocol.
    ///   - subprotocols: The subprotocols that are offered, the preferred one first.
    ///   - maximumMessageSize: A longer message ends the connection with an error.
    /// - Throws: ``HTTPError``; `RelayError.httpStatus` if the server refuses the handshake, with
    ///   ``HTTPHeaders/retryAfter`` of its response.
    func connect(
        to url: URL, headers: HTTPHeaders, subprotocols: [String], maximumMessageSize: Int
    ) async throws -> any WebSocketConnection
}

/// One open WebSocket connection.
///
/// One task reads, and any number of tasks write. Releasing the connection closes it.
public protocol WebSocketConnection: Sendable {
    /// The subprotocol that the server has chosen; nil if it chose none.
    var subprotocol: String? { get }

    /// Sends a text message; messages of one task are sent in order.
    ///
    /// The call waits as long as the server does not read. Cancelling the calling task ends the wait with
    /// `CancellationError` and closes the connection, since a part of the message may be sent. Throws ``HTTPError`` if
    /// the connection has ended.
    func send(_ text: [UInt8]) async throws

    /// Waits for the next message. No message follows `.closed`. Cancelling the calling task ends the wait with
    /// `CancellationError`. Throws ``HTTPError`` when the connection breaks without a close frame.
    func receive() async throws -> WebSocketMessage

    /// Sends a close frame with this code and reason, and ends the connection. Later calls do nothing.
    func close(code: Int, reason: String) async
}

/// A message or event that arrives on a WebSocket connection.
public enum WebSocketMessage: Sendable, Hashable {
    /// A text message in UTF-8. A binary message is given as text too.
    case text([UInt8])
    /// The other side has closed the connection; 1005 is a close without a code.
    case closed(code: Int, reason: String)
}
