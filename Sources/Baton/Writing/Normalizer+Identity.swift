// Which record an object is.

extension Normalizer {
    /// Reads the `id` of an object, which decides its record unless something else has.
    @inline(__always)
    mutating func id(
        _ cursor: inout JSONCursor, _ field: WriteField, _ identity: inout RecordID?, _ prefix: [UInt8]
    ) throws(JSONFailure) -> Value {
        let start = cursor.position
        let value = try leaf(&cursor, field, depth: 0)
        guard identity == nil else { return value }
        if prefix.isEmpty, case .string(let text) = value, text.utf8.count == cursor.position &- start &- 2,
            cursor.byte(at: start) == 0x22
        {
            // A plain string without escapes: straight from the bytes.
            let range = start &+ 1..<cursor.position &- 1
            identity = names.names.withLock { $0.records.intern(cursor, range) }
        } else {
            identity = record(value, prefix)
        }
        return value
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
                if [0x22] + ahead.unescaped(key) + [0x22] == field.quotedKey {
                    if let record = record(try leaf(&ahead, field, depth: 0), prefix) { return record }
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
