/// The error of a text that is not JSON.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, or the limit that was exceeded.
    public let detail: String
    /// The position in bytes, from 0.
    public let offset: Int

    /// What was expected, and where; one line for a person.
    public var description: String { "\(detail) at byte \(offset)" }
}

extension JSONError {
    init(_ failure: JSONFailure) {
        offset = failure.offset
        switch failure.reason {
        case .notJSON(let detail): self.detail = detail
        case .tooDeep(let limit): detail = "more than \(limit) levels"
        default: detail = "not JSON"
        }
    }
}

extension JSONValue {
    /// Reads a document as strictly as answers are read (RFC 8259): UTF-8, only space around one value, at most 256
    /// levels deep.
    ///
    /// A byte order mark at the beginning is skipped. An escape that is half of a surrogate pair is read as U+FFFD. If
    /// members have the same name, byte by byte, the last one counts. A number beyond the range of a double is
    /// infinite.
    public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        try read(bytes) { (cursor) throws(JSONFailure) in try cursor.value(depth: 0) }
    }

    /// Checks a document as `parse` does, without building a value. Benchmarks use the time as the least cost of
    /// reading an answer.
    package static func check(_ bytes: [UInt8]) throws(JSONError) {
        try read(bytes) { (cursor) throws(JSONFailure) in try cursor.skipValue(depth: 0) }
    }

    private static func read<Result>(
        _ bytes: [UInt8], _ body: (inout JSONCursor) throws(JSONFailure) -> Result
    ) throws(JSONError) -> Result {
        do {
            return try JSONCursor.read(bytes) { (cursor) throws(JSONFailure) in
                cursor.begin()
                let result = try body(&cursor)
                try cursor.expectEnd()
                return result
            }
        } catch {
            throw JSONError(error)
        }
    }

    /// Reads a document from text.
    public static func parse(_ text: String) throws(JSONError) -> JSONValue {
        try parse(Array(text.utf8))
    }
}

extension JSONCursor {
    /// Reads a value of any kind; `depth` is the number of containers around it.
    mutating func value(depth: Int) throws(JSONFailure) -> JSONValue {
        switch next {
        case 0x22: return .string(text(try string()))
        case 0x74, 0x66: return .bool(try bool())
        case 0x6E:
            try expectNull()
            return .null
        case 0x5B:
            try enter(depth)
            var values: [JSONValue] = []
            if next == 0x5D {
                position &+= 1
                return .array([])
            }
            repeat { values.append(try value(depth: depth + 1)) } while try continues(until: 0x5D)
            return .array(values)
        case 0x7B:
            try enter(depth)
            var members: [JSONValue.Member] = []
            if next == 0x7D {
                position &+= 1
                return .object([])
            }
            repeat {
                let name = text(try string())
                try expectColon()
                members.append(.init(name, try value(depth: depth + 1)))
            } while try continues(until: 0x7D)
            return .object(Self.withoutRepetition(members))
        default:
            return switch try number() {
            case .int(let value): .int(value)
            case .double(let value): .double(value)
            }
        }
    }

    private mutating func enter(_ depth: Int) throws(JSONFailure) {
        guard depth < Self.maximumDepth else {
            throw JSONFailure(.tooDeep(limit: Self.maximumDepth), offset: position)
        }
        position &+= 1
        skipSpace()
    }

    private static func withoutRepetition(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        var positions: [ExactText: Int] = [:]
        for (index, member) in members.enumerated() { positions[ExactText(member.name)] = index }
        guard positions.count < members.count else { return members }
        return members.enumerated().filter { positions[ExactText($1.name)] == $0 }.map(\.element)
    }
}
