import Baton

/// What the machine knows of one operation.
struct SocketOperation: Sendable {
    let kind: OperationKind
    /// The payload of the message that starts it; JSON.
    let payload: [UInt8]
    /// Whether the server knows the mutation by a key, so that it may be sent again.
    let hasKey: Bool
    /// The number of responses that the consumer has not taken yet.
    var undelivered = 0
    /// Whether it was sent on any connection.
    var wasSent = false
    /// Whether a response has come.
    var hasResponse = false

    init(kind: OperationKind, payload: [UInt8], hasKey: Bool = false) {
        self.kind = kind
        self.payload = payload
        self.hasKey = hasKey
    }
}
