import Baton

/// The state of one operation in the machine.
struct SocketOperation: Sendable {
    let kind: OperationKind
    /// The payload of the message that starts the operation, as JSON.
    let payload: [UInt8]
    /// Whether the server recognizes the mutation by its key, so that the mutation may be sent again.
    let hasKey: Bool
    /// The number of responses that the consumer has not taken yet.
    var undelivered = 0
    /// Whether the operation was sent on any connection.
    var wasSent = false
    /// The number of responses since the operation was sent, and the number of their bytes.
    private(set) var responses = 0
    private(set) var bytes = 0
    /// Whether a response has come.
    var hasResponse: Bool { responses > 0 }

    init(kind: OperationKind, payload: [UInt8], hasKey: Bool = false) {
        self.kind = kind
        self.payload = payload
        self.hasKey = hasKey
    }

    mutating func note(_ body: [UInt8]) {
        responses += 1
        bytes += body.count
    }

    /// The error of an operation that the server completes although its last response announced another one. Nil for a
    /// subscription, and for an operation without a response.
    var closedEarly: (any Error)? {
        kind == .subscription || !hasResponse
            ? nil : RelayError.StreamError.closedEarly(responses: responses, bytes: bytes)
    }
}
