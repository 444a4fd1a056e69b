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
    /// The number of responses that have come since it was sent, and of their bytes.
    private(set) var responses = 0
    private(set) var bytes = 0
    /// Whether a response has come.
    var hasResponse: Bool { responses > 0 }

    init(kind: OperationKind, payload: [UInt8], hasKey: Bool = false) {
        self.kind = kind
        self.payload = payload
        self.hasKey = hasKey
    }

    /// Counts a response.
    mutating func note(_ body: [UInt8]) {
        responses += 1
        bytes += body.count
    }

    /// The error of an operation that the server completes although its last response said that another one follows;
    /// nil for a subscription, and if there was no response. The last response would have ended it.
    var closedEarly: (any Error)? {
        kind == .subscription || !hasResponse
            ? nil : RelayError.StreamError.closedEarly(responses: responses, bytes: bytes)
    }
}
