// Runs of plain fields in the order of the plan, which most responses mainly consist of. They are read on a short path
// with few checks.

extension Normalizer {
    /// Reads the next fields as long as they are plain and in order; returns true if the object has ended.
    @inline(__always)
    static func run(
        _ cursor: inout JSONCursor, _ state: UnsafeMutablePointer<NodeState>, _ expected: inout Int, isIdentified: Bool
    ) throws(JSONFailure) -> Bool {
        if state.pointee.isConfirmed {
            guard expected == state.pointee.confirmed else { return false }
            let isEnd = try confirm(
                &cursor, state.pointee.fields, state.pointee.known, &expected, isIdentified: isIdentified)
            state.pointee.confirmed = expected
            return isEnd
        }
        guard expected == state.pointee.values.count, state.pointee.isInOrder, state.pointee.known.state != .existing
        else { return false }
        return try fill(&cursor, state, &expected, isIdentified: isIdentified)
    }

    /// Moves past fields with the same values as a base record. Stops before the first field that differs or is not
    /// plain.
    private static func confirm(
        _ cursor: inout JSONCursor, _ fields: WriteFields, _ row: BorrowedRow, _ expected: inout Int,
        isIdentified: Bool
    ) throws(JSONFailure) -> Bool {
        while expected < fields.count, let known = row.value(at: expected) {
            let field = fields[expected]
            guard isIdentified || !field.pointee.isID, field.isKey(at: cursor.position, of: cursor) else {
                return false
            }
            let start = cursor.position
            cursor.position &+= field.pointee.keyLength
            cursor.skipSpace()
            guard try cursor.skip(known, field) else {
                cursor.position = start
                return false
            }
            expected &+= 1
            guard try cursor.continues(until: 0x7D) else { return true }
        }
        return false
    }

    /// Reads the values of new fields. Stops before the first field that is not plain.
    private static func fill(
        _ cursor: inout JSONCursor, _ state: UnsafeMutablePointer<NodeState>, _ expected: inout Int, isIdentified: Bool
    ) throws(JSONFailure) -> Bool {
        let fields = state.pointee.fields
        while expected < fields.count {
            let field = fields[expected]
            guard field.pointee.isPlain, isIdentified || !field.pointee.isID,
                field.isKey(at: cursor.position, of: cursor)
            else { return false }
            let start = cursor.position
            cursor.position &+= field.pointee.keyLength
            cursor.skipSpace()
            let next = cursor.next
            switch field.pointee.kind {
            case .text, .id, .unmapped:
                guard next == 0x22 else {
                    cursor.position = start
                    return false
                }
                state.pointee.values.append(.string(cursor.text(try cursor.string())))
            case .int where startsNumber(next):
                guard case .int(let value) = try cursor.number() else {
                    cursor.position = start
                    return false
                }
                state.pointee.values.append(.int(value))
            case .float where startsNumber(next):
                switch try cursor.number() {
                case .int(let value): state.pointee.values.append(.double(Double(value)))
                case .double(let value):
                    guard value.isFinite else {
                        cursor.position = start
                        return false
                    }
                    state.pointee.values.append(.double(value))
                }
            case .boolean where next == 0x74 || next == 0x66:
                state.pointee.values.append(.bool(try cursor.bool()))
            default:
                cursor.position = start
                return false
            }
            expected &+= 1
            guard try cursor.continues(until: 0x7D) else { return true }
        }
        return false
    }

    @inline(__always)
    static func startsNumber(_ byte: UInt8) -> Bool { byte == 0x2D || byte &- 0x30 < 10 }
}

extension JSONCursor {
    /// Moves past the value of a field and returns true if it is the known value. After false the position is
    /// undefined.
    @inline(__always)
    fileprivate mutating func skip(
        _ known: UnsafePointer<Value>, _ field: UnsafePointer<WriteField>
    ) throws(JSONFailure) -> Bool {
        switch known.pointee {
        case .string(let text): return field.pointee.isPlain && field.takesText && skip(text)
        case .int(let value):
            guard field.pointee.isPlain, field.pointee.kind == .int, Normalizer.startsNumber(next),
                case .int(value) = try number()
            else { return false }
            return true
        case .double(let value):
            guard field.pointee.isPlain, field.pointee.kind == .float, Normalizer.startsNumber(next) else {
                return false
            }
            switch try number() {
            case .int(let number): return Double(number).bitPattern == value.bitPattern
            case .double(let number): return number.bitPattern == value.bitPattern && number.isFinite
            }
        case .bool(let value):
            guard field.pointee.isPlain, field.pointee.kind == .boolean, next == 0x74 || next == 0x66 else {
                return false
            }
            return try bool() == value
        case .null:
            guard next == 0x6E, field.pointee.isPlainNull else { return false }
            try expectNull()
            return true
        default: return false
        }
    }
}
