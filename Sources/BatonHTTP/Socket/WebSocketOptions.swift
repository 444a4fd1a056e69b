/// How a `WebSocketNetwork` keeps its connection: times, limits, and what happens when it is lost.
public struct WebSocketOptions: Sendable, Hashable {
    /// A protocol for GraphQL over WebSockets, by the name with which it is negotiated.
    public enum Subprotocol: String, Sendable, Hashable, CaseIterable {
        /// The protocol of graphql-ws.
        case graphqlTransportWS = "graphql-transport-ws"
        /// The older protocol of subscriptions-transport-ws.
        case graphqlWS = "graphql-ws"
    }

    /// The subprotocols to offer, the wanted one first. The server chooses.
    public var subprotocols = Subprotocol.allCases
    /// The longest time until a connection is open, including the making of headers and payload.
    public var connectionTimeout = Duration.seconds(30)
    /// The longest time until an open connection is acknowledged.
    public var acknowledgementTimeout = Duration.seconds(10)
    /// The time between two pings; nil for none. The older protocol has no pings.
    public var pingInterval: Duration? = .seconds(25)
    /// The longest time without any message after a ping.
    public var pongTimeout = Duration.seconds(10)
    /// In the older protocol, the longest silence of a server that has begun to send keep-alive messages; nil for no
    /// limit. It is noticed after at most twice that time.
    public var silenceTimeout: Duration? = .seconds(60)
    /// How long the connection stays open without operations.
    public var lingering = Duration.seconds(5)
    /// When a lost connection is made again for the operations that are left.
    public var reconnecting = ReconnectPolicy()
    /// Close codes after which the connection is made again, although they are fatal by themselves.
    ///
    /// With 4401 or 4403, a connection payload with a new token has another chance.
    public var retriedCloseCodes: Set<Int> = []
    /// Whether a mutation has its idempotency key as `extensions.idempotencyKey`.
    public var sendsIdempotencyKeys = true
    /// Whether a mutation is sent again on the next connection when the connection was lost before its answer came.
    ///
    /// The server must know mutations by their key, which is sent as `extensions.idempotencyKey` then in any case.
    public var resendsMutations = false
    /// Where the server expects the id of a document, for a server that knows its documents (trusted documents). The
    /// texts are not sent then, and an operation without an id is refused. Nil for the text, with the id beside it as
    /// `documentId` if there is one.
    public var documentIDs: DocumentIDShape?
    /// The greatest number of bytes of a message from the server.
    public var maximumMessageSize = 16 << 20
    /// The greatest number of operations that wait for a connection.
    public var maximumQueuedOperations = 10_000
    /// The number of responses that wait for the consumer of one operation. When it is reached, nothing is read from
    /// the socket until that consumer takes one. At least 1.
    public var maximumBufferedResponses = 64

    /// Makes the usual options.
    public init() {}
}
