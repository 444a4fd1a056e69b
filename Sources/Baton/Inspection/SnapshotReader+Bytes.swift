// Identities and records, of which a snapshot consists, are read from its bytes without making trees of them.

extension SnapshotReader {
    /// Reads a snapshot. The whole of it is checked to be JSON first, so that what follows only meets what is no snapshot.
    static func read(_ bytes: [UInt8]) throws(SnapshotError) -> DecodedSnapshot {
        do throws(JSONError) { try JSONValue.check(bytes) } catch { throw .notJSON(error) }
        var reader = SnapshotReader()
        var failure: SnapshotError?
        do throws(JSONFailure) {
            try JSONCursor.read(bytes) { (cursor) throws(JSONFailure) in
                cursor.begin()
                do throws(SnapshotError) { try reader.readDocument(&cursor) } catch { failure = error }
            }
        } catch {
            throw .notJSON(JSONError(error))
        }
        if let failure { throw failure }
        return reader.snapshot
    }

    private mutating func readDocument(_ cursor: inout JSONCursor) throws(SnapshotError) {
        guard cursor.next == 0x7B else { throw Self.wrong("it has no format number") }
        var lists: [String: Int] = [:]
        var members: [JSONValue.Member] = []
        try Self.json { () throws(JSONFailure) in
            cursor.position += 1
            cursor.skipSpace()
            if cursor.next == 0x7D { return }
            repeat {
                let name = cursor.text(try cursor.string())
                try cursor.expectColon()
                let isLong = name == "ids" || name == "records"
                // Of two the last counts, as in any JSON here.
                members.removeAll { $0.name == name }
                if isLong, cursor.next == 0x5B {
                    lists[name] = cursor.position
                    try cursor.skipValue(depth: 1)
                } else {
                    if isLong { lists[name] = nil }
                    members.append(.init(name, try cursor.value(depth: 1)))
                }
            } while try cursor.continues(until: 0x7D)
        }
        let (ids, records) = (lists["ids"], lists["records"])
        try read(.object(members)) { (reader) throws(SnapshotError) in
            guard let ids else { throw Self.wrong("'ids' is no list") }
            cursor.position = ids
            try Self.forEach(&cursor) { (cursor) throws(SnapshotError) in try reader.readIdentity(&cursor) }
        } records: { (reader) throws(SnapshotError) in
            guard let records else { throw Self.wrong("'records' is no list") }
            cursor.position = records
            try Self.forEach(&cursor) { (cursor) throws(SnapshotError) in
                let start = cursor.position
                let (values, count) = (reader.snapshot.values.count, reader.snapshot.records.count)
                if (try? reader.readKnownForm(&cursor)) == true { return }
                // Of another form, or wrong.
                reader.snapshot.values.removeLast(reader.snapshot.values.count - values)
                reader.snapshot.records.removeLast(reader.snapshot.records.count - count)
                cursor.position = start
                try reader.readRecord(try Self.json { () throws(JSONFailure) in try cursor.value(depth: 2) })
            }
        }
    }

    /// What is read was checked before.
    private static func json<Result>(
        _ body: () throws(JSONFailure) -> Result
    ) throws(SnapshotError) -> Result {
        do throws(JSONFailure) { return try body() } catch { throw .notJSON(JSONError(error)) }
    }

    private static func forEach(
        _ cursor: inout JSONCursor, _ body: (inout JSONCursor) throws(SnapshotError) -> Void
    ) throws(SnapshotError) {
        cursor.position += 1
        cursor.skipSpace()
        if cursor.next == 0x5D { return }
        repeat { try body(&cursor) } while try json { () throws(JSONFailure) in try cursor.continues(until: 0x5D) }
    }

    private mutating func readIdentity(_ cursor: inout JSONCursor) throws(SnapshotError) {
        let json = try Self.json { () throws(JSONFailure) -> JSONValue? in
            guard cursor.next == 0x22 else { return try cursor.value(depth: 2) }
            add(text: cursor.text(try cursor.string()))
            return nil
        }
        if let json { try readIdentity(json) }
    }

