public import Baton

/// The reason why an operation over a WebSocket ended without its response; `RelayError.transport` holds it.
///
/// A failure of the connection itself is an ``HTTPError``, as with any other transport.
public enum WebSocketError: Error, Sendable, Hashable {
    /// The server closed the connection. The reason is the server's text of at most 123 bytes. In this text, `***`
    /// replaces values of the payload and of the header fields with which the connection began.
    case closed(code: Int, reason: String)
    /// The server refused the connection in the older protocol (`connection_error`), with this message.
    case refused(String)
    /// The server chose a subprotocol that was not offered; nil if it chose none at all.
    case unknownSubprotocol(String?)
    /// The server sent a message that its protocol does not allow. The text explains the defect without quoting the
    /// message.
    case invalidMessage(String)
    /// The server sent a message of more bytes than the limit.
    case messageTooLarge(limit: Int)
    /// The connection was not open within this time.
    case notOpened(after: Duration)
    /// The server did not acknowledge the open connection within this time.
    case notAcknowledged(after: Duration)
    /// The server sent nothing within this time, although it should have answered a ping, or had promised to send
    /// messages.
    case unresponsive(after: Duration)
    /// A mutation was sent, and the connection was lost before its response came. The server may have carried it out.
    case outcomeUnknown(cause: String)
    /// A part of the response had come when the application paused the connection.
    case interrupted
    /// The number of operations that wait for a connection has reached this limit.
    case tooManyOperations(limit: Int)
    /// This transport has no WebSockets on this system. The text is the system's.
    case notSupported(String)
}

extension WebSocketError {
    /// The close code of the server; nil for other errors.
    public var code: Int? {
        if case .closed(let code, _) = self { code } else { nil }
    }

    /// The reason that the server gave; nil if it gave none.
    public var reason: String? {
        switch self {
        case .closed(_, let reason), .refused(let reason): reason.isEmpty ? nil : reason
        default: nil
        }
    }

    /// True if the same connection and operations would fail again, so that the network does not try again.
    ///
    /// Operations end after a close code for which this is true, except for those in
    /// `WebSocketOptions.retriedCloseCodes`.
    public var isFatal: Bool {
        switch self {
        case .closed(let code, _): Self.isFatal(code)
        case .refused, .unknownSubprotocol, .invalidMessage, .messageTooLarge, .outcomeUnknown, .interrupted,
            .tooManyOperations, .notSupported:
            true
        case .notOpened, .notAcknowledged, .unresponsive: false
        }
    }

    /// True for the codes of RFC 6455 that blame the messages, and for all codes of GraphQL except the two for
    /// timeouts.
    private static func isFatal(_ code: Int) -> Bool {
        switch code {
        case 1002, 1003, 1007, 1008, 1009, 1010, 1015: true
        case 4004, 4005, 4500: true
        case 4400...4499: code != 4408
        default: false
        }
    }
}

extension WebSocketError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .closed(let code, let reason):
            "the server closed the socket with code \(code)\(reason.isEmpty ? "" : " ('\(reason)')")"
        case .refused(let message): "the server refused the connection\(message.isEmpty ? "" : " ('\(message)')")"
        case .unknownSubprotocol(let name?): "the server chose the subprotocol '\(name)', which was not offered"
        case .unknownSubprotocol(nil): "the server chose no subprotocol"
        case .invalidMessage(let what): "the server sent a message that the protocol does not allow: \(what)"
        case .messageTooLarge(let limit): "the server sent a message of more than \(limit) bytes"
        case .notOpened(let time): "the socket was not open within \(time)"
        case .notAcknowledged(let time): "the server did not acknowledge the socket within \(time)"
        case .unresponsive(let time): "the server sent nothing for \(time)"
        case .outcomeUnknown(let cause):
            "the mutation was sent, and it is unknown whether it was carried out, because \(cause)"
        case .interrupted: "the application paused the socket"
        case .tooManyOperations(let limit): "\(limit) operations wait for the socket already"
        case .notSupported(let reason): "this transport has no WebSockets on this system (\(reason))"
        }
    }
}

extension WebSocketError: TransportError {
    /// A message that came and cannot be read is about the data; what could not be sent is a misuse.
    public var kind: RelayError.Kind {
        switch self {
        case .tooManyOperations, .notSupported: .misuse
        case .invalidMessage, .messageTooLarge: .data
        case .closed, .refused, .unknownSubprotocol, .notOpened, .notAcknowledged, .unresponsive, .outcomeUnknown,
            .interrupted:
            .network
        }
    }

    public var outcome: String {
        switch self {
        case .tooManyOperations, .notSupported: "The request was not sent"
        case .invalidMessage, .messageTooLarge: "The response cannot be used"
        case .closed, .refused, .unknownSubprotocol, .notOpened, .notAcknowledged, .unresponsive, .outcomeUnknown,
            .interrupted:
            "The request got no response"
        }
    }

    public var advice: String {
        switch self {
        case .closed(let code, _): Self.advice(for: code)
        case .refused: "Check the connection payload, and the credentials in it."
        case .unknownSubprotocol:
            "Check the URL, and that the server speaks 'graphql-transport-ws' or 'graphql-ws'."
        case .invalidMessage: "Check that the server speaks the subprotocol that it chose."
        case .messageTooLarge: "Ask for less at a time, or raise 'maximumMessageSize'."
        case .notOpened: "Check the connection, or raise 'connectTimeout'."
        case .notAcknowledged: "Try again, or raise 'acknowledgementTimeout'."
        case .unresponsive: "Check the connection and try again."
        case .outcomeUnknown:
            "Ask the server for the present state before you send it again. "
                + "With idempotency keys and 'resendsMutations' the network sends it again by itself."
        case .interrupted: "Send it again after 'resume'."
        case .tooManyOperations: "Wait for some to end, or raise 'maximumQueuedOperations'."
        case .notSupported: "Give the network another 'WebSocketTransport', such as one on SwiftNIO."
        }
    }

    private static func advice(for code: Int) -> String {
        switch code {
        case 4400: "Check that server and client speak the same version of the protocol."
        case 4401, 4403: "Check the connection payload, and the credentials in it."
        case 4406: "Check which subprotocols the server speaks."
        case 4409: "Report this: an id was used twice."
        case 4408, 4429, 4504, 1013: "Try again later."
        case 1009: "Send less at a time."
        case 1002, 1003, 1007, 1008, 1010, 4000...4999: "Check the log of the server for the reason."
        default: "Check the connection and try again."
        }
    }
}
