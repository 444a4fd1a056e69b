import Baton

/// Tells what each JSON object of a stream means: a response, a heartbeat, the end, or an error.
///
/// A response is the object itself, or its member `payload` as in Apollo's multipart subscription protocol. Its bytes
/// are not changed. `{}` is a heartbeat. An object with `payload` and `errors` ends the stream with
/// `RelayError.StreamError.refused`; a response in `payload` is returned before that error.
struct StreamedPayloads: Sendable {
    /// The kind of the operation; nil if it is not known.
    let kind: OperationKind?
    /// The number of objects so far.
    private(set) var count = 0
    /// The number of responses so far.
    private(set) var responses = 0
    /// True if the server has said that nothing more follows, or if `failure` is set.
    private(set) var isOver = false
    /// True if the response may end here, even without a message of the server that ends the stream.
    private(set) var isWhole = false
    /// The error that ends the stream. Responses that came before the error are returned first.
    private(set) var failure: RelayError.StreamError?

    init(kind: OperationKind?) { self.kind = kind }

    mutating func end() { isOver = true }

    mutating func fail(_ error: RelayError.StreamError) {
        failure = failure ?? error
        isOver = true
    }

    /// Takes one object and returns its response; nil if the object has none.
    mutating func take(_ bytes: [UInt8]) -> NetworkResponse? {
        guard !isOver else { return nil }
        count += 1
        do throws(JSONValue.ParseError) {
            let outline = try ResponseOutline(bytes)
            if let payload = outline.payload, !outline.hasData {
                return try unwrap(payload, of: bytes, outline)
            }
            if outline.isDone, outline.count == 1 { isOver = true }
            return isOver ? nil : response(bytes, outline)
        } catch {
            fail(.malformedPart(count, error.description))
            return nil
        }
    }

    private mutating func unwrap(
        _ payload: Range<Int>, of bytes: [UInt8], _ outline: ResponseOutline
    ) throws(JSONValue.ParseError) -> NetworkResponse? {
        var response: NetworkResponse?
        // The JSON is valid here, so that a value with the first letter `n` is `null`.
        if bytes[payload.lowerBound] != UInt8(ascii: "n") {
            let body = Array(bytes[payload])
            response = self.response(body, try ResponseOutline(body))
        }
        if outline.isDone { isOver = true }
        let errors = outline.count > 1 ? GraphQLError.sent(in: bytes) : []
        if !errors.isEmpty { fail(.refused(errors)) }
        return response
    }

    private mutating func response(_ body: [UInt8], _ outline: ResponseOutline) -> NetworkResponse? {
        guard outline.count > 0 else { return nil }
        responses += 1
        let hasNext =
            switch kind {
            // Each event of a subscription is complete, and another event may follow.
            case .subscription: true
            case .query, .mutation: outline.hasNext ?? false
            case nil: outline.hasNext ?? true
            }
        isWhole = !hasNext
        if kind != nil, !hasNext { isOver = true }
        return NetworkResponse(body: body, hasNext: hasNext)
    }
}
