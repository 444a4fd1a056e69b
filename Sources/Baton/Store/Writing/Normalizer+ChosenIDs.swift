// Identities that the application's data ID function chooses.

extension Normalizer {
    /// Calls the data ID function for the identity of the object whose first key is next. `expected` is the record that
    /// was linked here before.
    @inline(never)
    mutating func chosen(
        by function: DataID.Function, _ cursor: JSONCursor, _ state: NodeStates.State, expected: RecordID, depth: Int
    ) -> RecordID? {
        guard let chosenFields else { return nil }
        let id = function(state.pointee.name, chosenFields.begin(cursor, state, depth: depth))
        let idRange = chosenFields.end()
        guard let id else { return nil }
        var choice: RecordNumbers.Choice?
        if let idRange, let prefix = cursor.prefix(of: id.rawValue, before: idRange) {
            if state.pointee.chosenPrefix == nil { state.pointee.note(chosenPrefix: prefix) }
            choice = .init(type: state.pointee.type, prefixCount: prefix.utf8.count)
        }
        let record = names.record(chosen: id, expected: expected, choice)
        return record == .root ? nil : record
    }

    /// Returns the record of an object without a call of the data ID function, if an earlier call read only the `id`.
    /// The same type and `id` give the same identity (benchmark `reingest.custom-ids`). Returns nil if the function
    /// must be called.
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

    /// Returns the record that was chosen for an `id` alone; nil if there is none.
    @inline(__always)
    private mutating func record(
        _ cursor: JSONCursor, _ text: IDText, _ state: NodeStates.State, expected: RecordID
    ) -> RecordID? {
        let choice = RecordNumbers.Choice(type: state.pointee.type, prefixCount: text.prefix.count)
        return names.access { names in
            let record =
                names.records.isText(expected, text, in: cursor)
                ? expected : names.records.find(text, in: cursor) ?? .none
            return names.records.isChoice(record, choice) ? record : nil
        }
    }

    /// Reads a link `{"id":"1"}` to a record that was chosen for this `id` alone, if the link has no new data. Returns
    /// nil if something else is next.
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

    /// Returns true if the record's known `id` is the `id` in the response.
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

    /// Returns true if the object has only its `id` and the base record has the same `id`. The comparison is needed
    /// because the `id` cannot be derived from a chosen identity.
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

extension JSONCursor {
    /// Returns the beginning of a text that ends with some bytes of the response; nil if the text does not end with
    /// them.
    fileprivate func prefix(of text: String, before range: Range<Int>) -> String? {
        let own = run(range)
        guard text.utf8.count >= own.count, text.utf8.suffix(own.count).elementsEqual(own) else { return nil }
        return String(text.utf8.dropLast(own.count))
    }
}
