import Baton

/// Chooses the reader of a response by its content type.
enum BodyReaders {
    /// Returns the reader for a response with this head.
    ///
    /// - Parameters:
    ///   - head: Status and header fields.
    ///   - kind: The kind of the operation. A server may answer a query with a stream too.
    ///   - limit: The largest whole response, and the largest part of one, in bytes.
    ///   - areMany: Whether the response may be an array, because several requests were sent as one.
    ///   - accept: The types of responses that the request has asked for.
    /// - Throws: ``HTTPError/charset(_:)`` for a charset that is not UTF-8.
    static func reader(
        for head: ResponseHead, kind: OperationKind, limit: Int, areMany: Bool = false, accept: String? = nil
    ) throws -> any BodyReader {
        guard head.isSuccess || head.mediaType?.isJSON ?? false, let type = head.mediaType else {
            return WholeBodyReader(head, limit: limit, areMany: areMany, accept: accept)
        }
        let reader: any BodyReader
        switch type.name {
        case "multipart/mixed":
            reader = MultipartBodyReader(contentType: head.contentType ?? "", kind: kind, limit: limit)
        case "text/event-stream":
            reader = EventStreamBodyReader(kind: kind, limit: limit)
        case _ where type.isJSON:
            reader = WholeBodyReader(head, limit: limit, areMany: areMany, accept: accept)
        default:
            return WholeBodyReader(head, limit: limit, areMany: areMany, accept: accept)
        }
        if let charset = type.foreignCharset { throw HTTPError.charset(charset) }
        return reader
    }

    /// Whether the response is a stream, whose later parts may come at any time.
    static func isStream(_ head: ResponseHead) -> Bool {
        guard head.isSuccess, let name = head.mediaType?.name else { return false }
        return name == "multipart/mixed" || name == "text/event-stream"
    }
}
