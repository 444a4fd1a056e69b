import Baton

/// Reads the GraphQL responses in one HTTP response as the body arrives.
///
/// This type is a class so that the task that waits for the body keeps a single reference. Only one task uses an
/// object.
final class IncomingResponses {
    private let head: ResponseHead
    private var reader: any BodyReader
    private var hashMayBeUnknown: Bool
    private let isUnchanged: Bool
    private let kind: OperationKind

    /// Chooses the reader by the head of the response.
    ///
    /// - Throws: ``HTTPError`` for a charset that is not UTF-8, and for a body that says that it is too large.
    init(_ response: HTTPResponse, to message: HTTPMessage, _ kind: OperationKind, limit: Int) throws {
        head = ResponseHead(status: response.status, headers: response.headers)
        hashMayBeUnknown = message.hashMayBeUnknown
        self.kind = kind
        isUnchanged =
            head.status == 304
            && ["If-None-Match", "If-Modified-Since"].contains { message.request.headers[$0] != nil }
        areStreamed = BodyReaders.isStream(head)
        reader =
            isUnchanged
            ? WholeBodyReader(head, limit: limit)
            : try BodyReaders.reader(
                for: head, kind: kind, limit: limit, areMany: message.hasManyRequests,
                accept: message.request.headers["Accept"])
        // The length of a compressed body says nothing about its length after decompression.
        if !isUnchanged, !areStreamed, head.headers["Content-Encoding"] == nil,
            let length = head.headers["Content-Length"].flatMap({ Int($0) }), length > limit
        {
            throw HTTPError.bodyTooLarge(limit: limit)
        }
    }

    /// Whether the response is a stream, whose responses may come at any time.
    let areStreamed: Bool
    /// True if the server has said that nothing more follows, or the body does not matter.
    var isOver: Bool { isUnchanged || reader.isOver }
    /// True after the end of the body.
    private(set) var isComplete = false

    /// Whether the response is whole although its connection broke: a server may answer an upload before it has read
    /// all of it, and what the client still sends breaks then.
    func isWhole(without error: any Error) -> Bool {
        guard case HTTPError.closed = error else { return false }
        return !isUnchanged && reader.isWhole
    }

    /// Takes a piece of the body, or nil for its end, and returns the responses that it completes.
    func take(_ piece: [UInt8]?) throws -> [NetworkResponse] {
        isComplete = piece == nil
        if isUnchanged { return [NetworkResponse(body: [], metadata: { [head] in head.metadata })] }
        let responses = try piece.map { try reader.read($0) } ?? reader.end()
        return responses.allSatisfy(\.hasMetadata) ? responses : responses.map(withMetadata)
    }

    private func withMetadata(_ response: NetworkResponse) -> NetworkResponse {
        if response.hasMetadata { return response }
        return NetworkResponse(body: response.body, hasNext: response.hasNext, metadata: { [head] in head.metadata })
    }

    /// The server's message about an unknown hash in the first response. Nil for later responses, and if the request
    /// had no hash.
    func verdict(of response: NetworkResponse) -> PersistedQueryVerdict? {
        guard hashMayBeUnknown else { return nil }
        hashMayBeUnknown = false
        return PersistedQueryVerdict(response, to: kind)
    }
}
