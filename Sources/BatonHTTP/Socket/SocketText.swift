import Baton

/// The messages that a client sends, in either subprotocol.
enum SocketText {
    static func initialization(_ payload: [UInt8]?) -> [UInt8] { message("connection_init", payload: payload) }

    static func ping() -> [UInt8] { message("ping") }

    static func pong(_ payload: [UInt8]?) -> [UInt8] { message("pong", payload: payload) }

    /// The last message of a connection in the older protocol.
    static func termination() -> [UInt8] { message("connection_terminate") }

    static func start(_ id: Int, _ payload: [UInt8], _ subprotocol: WebSocketOptions.Subprotocol) -> [UInt8] {
        message(subprotocol == .graphqlTransportWS ? "subscribe" : "start", id: id, payload: payload)
    }

    static func stop(_ id: Int, _ subprotocol: WebSocketOptions.Subprotocol) -> [UInt8] {
        message(subprotocol == .graphqlTransportWS ? "complete" : "stop", id: id)
    }

    private static func message(_ type: String, id: Int? = nil, payload: [UInt8]? = nil) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(64 + (payload?.count ?? 0))
        if let id { text += #"{"id":"\#(id)","type":"\#(type)""#.utf8 } else { text += #"{"type":"\#(type)""#.utf8 }
        if let payload {
            text += #","payload":"#.utf8
            text += payload
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    /// The payload of an operation: the JSON body of a POST, and the idempotency key of a mutation.
    static func payload(of request: NetworkRequest, _ options: WebSocketOptions) throws(RelayError) -> [UInt8] {
        let extensions = options.sendsIdempotencyKeys || options.resendsMutations ? request.keyExtensions : []
        return try RequestContent(request, ids: options.documentIDs, extensions: extensions).json
    }
}
