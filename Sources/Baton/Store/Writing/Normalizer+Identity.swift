// The identity of a record has several owners, this one for objects in responses; ReadingTheDesign.md names the others.

// Finds the record of an object.

extension Normalizer {
    /// Decides which record an object is, before its members are read.
    ///
    /// The function of the application comes first. An object without an `id` and without key fields has the record of
    /// its place. For all other objects the result is `none`: the `id` or the key decides when it is read, with the
    /// prefix that `Normalizer+Types` gives the type; `KeyedIdentity` reads keys.
    @inline(__always)
    mutating func identity(
        of state: UnsafeMutablePointer<NodeState>, at place: Place, _ cursor: JSONCursor, _ typenameEnd: Int,
        expected: RecordID, depth: Int
    ) throws(JSONFailure) -> RecordID {
        if let customDataID,
            let chosen = knownChoice(cursor, state, typenameEnd, expected: expected, depth: depth)
                ?? chosen(by: customDataID, cursor, state, expected: expected, depth: depth), chosen != .none
        {
            return chosen
        }
        return state.pointee.selections.idField == nil ? try record(at: place, cursor, expected: expected) : .none
    }

    /// Reads the `id` of an object, which decides its record. Plain text is used as a token of the response, anything
    /// else as a value. `expected` is the record that was linked here before. Returns the value of the field; nil if
    /// the base has the same value.
    @inline(__always)
    mutating func id(
        _ cursor: inout JSONCursor, _ state: UnsafeMutablePointer<NodeState>, _ index: Int,
        _ identity: inout RecordID, expected: RecordID
    ) throws(JSONFailure) -> Value? {
        let field = state.pointee.fields[index]
        let prefix = state.pointee.prefix
        if let (token, number) = try Self.idToken(&cursor, field) {
            identity = record(cursor, IDText(prefix: prefix, range: token), expected: expected)
            // An object of a response is never the record of the root fields, whatever its `id` is.
            if identity == .root {
                identity = .none
            } else {
                settle(state, on: identity, expected: expected)
                if let known = state.pointee.known.value(at: index) {
                    switch known.pointee {
                    case .string(let text) where number == nil && cursor.hasText(text, at: token): return nil
                    case .int(let value) where number == value: return nil
                    default: break
                    }
                }
            }
            return number.map { .int($0) } ?? .string(cursor.text(token))
        }
        let value = try leaf(&cursor, field, nil, depth: 0) ?? .null
        identity = record(value, prefix) ?? .none
        if identity != .none { settle(state, on: identity, expected: expected) }
        return state.pointee.known.value(at: index)?.pointee.isIdentical(to: value) == true ? nil : value
    }

    /// Moves past an `id` that stands in the response as plain text: a string without escapes, or an integer. Returns
    /// its range, and the number if the field holds a number. Returns nil if something else is next.
    @inline(__always)
    static func idToken(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>
    ) throws(JSONFailure) -> (Range<Int>, Int?)? {
        let start = cursor.position
        if cursor.next == 0x22, field.takesText {
            let token = try cursor.string()
            if !token.hasEscapes { return (token.range, nil) }
        } else if startsNumber(cursor.next), field.pointee.kind == .id || field.pointee.kind == .int,
            case .int(let number) = try cursor.number()
        {
            return (start..<cursor.position, field.pointee.kind == .int ? number : nil)
        }
        cursor.position = start
        return nil
    }

    /// Returns the record of a data ID that stands in a response.
    @inline(__always)
    mutating func record(_ cursor: JSONCursor, _ text: IDText, expected: RecordID) -> RecordID {
        names.access { names in
            names.records.isText(expected, text, in: cursor) ? expected : names.records.intern(text, in: cursor)
        }
    }

    /// Returns the record of an `id`; nil if the `id` is null or names the root.
    mutating func record(_ value: Value, _ prefix: IDPrefix) -> RecordID? {
        let text: String
        switch value {
        case .string(let value): text = value
        case .int(let value): text = String(value)
        case .scalar(let scalar):
            if case .string(let value) = scalar.json { text = value } else { text = scalar.json.text }
        default: return nil
        }
        let record = Self.record(of: text, prefix, names)
        return record == .root ? nil : record
    }

    private static func record(of text: String, _ prefix: IDPrefix, _ names: NameTable) -> RecordID {
        let bytes = Array(text.utf8)
        return names.access { names in
            JSONCursor.reading(bytes) { cursor in
                names.records.intern(IDText(prefix: prefix, range: 0..<bytes.count), in: cursor)
            }
        }
    }
}
