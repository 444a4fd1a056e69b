// Scalars have several owners, this one for responses; ReadingTheDesign.md names the others.

extension Normalizer {
    // MARK: - Fields

    /// Reads the value of a field without selections; returns nil if it is the known value.
    @inline(__always)
    mutating func leaf(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ known: UnsafePointer<Value>?, depth: Int
    ) throws(JSONFailure) -> Value? {
        if field.pointee.listDepth == 0 { return try scalar(&cursor, field, known, level: 0, depth: depth) }
        return try list(&cursor, field, known, level: 0, depth: depth, parent: .none)
    }

    /// Reads the value of a field with selections; returns nil if it is the known value.
    mutating func value(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ known: UnsafePointer<Value>?,
        parent: RecordID, depth: Int
    ) throws(JSONFailure) -> Value? {
        if field.pointee.listDepth > 0 {
            return try list(&cursor, field, known, level: 0, depth: depth, parent: parent)
        }
        if cursor.next == 0x6E {
            let value = try Self.null(&cursor, field, level: 0)
            if let known, case .null = known.pointee { return nil }
            return value
        }
        let place = Place(parent: parent, key: field.pointee.key, index: RecordNumbers.noIndex)
        var expected = RecordID.none
        if let known, case .link(let record) = known.pointee { expected = record }
        let record = try child(&cursor, field, place, expected: expected, depth: depth)
        return record == expected ? nil : .link(record)
    }

    @inline(__always)
    mutating func child(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ place: Place, expected: RecordID, depth: Int
    ) throws(JSONFailure) -> RecordID {
        guard cursor.next == 0x7B, field.pointee.childOrdinal >= 0 else {
            throw Self.unexpected(
                cursor, "an object of type \(field.pointee.composite?.name ?? field.pointee.type.text)")
        }
        return try object(&cursor, field, place, expected: expected, depth: depth &+ 1)
    }

    static func null(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, level: Int
    ) throws(JSONFailure) -> Value {
        let start = cursor.position
        try cursor.expectNull()
        guard !field.pointee.type.isNonNull(level) else {
            throw JSONFailure(.unexpectedNull(expected: field.pointee.type.text), offset: start)
        }
        return .null
    }

    // MARK: - Lists

    /// Reads one item of a list whose earlier items have arrived before.
    mutating func item(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, index: Int, parent: RecordID, depth: Int
    ) throws(JSONFailure) -> Value {
        let index = UInt32(truncatingIfNeeded: index)
        if field.pointee.listDepth > 1 {
            let inner =
                field.pointee.child == nil
                ? parent : names.record(parent: parent, key: field.pointee.key, index: index)
            return try list(&cursor, field, nil, level: 1, depth: depth, parent: inner) ?? .null
        }
        guard field.pointee.child != nil else {
            return try scalar(&cursor, field, nil, level: 1, depth: depth) ?? .null
        }
        if cursor.next == 0x6E { return try Self.null(&cursor, field, level: 1) }
        let place = Place(parent: parent, key: field.pointee.key, index: index)
        return .link(try child(&cursor, field, place, expected: .none, depth: depth))
    }

    /// Reads a list at a level of a type. The recursion is bounded by the number of lists in the type.
    private mutating func list(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ known: UnsafePointer<Value>?, level: Int,
        depth: Int, parent: RecordID
    ) throws(JSONFailure) -> Value? {
        if cursor.next == 0x6E {
            let value = try Self.null(&cursor, field, level: level)
            if let known, case .null = known.pointee { return nil }
            return value
        }
        guard cursor.next == 0x5B else { throw Self.unexpected(cursor, "a list (\(field.pointee.type.text))") }
        guard depth &+ 1 < JSONCursor.maximumDepth else {
            throw JSONFailure(.tooDeep(limit: JSONCursor.maximumDepth), offset: cursor.position)
        }
        cursor.position &+= 1
        cursor.skipSpace()
        let isInnermost = level &+ 1 == field.pointee.listDepth
        if field.pointee.child != nil, isInnermost {
            return try links(&cursor, field, known, level: level &+ 1, depth: depth &+ 1, parent: parent)
        }
        if isInnermost { return try scalars(&cursor, field, known, level: level &+ 1, depth: depth &+ 1) }
        var values: [Value] = []
        if cursor.next == 0x5D {
            cursor.position &+= 1
        } else {
            repeat {
                // Objects in different inner lists get different identities.
                let index = UInt32(truncatingIfNeeded: values.count)
                let inner =
                    field.pointee.child == nil
                    ? parent : names.record(parent: parent, key: field.pointee.key, index: index)
                values.append(
                    try list(&cursor, field, nil, level: level &+ 1, depth: depth &+ 1, parent: inner) ?? .null)
            } while try cursor.continues(until: 0x5D)
        }
        let value = Value.list(values)
        return known?.pointee.isIdentical(to: value) == true ? nil : value
    }

