import Baton

/// Chooses the reader of an answer by its content type.
enum AnswerReaders {
    /// Returns the reader for an answer with this head.
    ///
    /// - Parameters:
    ///   - head: Status and header fields.
    ///   - kind: The kind of the operation. A server may answer a query with a stream too.
    ///   - limit: The largest whole answer, and the largest part of one, in bytes.
    ///   - areMany: Whether the answer may be an array, because several requests were sent as one.
    /// - Throws: ``HTTPError/charset(_:)`` for a charset that is not UTF-8.
    static func reader(for head: AnswerHead, kind: OperationKind, limit: Int, areMany: Bool = false) throws
        -> any AnswerReader
    {
        guard head.isSuccess || head.mediaType?.isJSON ?? false, let type = head.mediaType else {
            return WholeAnswerReader(head, limit: limit, areMany: areMany)
        }
        let reader: any AnswerReader
        switch type.name {
        case "multipart/mixed":
            reader = MultipartAnswerReader(contentType: head.contentType ?? "", kind: kind, limit: limit)
        case "text/event-stream":
            reader = EventStreamAnswerReader(kind: kind, limit: limit)
        case _ where type.isJSON:
            reader = WholeAnswerReader(head, limit: limit, areMany: areMany)
        default:
            return WholeAnswerReader(head, limit: limit, areMany: areMany)
        }
        if let charset = type.foreignCharset { throw HTTPError.charset(charset) }
        return reader
    }

    /// Whether the answer is a stream, whose later parts may come at any time.
    static func isStream(_ head: AnswerHead) -> Bool {
        guard head.isSuccess, let name = head.mediaType?.name else { return false }
        return name == "multipart/mixed" || name == "text/event-stream"
    }
}
