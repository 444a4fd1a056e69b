// Identities that the application chooses.

extension Normalizer {
    /// Asks the application for the identity of the object whose first key is next. `expected` is the record that stood
    /// there before.
    @inline(never)
    func chosen(
        by function: DataIDFunction, _ cursor: JSONCursor, _ state: NodeStates.State, expected: RecordID, depth: Int
    ) -> RecordID? {
        guard let chosenFields else { return nil }
        let id = function(state.pointee.name, chosenFields.begin(cursor, state, depth: depth))
        chosenFields.end()
        guard let id else { return nil }
        let record = names.record(chosen: id, expected: expected)
        return record == .root ? nil : record
    }

    /// Says whether nothing is new about a record of which no more than its ID came, although the application chose its
    /// identity: that does not tell the ID.
    @inline(never)
    mutating func isKnownChosenLink(_ record: RecordID, _ state: NodeStates.State) -> Bool {
        guard state.pointee.selections.isMereLink, state.pointee.isInOrder, state.pointee.values.count == 1 else {
            return false
        }
        let id = state.pointee.values[0]
        if let position = staged.position(of: record) {
            guard staged.contains(record, state.pointee.type), let known = staged.value(position, names.idKey) else {
                return false
            }
            return known.isIdentical(to: id)
        }
        guard hasID(record, state), base.value(names.idKey, of: record)?.isIdentical(to: id) == true else {
            return false
        }
        staged.confirmedIDs.append(.init(record: record, key: names.idKey))
        return true
    }
}

/// Finds the fields of one object in the bytes of an answer while the application is asked for its identity. Nothing is
/// read that it does not ask for, and of an object no more than up to the last field that it asks for (benchmark
/// `ingest.custom-ids`).
final class ChosenFields: ObjectFields.Reader {
    private var object: (cursor: JSONCursor, state: NodeStates.State, depth: Int)?
    private var turn = 0

    /// Makes fields that are there until `end`; whoever keeps them longer has none.
    func begin(_ cursor: JSONCursor, _ state: NodeStates.State, depth: Int) -> ObjectFields {
        turn &+= 1
        object = (cursor, state, depth)
        return ObjectFields(self, turn: turn)
    }

    func end() { object = nil }

    override func value(of name: String, turn: Int) -> JSONValue? {
        guard turn == self.turn, let (cursor, state, depth) = object else { return nil }
        var ahead = cursor
        // What is no JSON is found when the object is read.
        return (try? Self.value(of: name, &ahead, state, depth: depth)) ?? nil
    }

    private static func value(
        of name: String, _ cursor: inout JSONCursor, _ state: NodeStates.State, depth: Int
    ) throws(JSONFailure) -> JSONValue? {
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
                if state.pointee.fieldNames[index] == name, fields[index].pointee.childOrdinal < 0,
                    cursor.next != 0x7B, cursor.next != 0x5B
                {
                    return try cursor.value(depth: depth)
                }
            }
            try cursor.skipValue(depth: depth &+ 1)
        } while try cursor.continues(until: 0x7D)
        return nil
    }
}