    /// Reads a list of scalars after its bracket; returns nil if it is the known list. Values are kept only from the
    /// first difference on.
    private mutating func scalars(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ known: UnsafePointer<Value>?, level: Int,
        depth: Int
    ) throws(JSONFailure) -> Value? {
        let list = known.map { BorrowedList($0.pointee) } ?? .none
        var isKnown = list.isList && !list.isLinks
        var count = 0
        if cursor.next == 0x5D {
            cursor.position &+= 1
            return isKnown && list.count == 0 ? nil : .list([])
        }
        let first = scalarItems.count
        repeat {
            let old = isKnown ? list.pointer(at: count) : nil
            let value = try scalar(&cursor, field, old, level: level, depth: depth)
            if isKnown, value != nil || old == nil {
                isKnown = false
                for index in 0..<count { scalarItems.append(list.value(at: index)) }
            }
            if !isKnown { scalarItems.append(value ?? .null) }
            count &+= 1
        } while try cursor.continues(until: 0x5D)
        if isKnown, count == list.count { return nil }
        return .list(isKnown ? (0..<count).map(list.value) : scalarItems.take(from: first))
    }

    // MARK: - Scalars

    /// Reads one scalar or enum value; returns nil if it is the known value.
    @inline(__always)
    private mutating func scalar(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ known: UnsafePointer<Value>?, level: Int,
        depth: Int
    ) throws(JSONFailure) -> Value? {
        let next = cursor.next
        if next == 0x22, field.takesText {
            let token = try cursor.string()
            if let known, case .string(let text) = known.pointee, cursor.isEqual(token, text) { return nil }
            return .string(cursor.text(token))
        }
        if next == 0x6E {
            let value = try Self.null(&cursor, field, level: level)
            if let known, case .null = known.pointee { return nil }
            return value
        }
        switch field.pointee.kind {
        case .boolean where next == 0x74 || next == 0x66:
            let value = try cursor.bool()
            if let known, case .bool(value) = known.pointee { return nil }
            return .bool(value)
        case .int where Self.startsNumber(next):
            let start = cursor.position
            var value = 0
            switch try cursor.number() {
            case .int(let integer): value = integer
            case .double(let double):
                guard let integer = Int(exactly: double) else {
                    throw Self.unexpectedNumber(cursor, field, from: start)
                }
                value = integer
            }
            if let known, case .int(value) = known.pointee { return nil }
            return .int(value)
        case .float where Self.startsNumber(next):
            let start = cursor.position
            let value: Double
            switch try cursor.number() {
            case .int(let integer): value = Double(integer)
            case .double(let double):
                guard double.isFinite else { throw Self.unexpectedNumber(cursor, field, from: start) }
                value = double
            }
            if let known, case .double(let old) = known.pointee, old.bitPattern == value.bitPattern { return nil }
            return .double(value)
        default:
            let value = try unusualScalar(&cursor, field, level: level, depth: depth)
            return known?.pointee.isIdentical(to: value) == true ? nil : value
        }
    }

    @inline(never)
    private mutating func unusualScalar(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, level: Int, depth: Int
    ) throws(JSONFailure) -> Value {
        let start = cursor.position
        switch field.pointee.kind {
        case .id where Self.startsNumber(cursor.next):
            // An ID may be any integer, even one beyond 64 bits.
            try cursor.skipNumber()
            guard cursor.bytes(start..<cursor.position).allSatisfy({ $0 == 0x2D || $0 &- 0x30 < 10 }) else { break }
            return .string(cursor.text(start..<cursor.position))
        case .unmapped:
            try cursor.skipValue(depth: depth &+ 1)
            return .string(cursor.compactText(start..<cursor.position))
        case .mapped where field.pointee.conversion < scalars.count:
            let conversion = scalars[field.pointee.conversion]
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
        throw Self.unexpected(cursor, field.pointee.type.text)
    }

    // MARK: - Failures

    /// The error for a number that the type of its field cannot hold.
    @inline(never)
    private static func unexpectedNumber(
        _ cursor: JSONCursor, _ field: UnsafePointer<WriteField>, from start: Int
    ) -> JSONFailure {
        JSONFailure(
            .unexpectedValue(expected: field.pointee.type.text, found: cursor.text(start..<cursor.position)),
            offset: start)
    }

    private static func unexpected(_ cursor: JSONCursor, _ expected: String) -> JSONFailure {
        var ahead = cursor
        let found: String
        switch cursor.next {
        case 0x7B: found = "an object"
        case 0x5B: found = "a list"
        case 0x22: found = "a string"
        case 0x74, 0x66: found = "a Boolean"
        case 0x6E: found = "null"
        default:
            // Malformed JSON is reported as such, not as a value of the wrong type.
            do throws(JSONFailure) { try ahead.skipNumber() } catch { return error }
            found = "a number"
        }
        return JSONFailure(.unexpectedValue(expected: expected, found: found), offset: cursor.position)
    }
}
