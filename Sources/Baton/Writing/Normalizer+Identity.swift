// Which record an object is.

extension Normalizer {
    /// Reads the `id` of an object, which decides its record: as a token of the answer if it is plain text, or else as a value. `expected` is the record
    /// that stood there before. Gives the value of the field; nil if it is that of the base.
    @inline(__always)
    mutating func id(
        _ cursor: inout JSONCursor, _ state: UnsafeMutablePointer<NodeState>, _ index: Int,
        _ identity: inout RecordID, expected: RecordID
    ) throws(JSONFailure) -> Value? {
        let field = state.pointee.fields[index]
        if !state.pointee.hasPrefix, cursor.next == 0x22, field.takesText {
            let token = try cursor.string()
            if !token.hasEscapes {
                identity = record(cursor, token, expected: expected)
                // The record of the root fields is no object of an answer, whatever a server calls one.
                guard identity != .root else {
                    identity = .none
                    return .string(cursor.text(token))
                }
                compare(state, to: identity)
                if let known = state.pointee.known.value(at: index), case .string(let text) = known.pointee,
                    cursor.isEqual(token, text)
                {
                    return nil
                }
                return .string(cursor.text(token))
            }
            let value = Value.string(cursor.text(token))
            identity = record(value, []) ?? .none
            if identity != .none { compare(state, to: identity) }
            return value
        }
        let value = try leaf(&cursor, field, nil, depth: 0) ?? .null
        identity = record(value, state.pointee.prefix) ?? .none
        if identity != .none { compare(state, to: identity) }
        return value
    }

    /// The record of the text of an `id`, without its escapes.
    @inline(__always)
    func record(_ cursor: JSONCursor, _ token: JSONCursor.StringToken, expected: RecordID) -> RecordID {
        names.names.withLock { names in
            names.records.isText(expected, cursor, token.range)
                ? expected : names.records.intern(cursor, token.range)
        }
    }

    /// The record of a value of `id`; nil if it is null, or the text of the root.
    private func record(_ value: Value, _ prefix: [UInt8]) -> RecordID? {
        let text: String
        switch value {
        case .string(let value): text = value
        case .int(let value): text = String(value)
        case .scalar(let scalar):
            if case .string(let value) = scalar.json { text = value } else { text = scalar.json.text }
        default: return nil
        }
        let record = names.names.withLock { $0.records.intern(prefix + Array(text.utf8)) }
        return record == .root ? nil : record
    }

    /// The record of an object whose first field with selections comes before its `id`.
    @inline(never)
    mutating func lookAhead(
        _ cursor: JSONCursor, _ state: UnsafeMutablePointer<NodeState>, _ place: Place
    ) throws(JSONFailure) -> RecordID {
        if let idField = state.pointee.selections?.idField {
            let field = state.pointee.fields[idField]
            var ahead = cursor
            try ahead.skipValue(depth: 1)
            while try ahead.continues(until: 0x7D) {
                let key = try ahead.string()
                try ahead.expectColon()
                if field.isNamed(ahead.unescaped(key)) {
                    if let value = try leaf(&ahead, field, nil, depth: 0),
                        let record = record(value, state.pointee.prefix)
                    {
                        return record
                    }
                } else {
                    try ahead.skipValue(depth: 1)
                }
            }
        }
        return names.record(parent: place.parent, key: place.key, index: place.index)
    }

    /// Asks the application for the identity of the object whose first key is next.
    @inline(never)
    func custom(
        _ function: DataIDFunction, _ cursor: JSONCursor, _ selections: WriteSelections, _ type: TypeID, depth: Int
    ) throws(JSONFailure) -> RecordID? {
        var ahead = cursor
        var scalars: [JSONValue.Member] = []
        if ahead.next != 0x7D {
            repeat {
                let token = try ahead.string()
                try ahead.expectColon()
                let index = selections.fields.index(of: ahead.unescaped(token), from: 0)
                if let field = index.map({ selections.fields[$0].pointee }), field.child == nil, ahead.next != 0x7B,
                    ahead.next != 0x5B
                {
                    scalars.append(.init(names.name(of: field.key), try ahead.value(depth: depth)))
                } else {
                    try ahead.skipValue(depth: depth &+ 1)
                }
            } while try ahead.continues(until: 0x7D)
        }
        return function(TypeName(names.name(of: type)), .object(scalars)).flatMap { id in
            let record = names.record(chosen: id)
            return record == .root ? nil : record
        }
    }
}
