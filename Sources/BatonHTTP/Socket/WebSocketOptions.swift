/// The settings of a `WebSocketNetwork`: times, limits, and the treatment of operations when a connection is lost.
public struct WebSocketOptions: Sendable, Hashable {
    /// A protocol for GraphQL over WebSockets, by the name with which it is negotiated.
    public enum Subprotocol: String, Sendable, Hashable, CaseIterable {
        /// The protocol of graphql-ws.
        case graphqlTransportWS = "graphql-transport-ws"
        /// The older protocol of subscriptions-transport-ws.
        case graphqlWS = "graphql-ws"
    }

    /// The subprotocols to offer, the preferred one first. The server chooses.
    public var subprotocols = Subprotocol.allCases
    /// The longest time until a connection is open, including the making of headers and payload.
    public var connectTimeout = Duration.seconds(30)
    /// The longest time until an open connection is acknowledged.
    public var acknowledgementTimeout = Duration.seconds(10)
    /// The time between two pings; nil for none. The older protocol has no pings.
    public var pingInterval: Duration? = .seconds(25)
    /// The longest time without any message after a ping.
    public var pongTimeout = Duration.seconds(10)
    /// In the older protocol, the longest silence of a server that has begun to send keep-alive messages; nil for no
    /// limit. A longer silence is noticed after at most twice that time.
    public var silenceTimeout: Duration? = .seconds(60)
    /// How long the connection stays open without operations.
    public var idleTime = Duration.seconds(5)
    /// The attempts to restore a lost connection for the operations that are left.
    public var reconnecting = ReconnectPolicy()
    /// Fatal close codes after which a new connection is made nevertheless.
    ///
    /// After 4401 or 4403, a connection payload with a new token may succeed.
    public var retriedCloseCodes: Set<Int> = []
    /// Whether a mutation is sent with its idempotency key as `extensions.idempotencyKey`.
    public var sendsIdempotencyKeys = true
    /// Whether a mutation is sent again on the next connection when the connection was lost before its response came.
    ///
    /// The server must recognize mutations by their key, which is always sent then as `extensions.idempotencyKey`.
    public var resendsMutations = false
    /// Where the server expects the id of a document, for a server that knows its documents (trusted documents). The
    /// texts are not sent then, and an operation without an id is refused. Nil to send the text, and the id as
    /// `documentId` if there is one.
    public var documentIDs: DocumentIDShape?
    /// The greatest number of bytes of a message from the server.
    public var maximumMessageSize = 16 << 20
    /// The greatest number of operations that wait for a connection.
    public var maximumQueuedOperations = 10_000
    /// The number of responses that may wait for the consumer of one operation; at least 1. At this number, nothing is
    /// read from the socket until that consumer takes a response.
    public var maximumWaitingResponses = 64

    /// Makes the default options.
    public init() {}
}
