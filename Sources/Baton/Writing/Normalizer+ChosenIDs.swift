// Identities that the application chooses.

extension Normalizer {
    /// Asks the application for the identity of the object whose first key is next. `expected` is the record that stood
    /// there before.
    @inline(never)
    mutating func chosen(
        by function: DataIDFunction, _ cursor: JSONCursor, _ state: NodeStates.State, expected: RecordID, depth: Int
    ) -> RecordID? {
        guard let chosenFields else { return nil }
        let id = function(state.pointee.name, chosenFields.begin(cursor, state, depth: depth))
        let idRange = chosenFields.end()
        guard let id else { return nil }
        var choice: RecordTable.Choice?
        if let idRange, let prefix = cursor.prefix(of: id.rawValue, before: idRange) {
            if state.pointee.chosenPrefix == nil { state.pointee.note(chosenPrefix: prefix) }
            choice = .init(type: state.pointee.type, prefixCount: prefix.utf8.count)
        }
        let record = names.record(chosen: id, expected: expected, choice)
        return record == .root ? nil : record
    }

    /// The record of an object whose `id` the application was seen to turn into the record's identity, asking for
    /// nothing else; nil if it has to be asked. The same type and `id` give the same identity (benchmark
    /// `reingest.custom-ids`).
    @inline(__always)
    mutating func knownChoice(
        _ cursor: JSONCursor, _ state: NodeStates.State, _ typenameEnd: Int, expected: RecordID, depth: Int
    ) -> RecordID? {
        guard let prefix = state.pointee.chosenPrefix, let idField = state.pointee.selections.idField else {
            return nil
        }
        var ahead = cursor
        if typenameEnd > 0, state.pointee.skipsTypename {
            ahead.position = typenameEnd
            guard (try? ahead.continues(until: 0x7D)) == true else { return nil }
        }
        let field = state.pointee.fields[idField]
        if field.isKey(at: ahead.position, of: ahead) {
            ahead.position &+= field.pointee.keyLength
            ahead.skipSpace()
        } else {
            ahead = cursor
            guard (try? ChosenFields.find({ $0 == idField }, &ahead, state, depth: depth)) != nil else { return nil }
        }
        guard ahead.next == 0x22, let token = try? ahead.string(), !token.hasEscapes else { return nil }
        return record(cursor, IDText(prefix: prefix, range: token.range), state, expected: expected)
    }

    /// The record that was chosen for an `id` alone.
    @inline(__always)
    private mutating func record(
        _ cursor: JSONCursor, _ text: IDText, _ state: NodeStates.State, expected: RecordID
    ) -> RecordID? {
        let choice = RecordTable.Choice(type: state.pointee.type, prefixCount: text.prefix.count)
        return names.access { names in
            let record =
                names.records.isText(expected, text, in: cursor)
                ? expected : names.records.find(text, in: cursor) ?? .none
            return names.records.isChoice(record, choice) ? record : nil
        }
    }

    /// Reads a link `{"id":"1"}` to a record that was chosen for this `id` alone, and of which it says nothing new; nil
    /// if something else is next.
    mutating func chosenLink(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ expected: RecordID
    ) throws(JSONFailure) -> RecordID? {
        guard cursor.next == 0x7B, let state = nodes[field.pointee.childOrdinal],
            let prefix = state.pointee.chosenPrefix, state.pointee.selections.isMereLink
        else { return nil }
        var ahead = cursor
        guard ahead.skipToLink(state), ahead.next == 0x22 else { return nil }
        let token = try ahead.string()
        ahead.skipSpace()
        guard !token.hasEscapes, ahead.next == 0x7D,
            let record = record(ahead, IDText(prefix: prefix, range: token.range), state, expected: expected),
            hasID(token.range, ahead, record, state)
        else { return nil }
        ahead.position &+= 1
        cursor = ahead
        return record
    }

    /// Says whether the `id` of a record is known to be the one that stands in the answer.
    @inline(__always)
    private mutating func hasID(
        _ id: Range<Int>, _ cursor: JSONCursor, _ record: RecordID, _ state: NodeStates.State
    ) -> Bool {
        if let position = staged.position(of: record) {
            guard staged.contains(record, state.pointee.type),
                case .string(let text)? = staged.value(position, names.idKey)
            else { return false }
            return cursor.hasText(text, at: id)
        }
        guard hasID(record, state),
            case .string(let text)? = look.row(of: record).value(at: state.pointee.idPosition)?.pointee,
            cursor.hasText(text, at: id)
        else { return false }
        staged.confirmedIDs.append(.init(record: record, key: names.idKey))
        return true
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
    /// How often a field was asked for, and where the `id` stands if it was that, as plain text.
    private var questions = 0
    private var idRange: Range<Int>?

    /// Makes fields that are there until `end`; whoever keeps them longer has none.
    func begin(_ cursor: JSONCursor, _ state: NodeStates.State, depth: Int) -> ObjectFields {
        turn &+= 1
        (questions, idRange) = (0, nil)
        object = (cursor, state, depth)
        return ObjectFields(self, turn: turn)
    }

    /// Takes the fields away; where the `id` stands, if nothing else was asked for and it is plain text.
    func end() -> Range<Int>? {
        object = nil
        return questions == 1 ? idRange : nil
    }

    override func value(of name: String, turn: Int) -> JSONValue? {
        guard turn == self.turn, let (cursor, state, depth) = object else { return nil }
        var ahead = cursor
        questions &+= 1
        // What is no JSON is found when the object is read.
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

    /// Moves to the value of a field that is neither a list nor an object; which it is, nil if there is none that is
    /// wanted.
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

extension JSONCursor {
    /// What stands before a part of an answer in a text that ends with it; nil if it does not.
    fileprivate func prefix(of text: String, before range: Range<Int>) -> String? {
        let own = run(range)
        guard text.utf8.count >= own.count, text.utf8.suffix(own.count).elementsEqual(own) else { return nil }
        return String(text.utf8.dropLast(own.count))
    }
}
