// Which record an object is.

extension Normalizer {
    /// Reads the `id` of an object, which decides its record: as a token of the answer if it is plain text, or else as a value. `expected` is the record
    /// that stood there before.
    @inline(__always)
    mutating func id(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ identity: inout RecordID?, _ prefix: [UInt8],
        expected: RecordID
    ) throws(JSONFailure) -> (JSONCursor.StringToken?, Value?) {
        if prefix.isEmpty, cursor.next == 0x22, field.takesText {
            let token = try cursor.string()
            if !token.hasEscapes {
                let cursor = cursor
                identity = names.names.withLock { names in
                    names.records.isText(expected, cursor, token.range)
                        ? expected : names.records.intern(cursor, token.range)
                }
                return (token, nil)
            }
            let value = Value.string(cursor.text(token))
            identity = record(value, prefix)
            return (nil, value)
        }
        let value = try leaf(&cursor, field, nil, depth: 0) ?? .null
        identity = record(value, prefix)
        return (nil, value)
    }

    /// The record of a value of `id`; nil if it is null.
    private func record(_ value: Value, _ prefix: [UInt8]) -> RecordID? {
        let text: String
        switch value {
        case .string(let value): text = value
        case .int(let value): text = String(value)
        case .scalar(let scalar):
            if case .string(let value) = scalar.json { text = value } else { text = scalar.json.text }
        default: return nil
        }
        return names.names.withLock { $0.records.intern(prefix + Array(text.utf8)) }
    }

    /// The record of an object whose first field with selections comes before its `id`.
    @inline(never)
    mutating func lookAhead(
        _ cursor: JSONCursor, _ selections: WriteSelections, _ prefix: [UInt8], _ place: Place
    ) throws(JSONFailure) -> RecordID {
        if let idField = selections.idField {
            let field = selections.fields[idField]
            var ahead = cursor
            try ahead.skipValue(depth: 1)
            while try ahead.continues(until: 0x7D) {
                let key = try ahead.string()
                try ahead.expectColon()
                if [0x22] + ahead.unescaped(key) + [0x22] == field.pointee.quotedKey {
                    if let value = try leaf(&ahead, field, nil, depth: 0), let record = record(value, prefix) {
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
                let quoted = Array("\"\(ahead.text(token))\"".utf8)
                try ahead.expectColon()
                let field = selections.fields.first { $0.quotedKey == quoted && $0.child == nil }
                if let field, ahead.next != 0x7B, ahead.next != 0x5B {
                    scalars.append(.init(names.name(of: field.key), try ahead.value(depth: depth)))
                } else {
                    try ahead.skipValue(depth: depth &+ 1)
                }
            } while try ahead.continues(until: 0x7D)
        }
        return function(TypeName(names.name(of: type)), .object(scalars)).flatMap { names.record(chosen: $0) }
    }
}
