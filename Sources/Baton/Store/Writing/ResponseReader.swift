/// Reads the body of a response with its members in any order. The normalizer reads `data`; `errors` and `extensions`
/// become values.
struct ResponseReader {
    var normalizer: Normalizer
    let root: RecordID

    private(set) var presence = StagedResponse.DataPresence.absent
    private(set) var errors: [GraphQLError] = []
    private(set) var extensions: JSONValue?
    private(set) var irregularities: [LogEvent.Irregularity] = []
    /// The member of `{"error": "..."}`, which some servers send for an error of the whole request.
    private var singleErrors: [GraphQLError]?
    private var hasErrors = false

    init(normalizer: Normalizer, root: RecordID) {
        self.normalizer = normalizer
        self.root = root
    }

    /// Returns the staged records of `data` with the mark of its fetch.
    mutating func takeStaged(_ fetch: FetchMark?) -> StagedRecords { normalizer.takeStaged(fetch) }

    /// Reads the whole body.
    mutating func read(_ body: [UInt8]) throws(RelayError.InvalidResponse) {
        do throws(JSONFailure) {
            try JSONCursor.read(body) { (cursor) throws(JSONFailure) in
                try response(&cursor)
                irregularities.note(cursor, body)
            }
        } catch {
            let isEmpty = body.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            let reason = isEmpty ? .notJSON("its body is empty") : error.reason
            var failure = RelayError.InvalidResponse(
                reason, path: JSONPath.find(error.offset, in: body), offset: error.offset)
            failure.serverMessages = Self.messages(in: body)
            throw failure
        }
        if presence == .absent, !hasErrors {
            guard let singleErrors else { throw RelayError.InvalidResponse(.notAResponse) }
            errors = singleErrors
        }
        if presence == .object, !errors.isEmpty { normalizer.place(errors, at: root) }
    }

    private mutating func response(_ cursor: inout JSONCursor) throws(JSONFailure) {
        cursor.begin()
        guard cursor.next == 0x7B else {
            try cursor.skipValue(depth: 0)
            try cursor.expectEnd()
            throw JSONFailure(.notAResponse, offset: 0)
        }
        cursor.position += 1
        cursor.skipSpace()
        if cursor.next == 0x7D {
            cursor.position += 1
        } else {
            repeat { try member(&cursor) } while try cursor.continues(until: 0x7D)
        }
        try cursor.expectEnd()
    }

    /// Returns the first messages of the `errors` of a body whose `data` cannot be used; none if the body is not JSON.
    private static func messages(in body: [UInt8]) -> [String] {
        // A list at the top is no response.
        guard body.first(where: { $0 == 0x7B || $0 == 0x5B }) == 0x7B else { return [] }
        return GraphQLError.sent(in: body).prefix(10).map { $0.message.cut(to: 500) }
    }

    private mutating func member(_ cursor: inout JSONCursor) throws(JSONFailure) {
        let name = cursor.text(try cursor.string())
        try cursor.expectColon()
        switch name {
        case "data":
            switch cursor.next {
            case 0x7B:
                try normalizer.root(&cursor, root, depth: 1)
                presence = .object
            case 0x6E:
                try cursor.expectNull()
                presence = .null
            default:
                let start = cursor.position
                try cursor.skipValue(depth: 1)
                throw JSONFailure(
                    .unexpectedValue(
                        expected: "an object under 'data'", found: cursor.text(start..<min(start + 20, cursor.position))
                    ),
                    offset: start)
            }
        case "errors":
            hasErrors = cursor.next != 0x6E
            errors = try GraphQLError.list(&cursor, depth: 1, noting: &irregularities)
        case "extensions":
            let value = try cursor.value(depth: 1)
            extensions = value == .null ? nil : value
        case "error": singleErrors = try GraphQLError.list(&cursor, depth: 1, noting: &irregularities)
        default: try cursor.skipValue(depth: 1)
        }
    }
}
