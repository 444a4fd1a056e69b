extension RelayError {
    /// The reason why a stream of responses ended before its end; ``RelayError/transport(_:)`` holds it.
    ///
    /// A request whose stream ends after a response with ``NetworkResponse/hasNext`` fails with
    /// ``closedEarly(responses:bytes:)``, whatever its network. The payloads that have landed stay in the store.
    public enum StreamError: Error, Sendable, Hashable {
        /// The stream ended although the server had not said that nothing more follows. The values count the responses
        /// and the bytes that had arrived.
        case closedEarly(responses: Int, bytes: Int)
        /// One part or event has more bytes than this.
        case partTooLarge(limit: Int)
        /// A part or event, counted from 1, is no JSON object. The text says what was expected.
        case malformedPart(Int, String)
        /// The server ended the stream because of these errors, which are about the stream and not about its data.
        case refused([GraphQLError])
        /// The reader of a stream took so long that this many responses waited for it.
        case readerTooSlow(waiting: Int)
    }
}

extension RelayError.StreamError: CustomStringConvertible {
    /// The error in one line for a person.
    public var description: String {
        switch self {
        case .closedEarly(let responses, let bytes):
            "the stream of responses was closed early, after \(responses) responses and \(bytes) bytes"
        case .partTooLarge(let limit): "one part of the response has more than \(limit) bytes"
        case .malformedPart(let number, let detail): "part \(number) of the response is not JSON: \(detail)"
        case .refused(let errors) where errors.isEmpty: "the server ended the stream with an error and gave no reason"
        case .refused(let errors):
            "the server ended the stream: \(errors.text)"
        case .readerTooSlow(let count): "the reader of the stream was too slow; \(count) responses waited for it"
        }
    }
}

extension RelayError.StreamError: TransportError {
    /// A stream may have brought responses before it ended.
    public var outcome: String {
        switch self {
        case .closedEarly(0, _), .refused: "The request got no response"
        case .closedEarly: "The response is not whole"
        case .partTooLarge, .malformedPart, .readerTooSlow: "The response cannot be used"
        }
    }

    /// A stream that breaks off is due to the network. What the server refuses is due to its errors, what is not
    /// understood to its data, and a reader that is too slow to the program.
    public var kind: RelayError.Kind {
        switch self {
        case .closedEarly: .network
        case .refused: .server
        case .partTooLarge, .malformedPart: .data
        case .readerTooSlow: .misuse
        }
    }

    /// Advice for a person who meets the error.
    public var advice: String {
        switch self {
        case .closedEarly:
            "Try again. If it happens often, look for a proxy on the way that closes long responses or holds them back."
        case .partTooLarge: "Ask for less at a time, or allow larger responses."
        case .malformedPart: "Check what the server, or a proxy in front of it, writes between the parts."
        case .refused: "Check what the server expects of a subscription, its credentials for instance."
        case .readerTooSlow: "Do less for each response, or subscribe to less."
        }
    }
}
