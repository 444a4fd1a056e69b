/// Reads the body of an answer with its members in any order. The normalizer reads `data`; `errors` and `extensions`
/// become values.
struct ResponseReader {
    var normalizer: Normalizer
    let root: RecordID

    private(set) var presence = StagedResponse.DataPresence.absent
    private(set) var errors: [GraphQLError] = []
    private(set) var extensions: JSONValue?
    private(set) var irregularities: [AnswerIrregularity] = []
    /// The member of `{"error": "..."}`, which some servers send for an error of the whole request.
    private var singleError: JSONValue?
    private var hasErrors = false

    init(normalizer: Normalizer, root: RecordID) {
        self.normalizer = normalizer
        self.root = root
    }

    /// Returns the staged records of `data`, which was fetched at a time.
    mutating func takeStaged(_ fetch: FetchMark?) -> StagedRecords { normalizer.takeStaged(fetch) }

    /// Reads the whole body.
    mutating func read(_ body: [UInt8]) throws(ResponseError) {
        do throws(JSONFailure) {
            try JSONCursor.read(body) { (cursor) throws(JSONFailure) in
                try response(&cursor)
                irregularities.note(cursor, body)
            }
        } catch {
            var failure = ResponseError(error.reason, path: JSONPath.find(error.offset, in: body), offset: error.offset)
            failure.serverMessages = Self.messages(in: body)
            throw failure
        }
        if presence == .absent, !hasErrors {
            guard let singleError else { throw ResponseError(.notAResponse) }
            errors = GraphQLError.list(singleError, noting: &irregularities)
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
        let errors = try? JSONCursor.read(body) { (cursor) throws(JSONFailure) -> JSONValue? in
            cursor.begin()
            guard cursor.next == 0x7B else { return nil }
            cursor.position += 1
            cursor.skipSpace()
            guard cursor.next != 0x7D else { return nil }
            var errors: JSONValue?
            repeat {
                let name = cursor.text(try cursor.string())
                try cursor.expectColon()
                if name == "errors" {
                    errors = try cursor.value(depth: 1)
                } else {
                    try cursor.skipValue(depth: 1)
                }
            } while try cursor.continues(until: 0x7D)
            return errors
        }
        var irregularities: [AnswerIrregularity] = []
        return GraphQLError.list((errors ?? nil) ?? .null, noting: &irregularities).prefix(10).map(\.message)
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
            let value = try cursor.value(depth: 1)
            hasErrors = value != .null
            errors = GraphQLError.list(value, noting: &irregularities)
        case "extensions":
            let value = try cursor.value(depth: 1)
            extensions = value == .null ? nil : value
        case "error": singleError = try cursor.value(depth: 1)
        default: try cursor.skipValue(depth: 1)
        }
    }
}

extension GraphQLError {
    /// Reads the value of `errors`.
    static func list(_ value: JSONValue, noting irregularities: inout [AnswerIrregularity]) -> [GraphQLError] {
        switch value {
        case .null: []
        case .array(let values): values.map { GraphQLError(response: $0, noting: &irregularities) }
        default: [GraphQLError(response: value, noting: &irregularities)]
        }
    }

    /// Reads one error. Servers also send strings and irregular objects; a message is kept in any case.
    private init(response value: JSONValue, noting irregularities: inout [AnswerIrregularity]) {
        switch value {
        case .string(let message): self.init(message: message)
        case .object:
            var message = value.text
            if case .string(let text)? = value["message"] { message = text }
            self.init(message: message)
            if let value = value["path"], value != .null {
                let (path, isRegular) = Self.path(value)
                self.path = path
                if !isRegular { irregularities.append(.malformedError(message, member: "path", value)) }
            }
            if let value = value["locations"], value != .null {
                let (locations, isRegular) = Self.locations(value)
                self.locations = locations
                if !isRegular { irregularities.append(.malformedError(message, member: "locations", value)) }
            }
            if let extensions = value["extensions"], extensions != .null { self.extensions = extensions }
        default: self.init(message: value.text)
        }
    }

    /// Reads a path. A component that is neither a key nor an index is kept as a key, because the path would otherwise
    /// lead elsewhere.
    private static func path(_ value: JSONValue) -> (path: [PathComponent], isRegular: Bool) {
        guard case .array(let values) = value else { return ([component(value) ?? .key(value.text)], false) }
        var isRegular = true
        let path = values.map { value in
            let component = component(value)
            if case .index(let index)? = component { isRegular = isRegular && index >= 0 }
            isRegular = isRegular && component != nil
            return component ?? .key(value.text)
        }
        return (path, isRegular)
    }

    private static func component(_ value: JSONValue) -> PathComponent? {
        if case .string(let key) = value { return .key(key) }
        return value.integer.map(PathComponent.index)
    }

    /// Reads locations and leaves out those without a line or a column.
    private static func locations(_ value: JSONValue) -> (locations: [Location], isRegular: Bool) {
        guard case .array(let values) = value else { return ([], false) }
        let locations = values.compactMap { value in
            value["line"]?.integer.flatMap { line in
                value["column"]?.integer.map { Location(line: line, column: $0) }
            }
        }
        return (locations, locations.count == values.count)
    }
}

extension JSONValue {
    /// The integral value of a number, however it is written.
    fileprivate var integer: Int? {
        switch self {
        case .int(let value): value
        case .double(let value): Int(exactly: value)
        default: nil
        }
    }
}
