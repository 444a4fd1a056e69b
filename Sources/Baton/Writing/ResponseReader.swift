/// Reads the body of an answer: `data` through the normalizer, `errors` and `extensions` as values, in any order.
struct ResponseReader {
    var normalizer: Normalizer
    let root: RecordID

    private(set) var presence = StagedResponse.DataPresence.absent
    private(set) var errors: [GraphQLError] = []
    private(set) var extensions: JSONValue?
    /// The client's own word for an error of the whole request, which some servers send: `{"error": "..."}`.
    private var singleError: JSONValue?
    private var hasErrors = false

    init(normalizer: Normalizer, root: RecordID) {
        self.normalizer = normalizer
        self.root = root
    }

    /// Hands out what `data` said.
    mutating func takeStaged() -> StagedRecords { normalizer.takeStaged() }

    /// Reads the whole body.
    mutating func read(_ body: [UInt8]) throws(ResponseError) {
        do throws(JSONFailure) {
            try JSONCursor.read(body) { (cursor) throws(JSONFailure) in try response(&cursor) }
        } catch {
            throw ResponseError(error.reason, path: JSONPath.find(error.offset, in: body), offset: error.offset)
        }
        if presence == .absent, !hasErrors {
            guard let singleError else { throw ResponseError(.notAResponse) }
            errors = [GraphQLError(response: singleError)]
        }
        if presence == .object, !errors.isEmpty { normalizer.place(errors, at: root) }
    }

    private mutating func response(_ cursor: inout JSONCursor) throws(JSONFailure) {
        cursor.skipSpace()
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
            hasErrors = true
            switch try cursor.value(depth: 1) {
            case .null: hasErrors = false
            case .array(let values): errors = values.map(GraphQLError.init(response:))
            case let value: errors = [GraphQLError(response: value)]
            }
        case "extensions":
            let value = try cursor.value(depth: 1)
            extensions = value == .null ? nil : value
        case "error": singleError = try cursor.value(depth: 1)
        default: try cursor.skipValue(depth: 1)
        }
    }
}

extension GraphQLError {
    /// Reads what a server put into `errors`. Servers send strings, and odd objects: the message is kept in any case.
    package init(response value: JSONValue) {
        switch value {
        case .string(let message): self.init(message: message)
        case .object:
            var message = value.text
            if case .string(let text)? = value["message"] { message = text }
            self.init(message: message, path: Self.path(value["path"]), locations: Self.locations(value["locations"]))
            if let extensions = value["extensions"], extensions != .null { self.extensions = extensions }
        default: self.init(message: value.text)
        }
    }

    private static func path(_ value: JSONValue?) -> [PathComponent]? {
        guard case .array(let values)? = value else { return nil }
        return values.compactMap { value in
            switch value {
            case .string(let key): .key(key)
            case .int(let index): .index(index)
            default: nil
            }
        }
    }

    private static func locations(_ value: JSONValue?) -> [Location] {
        guard case .array(let values)? = value else { return [] }
        return values.compactMap { value in
            guard case .int(let line)? = value["line"], case .int(let column)? = value["column"] else { return nil }
            return Location(line: line, column: column)
        }
    }
}
