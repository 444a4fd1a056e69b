/// One payload of a response that arrives in parts, split into its members; the contents of its parts are still bytes.
///
/// Two forms are understood. The older form has `label`, `path` and `data` or `items` at the top level or in the
/// elements of `incremental`. The newer form (specification, draft, section 7.1) announces parts with `id`, `path` and
/// `label` under `pending`. It refers to them by `id` and `subPath` in `incremental`, and ends them under `completed`.
struct IncrementalPayload: Sendable {
    /// A part of the response that arrives later than the beginning.
    struct Part: Sendable {
        /// The content of a part, as a range of the body.
        enum Content: Sendable {
            case object(Range<Int>)
            case items(Range<Int>)
            /// The part failed; its errors give the reason.
            case nothing
        }

        var id: String?
        var label: String?
        var path: [JSONValue.PathComponent] = []
        var subPath: [JSONValue.PathComponent] = []
        var content = Content.nothing
        var errors: [GraphQLError] = []
        var extensions: JSONValue?
    }

    /// An announcement of a part.
    struct Pending: Sendable {
        let id: String
        let label: String?
        let path: [JSONValue.PathComponent]
    }

    /// True if the payload has the member `data`, even if it is null.
    var hasData = false
    var pending: [Pending] = []
    var parts: [Part] = []
    /// False if the server says that this payload is the last; nil if it says nothing.
    var hasNext: Bool?
    /// The errors and extensions of the payload itself, outside its parts.
    var errors: [GraphQLError] = []
    var extensions: JSONValue?
    /// The irregularities of the payload.
    var irregularities: [LogEvent.Irregularity] = []

    /// Splits a body; throws for malformed parts.
    init(_ body: [UInt8]) throws(RelayError.InvalidResponse) {
        do throws(JSONFailure) {
            self = try JSONCursor.read(body) { (cursor) throws(JSONFailure) in
                var reader = IncrementalPayloadReader(cursor: cursor)
                var payload = try reader.payload()
                payload.irregularities = reader.irregularities
                payload.irregularities.note(reader.cursor, body)
                return payload
            }
        } catch {
            throw RelayError.InvalidResponse(error.reason, offset: error.offset)
        }
    }

    fileprivate init() {}
}

private struct IncrementalPayloadReader {
    var cursor: JSONCursor
    var irregularities: [LogEvent.Irregularity] = []

    private func failure(_ detail: String, at offset: Int) -> JSONFailure {
        JSONFailure(.unusablePart(detail), offset: offset)
    }

    mutating func payload() throws(JSONFailure) -> IncrementalPayload {
        var payload = IncrementalPayload()
        var part = IncrementalPayload.Part()
        var isPart = false
        cursor.begin()
        guard cursor.next == 0x7B else { throw JSONFailure(.notAResponse, offset: 0) }
        try members { (reader, name) throws(JSONFailure) in
            switch name {
            case "incremental":
                payload.parts += try reader.list { (reader) throws(JSONFailure) in try reader.part() }
            case "pending":
                payload.pending += try reader.list { (reader) throws(JSONFailure) in try reader.announcement() }
            case "completed":
                payload.parts += try reader.list { (reader) throws(JSONFailure) in try reader.part() }
            case "hasNext": payload.hasNext = try reader.cursor.value(depth: 1) == true
            default:
                // The path of a part may be empty. The older form has a `label` only in parts.
                isPart = isPart || name == "path" && reader.cursor.next == 0x5B
                isPart = isPart || name == "label" && reader.cursor.next == 0x22
                payload.hasData = payload.hasData || name == "data"
                try reader.member(name, of: &part)
            }
        }
        try cursor.expectEnd()
        if isPart {
            payload.hasData = false
            payload.parts.insert(part, at: 0)
        } else {
            payload.errors = part.errors
            payload.extensions = part.extensions
        }
        return payload
    }

    private mutating func part() throws(JSONFailure) -> IncrementalPayload.Part {
        var part = IncrementalPayload.Part()
        let start = cursor.position
        guard cursor.next == 0x7B else { throw failure("a later part of the response is not an object", at: start) }
        try members { (reader, name) throws(JSONFailure) in try reader.member(name, of: &part) }
        return part
    }

    private mutating func member(_ name: String, of part: inout IncrementalPayload.Part) throws(JSONFailure) {
        let start = cursor.position
        switch name {
        case "data", "items":
            let first = cursor.next
            try cursor.skipValue(depth: 1)
            let range = start..<cursor.position
            switch (name, first) {
            case (_, 0x6E): break
            case ("data", 0x7B): part.content = .object(range)
            case ("items", 0x5B): part.content = .items(range)
            default:
                throw failure(
                    "'\(name)' of a part is neither \(name == "data" ? "an object" : "a list") nor null", at: start)
            }
        case "id":
            switch try cursor.value(depth: 1) {
            case .string(let id): part.id = id
            case .int(let id): part.id = String(id)
            case .null: break
            default: throw failure("the 'id' of a part is not a string", at: start)
            }
        case "label":
            switch try cursor.value(depth: 1) {
            case .string(let label): part.label = label
            case .null: break
            default: throw failure("the 'label' of a part is not a string", at: start)
            }
        case "path": part.path = try path(name)
        case "subPath": part.subPath = try path(name)
        case "errors": part.errors = try GraphQLError.list(&cursor, depth: 1, noting: &irregularities)
        case "extensions":
            let value = try cursor.value(depth: 1)
            part.extensions = value == .null ? nil : value
        default: try cursor.skipValue(depth: 1)
        }
    }

    private mutating func announcement() throws(JSONFailure) -> IncrementalPayload.Pending {
        let start = cursor.position
        let part = try part()
        guard let id = part.id else { throw failure("an announced part has no 'id'", at: start) }
        return .init(id: id, label: part.label, path: part.path)
    }

    private mutating func path(_ name: String) throws(JSONFailure) -> [JSONValue.PathComponent] {
        let start = cursor.position
        guard case let value = try cursor.value(depth: 1), value != .null else { return [] }
        guard case .array(let values) = value else { throw failure("the '\(name)' of a part is not a list", at: start) }
        var path: [JSONValue.PathComponent] = []
        for value in values {
            switch value {
            case .string(let key): path.append(.key(key))
            case .int(let index) where index >= 0: path.append(.index(index))
            default: throw failure("the '\(name)' of a part holds more than keys and positions", at: start)
            }
        }
        return path
    }

    private mutating func list<Element>(
        _ element: (inout Self) throws(JSONFailure) -> Element
    ) throws(JSONFailure) -> [Element] {
        if cursor.next == 0x6E {
            try cursor.expectNull()
            return []
        }
        guard cursor.next == 0x5B else { throw failure("the parts of a response are not a list", at: cursor.position) }
        cursor.position += 1
        cursor.skipSpace()
        var elements: [Element] = []
        if cursor.next == 0x5D {
            cursor.position += 1
            return elements
        }
        repeat { elements.append(try element(&self)) } while try cursor.continues(until: 0x5D)
        return elements
    }

    private mutating func members(_ member: (inout Self, String) throws(JSONFailure) -> Void) throws(JSONFailure) {
        cursor.position += 1
        cursor.skipSpace()
        if cursor.next == 0x7D {
            cursor.position += 1
            return
        }
        repeat {
            let name = cursor.text(try cursor.string())
            try cursor.expectColon()
            try member(&self, name)
        } while try cursor.continues(until: 0x7D)
    }
}
