import Baton

/// Reads a response that is one JSON text, or a response that is not GraphQL at all.
struct WholeBodyReader: BodyReader {
    private let head: ResponseHead
    private let limit: Int
    private let areMany: Bool
    private let accept: String?
    private var body: [UInt8] = []

    /// - Parameters:
    ///   - limit: The largest number of bytes of the body.
    ///   - areMany: True if the response may be an array of responses.
    ///   - accept: The types of responses that the request has asked for.
    init(_ head: ResponseHead, limit: Int, areMany: Bool = false, accept: String? = nil) {
        self.head = head
        self.limit = limit
        self.areMany = areMany
        self.accept = accept
    }

    let isOver = false
    var isWhole: Bool { head.mediaType?.isJSON != false && (try? JSONValue.parse(body)) != nil }

    mutating func read(_ piece: [UInt8]) throws -> [NetworkResponse] {
        if body.isEmpty { body = piece } else { body.append(contentsOf: piece) }
        // Only the beginning of an error page is quoted, so that the rest need not be read.
        if head.mediaType?.isJSON == false, body.count >= WholeResponse.quotedBytes { return try end() }
        guard body.count <= limit else { throw HTTPError.bodyTooLarge(limit: limit) }
        return []
    }

    mutating func end() throws -> [NetworkResponse] {
        [try WholeResponse(head: head, body: body, areMany: areMany, accept: accept).response()]
    }
}
