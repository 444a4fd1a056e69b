extension Normalizer {
    // MARK: - Fields

    /// Reads the value of a field without selections.
    @inline(__always)
    mutating func leaf(_ cursor: inout JSONCursor, _ field: WriteField, depth: Int) throws(JSONFailure) -> Value {
        if field.listDepth == 0 { return try scalar(&cursor, field, level: 0, depth: depth) }
        return try list(&cursor, field, level: 0, depth: depth, parent: .none)
    }

    /// Reads the value of a field with selections.
    mutating func value(
        _ cursor: inout JSONCursor, _ field: WriteField, parent: RecordID, depth: Int
    ) throws(JSONFailure) -> Value {
        if field.listDepth > 0 { return try list(&cursor, field, level: 0, depth: depth, parent: parent) }
        if cursor.next == 0x6E { return try null(&cursor, field, level: 0) }
        let place = Place(parent: parent, key: field.key, index: RecordTable.noIndex)
        return .link(try child(&cursor, field, place, level: 0, depth: depth))
    }

    private mutating func child(
        _ cursor: inout JSONCursor, _ field: WriteField, _ place: Place, level: Int, depth: Int
    ) throws(JSONFailure) -> RecordID {
        guard cursor.next == 0x7B, let node = field.child, let composite = field.composite else {
            throw unexpected(cursor, "an object of type \(field.composite?.name ?? field.type.text)")
        }
        return try object(&cursor, node, composite, place, depth: depth &+ 1)
    }

    private func null(_ cursor: inout JSONCursor, _ field: WriteField, level: Int) throws(JSONFailure) -> Value {
        let start = cursor.position
        try cursor.expectNull()
        guard !field.type.isNonNull(level) else {
            throw JSONFailure(.unexpectedNull(expected: field.type.text), offset: start)
        }
        return .null
    }

    // MARK: - Lists

    /// Reads a list at a level of a type; recursion is bounded by the number of lists in the type.
    private mutating func list(
        _ cursor: inout JSONCursor, _ field: WriteField, level: Int, depth: Int, parent: RecordID
    ) throws(JSONFailure) -> Value {
        if cursor.next == 0x6E { return try null(&cursor, field, level: level) }
        guard cursor.next == 0x5B else { throw unexpected(cursor, "a list (\(field.type.text))") }
        guard depth &+ 1 < JSONCursor.maximumDepth else {
            throw JSONFailure(.tooDeep(limit: JSONCursor.maximumDepth), offset: cursor.position)
        }
        cursor.position &+= 1
        cursor.skipSpace()
        let isInnermost = level &+ 1 == field.listDepth
        if field.child != nil, isInnermost {
            return try links(&cursor, field, level: level &+ 1, depth: depth &+ 1, parent: parent)
        }
        var values: [Value] = []
        if cursor.next == 0x5D {
            cursor.position &+= 1
            return .list(values)
        }
        repeat {
            if isInnermost {
                values.append(try scalar(&cursor, field, level: level &+ 1, depth: depth &+ 1))
            } else {
                // Objects in different inner lists have different places.
                let index = UInt32(truncatingIfNeeded: values.count)
                let inner = field.child == nil ? parent : names.record(parent: parent, key: field.key, index: index)
                values.append(try list(&cursor, field, level: level &+ 1, depth: depth &+ 1, parent: inner))
            }
        } while try cursor.continues(until: 0x5D)
        return .list(values)
    }

    private mutating func links(
        _ cursor: inout JSONCursor, _ field: WriteField, level: Int, depth: Int, parent: RecordID
    ) throws(JSONFailure) -> Value {
        var records: [RecordID] = []
        if cursor.next == 0x5D {
            cursor.position &+= 1
            return .links(records)
        }
        repeat {
            if cursor.next == 0x6E {
                _ = try null(&cursor, field, level: level)
                records.append(.none)
            } else {
                let index = UInt32(truncatingIfNeeded: records.count)
                let place = Place(parent: parent, key: field.key, index: index)
                records.append(try child(&cursor, field, place, level: level, depth: depth))
            }
        } while try cursor.continues(until: 0x5D)
        return .links(records)
    }

    // MARK: - Scalars

    /// Reads one scalar or enum value.
    @inline(__always)
    private func scalar(
        _ cursor: inout JSONCursor, _ field: WriteField, level: Int, depth: Int
    ) throws(JSONFailure) -> Value {
        let next = cursor.next
        if next == 0x22 {
            switch field.kind {
            case .text, .id, .unmapped: return .string(cursor.text(try cursor.string()))
            default: break
            }
        }
        if next == 0x6E { return try null(&cursor, field, level: level) }
        switch field.kind {
        case .boolean where next == 0x74 || next == 0x66: return .bool(try cursor.bool())
        case .int where Self.startsNumber(next):
            let start = cursor.position
            switch try cursor.number() {
            case .int(let value): return .int(value)
            case .double(let value):
                if let integer = Int(exactly: value) { return .int(integer) }
                throw JSONFailure(
                    .unexpectedValue(expected: field.type.text, found: cursor.text(start..<cursor.position)),
                    offset: start)
            }
        case .float where Self.startsNumber(next):
            switch try cursor.number() {
            case .int(let value): return .double(Double(value))
            case .double(let value): return .double(value)
            }
        default: return try unusualScalar(&cursor, field, level: level, depth: depth)
        }
    }

    @inline(__always)
    private static func startsNumber(_ byte: UInt8) -> Bool { byte == 0x2D || byte &- 0x30 < 10 }

    @inline(never)
    private func unusualScalar(
        _ cursor: inout JSONCursor, _ field: WriteField, level: Int, depth: Int
    ) throws(JSONFailure) -> Value {
        let start = cursor.position
        switch field.kind {
        case .id where Self.startsNumber(cursor.next):
            // Any integer, also one beyond 64 bits.
            _ = try cursor.number()
            guard cursor.bytes(start..<cursor.position).allSatisfy({ $0 == 0x2D || $0 &- 0x30 < 10 }) else { break }
            return .string(cursor.text(start..<cursor.position))
        case .unmapped:
            try cursor.skipValue(depth: depth &+ 1)
            return .string(cursor.text(start..<cursor.position))
        case .mapped where field.conversion < scalars.count:
            let conversion = scalars[field.conversion]
            let json = try cursor.value(depth: depth &+ 1)
            do {
                return .scalar(ConvertedScalar(value: try conversion.decode(json), json: json))
            } catch {
                throw JSONFailure(
                    .conversionFailed(scalar: conversion.name, message: "\(error)"), offset: start)
            }
        default: break
        }
        cursor.position = start
        throw unexpected(cursor, field.type.text)
    }

    // MARK: - Failures

    private func unexpected(_ cursor: JSONCursor, _ expected: String) -> JSONFailure {
        var ahead = cursor
        let found: String
        switch cursor.next {
        case 0x7B: found = "an object"
        case 0x5B: found = "a list"
        case 0x22: found = "a string"
        case 0x74, 0x66: found = "a Boolean"
        case 0x6E: found = "null"
        default:
            // What is no value at all is a fault of the JSON, not of the type.
            do throws(JSONFailure) { _ = try ahead.number() } catch { return error }
            found = "a number"
        }
        return JSONFailure(.unexpectedValue(expected: expected, found: found), offset: cursor.position)
    }
}
