// Reads the errors of a response. A server, or a proxy in between, may send any number of errors of any size.

extension GraphQLError {
    /// The greatest number of errors that are kept of a response.
    static let mostErrors = 1_000
    /// The greatest number of JSON bytes of all errors that are kept of a response.
    static let mostBytes = 1 << 20
    /// The greatest number of bytes of an error that is kept whole. A longer error keeps only its message, and its path
    /// and locations if they are short.
    private static let mostBytesOfOne = 64 << 10
    /// The greatest number of bytes of a message that are kept.
    static let longestMessage = 8 << 10

    /// Reads the value of `errors` at the cursor; `depth` is the number of containers around it.
    ///
    /// The whole value is checked. Errors above the limits are left out and noted.
    static func list(
        _ cursor: inout JSONCursor, depth: Int, noting irregularities: inout [LogEvent.Irregularity]
    ) throws(JSONFailure) -> [GraphQLError] {
        guard cursor.next == 0x5B else {
            let value = try element(&cursor, depth: depth, noting: &irregularities).error
            return value.map { [$0] } ?? []
        }
        cursor.position += 1
        cursor.skipSpace()
        var errors: [GraphQLError] = []
        if cursor.next == 0x5D {
            cursor.position += 1
            return errors
        }
        var (count, bytes) = (0, 0)
        repeat {
            count += 1
            if errors.count < mostErrors, bytes < mostBytes {
                let (error, size) = try element(&cursor, depth: depth + 1, noting: &irregularities)
                // A null in the list is an error without a text.
                errors.append(error ?? GraphQLError(message: "null"))
                bytes += size
            } else {
                try cursor.skipValue(depth: depth + 1)
            }
        } while try cursor.continues(until: 0x5D)
        if count > errors.count { irregularities.append(.tooManyErrors(count, kept: errors.count)) }
        return errors
    }

    /// Reads one error, which is nil for null. Returns the number of bytes that are kept of the error.
    private static func element(
        _ cursor: inout JSONCursor, depth: Int, noting irregularities: inout [LogEvent.Irregularity]
    ) throws(JSONFailure) -> (error: GraphQLError?, size: Int) {
        let start = cursor.position
        try cursor.skipValue(depth: depth)
        let end = cursor.position
        cursor.position = start
        defer { cursor.position = end }
        if end - start <= mostBytesOfOne {
            let value = try cursor.value(depth: depth)
            return (value == .null ? nil : GraphQLError(response: value, noting: &irregularities), end - start)
        }
        let error = GraphQLError(response: try shortened(&cursor, depth: depth), noting: &irregularities)
        irregularities.append(.longError(error.message, bytes: end - start))
        return (error, longestMessage)
    }

    /// Reads a long value that was checked. Of an object only the message is kept, and the path and the locations if
    /// they are short.
    private static func shortened(_ cursor: inout JSONCursor, depth: Int) throws(JSONFailure) -> JSONValue {
        switch cursor.next {
        case 0x22: return .string(cursor.text(try cursor.string()).cut(to: longestMessage))
        case 0x7B: break
        default: return .string("an error of another form")
        }
        var members: [JSONValue.Member] = []
        cursor.position += 1
        cursor.skipSpace()
        guard cursor.next != 0x7D else { return .object([]) }
        repeat {
            let token = try cursor.string()
            let name = token.range.count <= 16 ? cursor.text(token) : ""
            try cursor.expectColon()
            let start = cursor.position
            if name == "message", cursor.next == 0x22 {
                members.append(.init(name, .string(cursor.text(try cursor.string()).cut(to: longestMessage))))
                continue
            }
            try cursor.skipValue(depth: depth + 1)
            let end = cursor.position
            guard name == "path" || name == "locations", end - start <= longestMessage else { continue }
            cursor.position = start
            members.append(.init(name, try cursor.value(depth: depth + 1)))
            cursor.position = end
        } while try cursor.continues(until: 0x7D)
        if !members.contains(where: { $0.name == "message" }) {
            members.append(.init("message", "an error without a message"))
        }
        return .object(members)
    }

    private static let knownMembers: Set<String> = ["message", "path", "locations", "extensions"]

    /// Reads one error. Servers also send strings and irregular objects; their message is kept in any case.
    private init(response value: JSONValue, noting irregularities: inout [LogEvent.Irregularity]) {
        switch value {
        case .string(let message): self.init(message: message.cut(to: Self.longestMessage))
        case .object(let members):
            let text = if case .string(let text)? = value["message"] { text } else { value.text }
            let message = text.cut(to: Self.longestMessage)
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
            // The message of an error without one is its whole text.
            for member in members where !Self.knownMembers.contains(member.name) {
                otherMembers[member.name] = member.value
            }
        default: self.init(message: value.text.cut(to: Self.longestMessage))
        }
    }

    /// Reads a path. A component that is neither a key nor an index is kept as a key, because the path would otherwise
    /// lead elsewhere.
    private static func path(_ value: JSONValue) -> (path: [JSONValue.PathComponent], isRegular: Bool) {
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

    private static func component(_ value: JSONValue) -> JSONValue.PathComponent? {
        if case .string(let key) = value { return .key(key) }
        return value.integer.map(JSONValue.PathComponent.index)
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
