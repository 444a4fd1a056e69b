/// Finds the fields of one object in the bytes of a response, for a call of the data ID function. Only the members up
/// to the last requested field are scanned (benchmark `ingest.custom-ids`).
final class ChosenFields: DataID.Fields.Reader {
    private var object: (cursor: JSONCursor, state: NodeStates.State, depth: Int)?
    private var turn = 0
    /// The number of requests for fields, and the range of the `id` if it was requested and is plain text.
    private var questions = 0
    private var idRange: Range<Int>?

    /// Begins the access to an object's fields. They can be read until `end` is called, and are empty afterwards.
    func begin(_ cursor: JSONCursor, _ state: NodeStates.State, depth: Int) -> DataID.Fields {
        turn &+= 1
        (questions, idRange) = (0, nil)
        object = (cursor, state, depth)
        return DataID.Fields(self, turn: turn)
    }

    /// Ends the access. Returns the range of the `id` if only the `id` was requested and it is plain text.
    func end() -> Range<Int>? {
        object = nil
        return questions == 1 ? idRange : nil
    }

    override func value(of name: String, turn: Int) -> JSONValue? {
        guard turn == self.turn, let (cursor, state, depth) = object else { return nil }
        var ahead = cursor
        questions &+= 1
        // Malformed JSON is reported later, when the object is read.
        let found = try? Self.find({ state.pointee.fieldNames[$0] == name }, &ahead, state, depth: depth)
        guard let index = found ?? nil else { return nil }
        let start = ahead.position
        guard let value = try? ahead.value(depth: depth) else { return nil }
        if case .string(let text) = value, state.pointee.hasOneID, index == state.pointee.selections.idField,
            ahead.position &- start == text.utf8.count &+ 2
        {
            idRange = start &+ 1..<ahead.position &- 1
        }
        return value
    }

    /// Moves to the value of a wanted field that is neither a list nor an object. Returns the field's index; nil if
    /// there is no such field.
    static func find(
        _ isWanted: (Int) -> Bool, _ cursor: inout JSONCursor, _ state: NodeStates.State, depth: Int
    ) throws(JSONFailure) -> Int? {
        guard cursor.next != 0x7D else { return nil }
        let fields = state.pointee.fields
        var expected = 0
        repeat {
            var index: Int?
            if expected < fields.count, fields[expected].isKey(at: cursor.position, of: cursor) {
                cursor.position &+= fields[expected].pointee.keyLength
                cursor.skipSpace()
                index = expected
            } else if state.pointee.skipsTypename, let start = cursor.startOfTypename(at: cursor.position) {
                cursor.position = start
            } else {
                let key = try cursor.string()
                try cursor.expectColon()
                index =
                    key.hasEscapes
                    ? cursor.unescaped(key).withUnsafeBytes { fields.index(of: $0, from: expected) }
                    : fields.index(of: cursor.run(key.range), from: expected)
            }
            if let index {
                expected = index &+ 1
                if isWanted(index), fields[index].pointee.childOrdinal < 0, cursor.next != 0x7B, cursor.next != 0x5B {
                    return index
                }
            }
            try cursor.skipValue(depth: depth &+ 1)
        } while try cursor.continues(until: 0x7D)
        return nil
    }
}
