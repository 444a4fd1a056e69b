/// The members of a JSON object in a stream of responses. The values of the members stay bytes.
///
/// The whole text is checked as strictly as responses are. If members have the same name, the last one counts.
package struct ResponseOutline: Sendable {
    /// The number of members.
    package private(set) var count = 0
    /// The member `hasNext`; nil if it is missing or no boolean.
    package private(set) var hasNext: Bool?
    /// True if the member `data` is there, even if it is null.
    package private(set) var hasData = false
    /// True if the member `done` is true.
    package private(set) var isDone = false
    /// The value of `payload`, as a range of the bytes; nil if there is none.
    package private(set) var payload: Range<Int>?
    /// The value of `id`, as a range of the bytes; nil if there is none.
    package private(set) var id: Range<Int>?

    /// Reads an object; throws if the bytes are something else.
    package init(_ bytes: [UInt8]) throws(JSONValue.ParseError) {
        do throws(JSONFailure) {
            self = try JSONCursor.read(bytes) { (cursor) throws(JSONFailure) in
                var outline = ResponseOutline()
                try outline.read(&cursor)
                return outline
            }
        } catch {
            throw JSONValue.ParseError(error)
        }
    }

    private init() {}

    private mutating func read(_ cursor: inout JSONCursor) throws(JSONFailure) {
        cursor.begin()
        try cursor.expect(0x7B, "'{'")
        cursor.skipSpace()
        if cursor.next == 0x7D {
            cursor.position += 1
        } else {
            repeat { try member(&cursor) } while try cursor.continues(until: 0x7D)
        }
        try cursor.expectEnd()
    }

    private mutating func member(_ cursor: inout JSONCursor) throws(JSONFailure) {
        let name = try cursor.string()
        try cursor.expectColon()
        let (start, first) = (cursor.position, cursor.next)
        try cursor.skipValue(depth: 1)
        count += 1
        // No wanted name is longer, and a server may send a name of any length.
        guard name.range.count <= 64 else { return }
        switch cursor.text(name) {
        case "hasNext": hasNext = first == 0x74 ? true : first == 0x66 ? false : nil
        case "data": hasData = true
        case "done": isDone = first == 0x74
        case "payload": payload = start..<cursor.position
        case "id": id = start..<cursor.position
        default: break
        }
    }
}

extension GraphQLError {
    /// The errors in a JSON text that is a list of errors or an object with the member `errors`; none if it is neither.
    package static func sent(in bytes: [UInt8]) -> [GraphQLError] {
        var irregularities: [LogEvent.Irregularity] = []
        let errors = try? JSONCursor.read(bytes) { (cursor) throws(JSONFailure) -> [GraphQLError] in
            cursor.begin()
            if cursor.next == 0x5B {
                let errors = try list(&cursor, depth: 0, noting: &irregularities)
                try cursor.expectEnd()
                return errors
            }
            guard cursor.next == 0x7B else { return [] }
            cursor.position += 1
            cursor.skipSpace()
            guard cursor.next != 0x7D else { return [] }
            var errors: [GraphQLError] = []
            repeat {
                let name = try cursor.string()
                try cursor.expectColon()
                if cursor.isEqual(name, "errors") {
                    errors = try list(&cursor, depth: 1, noting: &irregularities)
                } else {
                    try cursor.skipValue(depth: 1)
                }
            } while try cursor.continues(until: 0x7D)
            return errors
        }
        return errors ?? []
    }
}
