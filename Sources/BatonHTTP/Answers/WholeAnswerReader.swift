import Baton

/// Reads an answer that is one JSON text, or that is not an answer at all.
struct WholeAnswerReader: AnswerReader {
    private let head: AnswerHead
    private let limit: Int
    private let areMany: Bool
    private var body: [UInt8] = []

    /// The limit is the number of bytes of the whole body. `areMany` says that the answer may be an array.
    init(_ head: AnswerHead, limit: Int, areMany: Bool = false) {
        self.head = head
        self.limit = limit
        self.areMany = areMany
    }

    let isOver = false

    mutating func read(_ piece: [UInt8]) throws -> [NetworkResponse] {
        if body.isEmpty { body = piece } else { body.append(contentsOf: piece) }
        // An error page is only quoted, so the rest of it does not matter.
        if head.mediaType?.isJSON == false, body.count >= HTTPAnswer.quotedBytes { return try end() }
        guard body.count <= limit else { throw HTTPError.bodyTooLarge(limit: limit) }
        return []
    }

    mutating func end() throws -> [NetworkResponse] {
        [try HTTPAnswer(head: head, body: body, areMany: areMany).response()]
    }
}