    // MARK: - Records

    /// Adds a record with the fields of the last of its type; false if it is none, and then the cursor is anywhere.
    private mutating func readKnownForm(_ cursor: inout JSONCursor) throws(JSONFailure) -> Bool {
        guard cursor.next == 0x5B else { return false }
        cursor.position += 1
        cursor.skipSpace()
        guard let id = try position(&cursor), try cursor.continues(until: 0x5D) else { return false }
        guard cursor.next == 0x22 else { return false }
        let type = cursor.text(try cursor.string())
        guard let form = formOfType[type], mayHave(type, id), try cursor.continues(until: 0x5D), cursor.next == 0x5B
        else { return false }
        cursor.position += 1
        cursor.skipSpace()
        let start = snapshot.values.count
        let count = snapshot.forms[form].keys.count
        for index in 0..<count {
            guard cursor.skip(snapshot.forms[form].keys[index]), try cursor.continues(until: 0x5D),
                let value = try value(&cursor)
            else { return false }
            snapshot.values.append(value)
            if index + 1 < count { guard try cursor.continues(until: 0x5D) else { return false } }
        }
        cursor.skipSpace()
        guard cursor.next == 0x5D else { return false }
        cursor.position += 1
        var fetched = DecodedSnapshot.Fetched.never
        if try cursor.continues(until: 0x5D) {
            guard cursor.next != 0x5B, case .int(let number) = try cursor.number(),
                let known = try? source(.int(number))
            else { return false }
            fetched = .whole(known)
            if try cursor.continues(until: 0x5D) { return false }
        }
        snapshot.records.append(
            .init(id: id, form: form, values: start..<snapshot.values.count, fetched: fetched))
        return true
    }

    /// The position of an identity; nil for anything else.
    private func position(_ cursor: inout JSONCursor) throws(JSONFailure) -> Int? {
        guard cursor.next &- 0x30 < 10, case .int(let position) = try cursor.number(), position < snapshot.ids.count
        else { return nil }
        return position
    }

    /// A value of the usual kinds; nil for any other.
    private func value(_ cursor: inout JSONCursor) throws(JSONFailure) -> Value? {
        switch cursor.next {
        case 0x22: return .string(cursor.text(try cursor.string()))
        case 0x74, 0x66: return .bool(try cursor.bool())
        case 0x6E:
            try cursor.expectNull()
            return .null
        case 0x7B: return try marked(&cursor)
        case 0x5B: return try? value(try cursor.value(depth: 4))
        default:
            if case .int(let value) = try cursor.number() { return .int(value) }
            return nil
        }
    }

    private func marked(_ cursor: inout JSONCursor) throws(JSONFailure) -> Value? {
        let start = cursor.position
        cursor.position += 1
        cursor.skipSpace()
        var value: Value?
        if cursor.skip("link") {
            try cursor.expectColon()
            guard let target = try position(&cursor) else { return nil }
            value = .link(RecordID(UInt32(truncatingIfNeeded: target)))
        } else if cursor.skip("links") {
            try cursor.expectColon()
            guard cursor.next == 0x5B else { return nil }
            cursor.position += 1
            cursor.skipSpace()
            var links: [RecordID] = []
            if cursor.next == 0x5D {
                cursor.position += 1
            } else {
                repeat {
                    guard case .int(let target) = try cursor.number(), target >= -1, target < snapshot.ids.count
                    else { return nil }
                    links.append(target < 0 ? .none : RecordID(UInt32(truncatingIfNeeded: target)))
                } while try cursor.continues(until: 0x5D)
            }
            value = .links(links)
        } else {
            cursor.position = start
            return try? self.value(try cursor.value(depth: 4))
        }
        // It has no other member.
        return try cursor.continues(until: 0x7D) ? nil : value
    }
}
