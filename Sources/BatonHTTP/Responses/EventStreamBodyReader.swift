import Baton

/// Reads `text/event-stream` in the distinct connections mode of graphql-sse: `next` events bring responses, and
/// `complete` ends the stream.
///
/// An event without a name counts as `next`. An event `error` ends the stream with its errors. Other events are
/// ignored.
///
/// Specification: https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#distinct-connections-mode
struct EventStreamBodyReader: BodyReader {
    private var parser: EventStreamParser
    private var payloads: StreamedPayloads
    private var received = 0

    var isOver: Bool { payloads.isOver }
    var isWhole: Bool { payloads.isWhole }

    /// - Parameters:
    ///   - kind: The kind of the operation. If it is nil, only a response that says `hasNext: false` is the last one.
    ///   - limit: The greatest number of bytes of an event.
    init(kind: OperationKind? = nil, limit: Int) {
        parser = EventStreamParser(limit: limit)
        payloads = StreamedPayloads(kind: kind)
    }

    mutating func read(_ piece: [UInt8]) throws -> [NetworkResponse] {
        if let failure = payloads.failure { throw failure }
        received += piece.count
        if isOver { return [] }
        var responses: [NetworkResponse] = []
        var payloads = payloads
        do throws(RelayError.StreamError) {
            try parser.read(piece) { event in
                if let response = payloads.take(event) { responses.append(response) }
            }
        } catch {
            if !payloads.isOver { payloads.fail(error) }
        }
        self.payloads = payloads
        // The responses before the error are returned first. The error is thrown at the next read, or at the end.
        if responses.isEmpty, let failure = payloads.failure { throw failure }
        return responses
    }

    mutating func end() throws -> [NetworkResponse] {
        if let failure = payloads.failure { throw failure }
        // Some servers leave out the empty line after the last event.
        guard isOver || payloads.isWhole || parser.unfinishedName == "complete" else {
            throw RelayError.StreamError.closedEarly(responses: payloads.responses, bytes: received)
        }
        return []
    }
}

extension StreamedPayloads {
    /// Takes an event and returns its response, if it has one.
    fileprivate mutating func take(_ event: ServerSentEvent) -> NetworkResponse? {
        guard !isOver else { return nil }
        switch event.name {
        case "next", "message", "": return event.hasContent ? take(event.data) : nil
        case "complete": end()
        case "error": fail(.refused(GraphQLError.sent(in: event.data)))
        default: break
        }
        return nil
    }
}
