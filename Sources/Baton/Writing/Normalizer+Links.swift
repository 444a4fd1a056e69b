// Lists of records.

extension Normalizer {
    /// Reads a list of objects from behind its bracket; nil if it is the known one.
    mutating func links(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ known: UnsafePointer<Value>?, level: Int,
        depth: Int, parent: RecordID
    ) throws(JSONFailure) -> Value? {
        // As long as the list is the known one, nothing is kept.
        let knownList = known.map { BorrowedList($0.pointee) } ?? .none
        var isKnown = knownList.isLinks
        var count = 0
        var records: [RecordID] = []
        if cursor.next == 0x5D {
            cursor.position &+= 1
            return isKnown && knownList.count == 0 ? nil : .links(records)
        }
        if isKnown {
            count = confirmLinks(&cursor, field, knownList)
            if count > 0 {
                let id = nodes[field.pointee.childOrdinal].pointee.fields[0].pointee.key
                staged.confirmedLinks.append(.init(record: parent, key: field.pointee.key, count: count, id: id))
                if try !cursor.continues(until: 0x5D) {
                    if count == knownList.count { return nil }
                    return .links((0..<count).map(knownList.link))
                }
            }
        }
        repeat {
            if !isKnown {
                if try mereLinks(&cursor, field, &records) { break }
                count = records.count
            }
            let expected = knownList.link(at: count)
            var record = RecordID.none
            if cursor.next == 0x6E {
                _ = try null(&cursor, field, level: level)
            } else if let link = try mereLink(&cursor, field, expected) {
                record = link
            } else {
                let index = UInt32(truncatingIfNeeded: count)
                let place = Place(parent: parent, key: field.pointee.key, index: index)
                record = try child(&cursor, field, place, expected: expected, depth: depth)
            }
            if isKnown, count >= knownList.count || record != expected {
                isKnown = false
                records.reserveCapacity(max(knownList.count, count &+ 1))
                for index in 0..<count { records.append(knownList.link(at: index)) }
            }
            if !isKnown { records.append(record) }
            count &+= 1
        } while try cursor.continues(until: 0x5D)
        return isKnown && count == knownList.count ? nil : .links(isKnown ? (0..<count).map(knownList.link) : records)
    }

    // MARK: - Links that say no more than an ID

    /// Moves past the links `{"id":"1"},{"id":"2"}` that a list of the base begins with; the number of them.
    ///
    /// Neither the records nor their texts are touched, only their numbers: what a record says is far from the caches (benchmark `reingest.vs-foundation`).
    private mutating func confirmLinks(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ list: BorrowedList
    ) -> Int {
        let state = nodes[field.pointee.childOrdinal]
        guard state.pointee.isMereLink, !base.idsMayDiffer else { return 0 }
        var count = 0
        while count < list.count {
            // The lock is given back from time to time.
            let end = min(count &+ 64, list.count)
            var known = count
            while known < end, hasID(list.link(at: known), state), !staged.contains(list.link(at: known)) {
                known &+= 1
            }
            // Nothing of the normalizer is named in the closure: it would be copied for it.
            let (range, key) = (count..<known, state.pointee.fields[0])
            let ahead = cursor
            (count, cursor.position) = names.names.withLock { names in
                Self.confirm(ahead, key, list, range, names.records)
            }
            if count < end { break }
        }
        return count
    }

    @inline(__always)
    private static func confirm(
        _ cursor: JSONCursor, _ id: UnsafePointer<WriteField>, _ list: BorrowedList, _ range: Range<Int>,
        _ table: borrowing RecordTable
    ) -> (count: Int, position: Int) {
        var end = cursor.position
        for index in range {
            var position = end
            if index > 0 {
                guard cursor.byte(at: position) == 0x2C else { return (index, end) }
                position &+= 1
            }
            guard cursor.byte(at: position) == 0x7B, id.isKey(at: position &+ 1, of: cursor) else {
                return (index, end)
            }
            position &+= 1 &+ id.pointee.keyLength
            guard cursor.byte(at: position) == 0x22,
                let next = table.endOfText(list.link(at: index), cursor, at: position &+ 1),
                cursor.byte(at: next) == 0x7D
            else { return (index, end) }
            end = next &+ 1
        }
        return (range.upperBound, end)
    }

    /// Reads links `{"id":"1"},{"id":"2"}` up to the end of the list; false if something else is next.
    ///
    /// Some at a time, because looking them up waits for memory: the loads of several overlap, those of one after the other do not (benchmark
    /// `ingest.growth`).
    @inline(__always)
    private mutating func mereLinks(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ records: inout [RecordID]
    ) throws(JSONFailure) -> Bool {
        let state = nodes[field.pointee.childOrdinal]
        guard state.pointee.isMereLink else { return false }
        let limit = 16
        while true {
            var isOver = false
            linkTokens.removeAll(keepingCapacity: true)
            while linkTokens.count < limit, let token = try linkToken(&cursor, state.pointee.fields[0]) {
                linkTokens.append(token)
                if try !cursor.continues(until: 0x5D) {
                    isOver = true
                    break
                }
            }
            let first = records.count
            // Nothing of the normalizer is named in the closure: it would be copied for it.
            let (ahead, tokens) = (cursor, linkTokens)
            names.names.withLock { $0.records.intern(ahead, tokens, into: &records) }
            for (offset, token) in tokens.enumerated() {
                let record = records[first &+ offset]
                guard record != .root else {
                    // It is read again, as an object that is not the root.
                    records.removeLast(tokens.count &- offset)
                    cursor.position = token.start &- state.pointee.fields[0].pointee.keyLength &- 2
                    return false
                }
                note(record, token, cursor, state, node: field.pointee.childOrdinal)
            }
            if isOver || tokens.count < limit { return isOver }
        }
    }

    /// Reads a link `{"id":"1"}`; nil if something else is next.
    @inline(__always)
    private mutating func mereLink(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ expected: RecordID
    ) throws(JSONFailure) -> RecordID? {
        let state = nodes[field.pointee.childOrdinal]
        let start = cursor.position
        guard state.pointee.isMereLink, let token = try linkToken(&cursor, state.pointee.fields[0]) else { return nil }
        let record = record(cursor, token, expected: expected)
        guard record != .root else {
            cursor.position = start
            return nil
        }
        note(record, token, cursor, state, node: field.pointee.childOrdinal)
        return record
    }

    /// Reads an object with nothing but an ID that is plain text; nil if something else is next.
    @inline(__always)
    private func linkToken(
        _ cursor: inout JSONCursor, _ id: UnsafePointer<WriteField>
    ) throws(JSONFailure) -> JSONCursor.StringToken? {
        guard cursor.next == 0x7B else { return nil }
        let start = cursor.position
        guard id.isKey(at: start &+ 1, of: cursor) else { return nil }
        cursor.position = start &+ 1 &+ id.pointee.keyLength
        guard cursor.next == 0x22 else {
            cursor.position = start
            return nil
        }
        let token = try cursor.string()
        guard !token.hasEscapes, cursor.next == 0x7D else {
            cursor.position = start
            return nil
        }
        cursor.position &+= 1
        return token
    }

    /// Notes a record of which no more than its ID came.
    @inline(__always)
    private mutating func note(
        _ record: RecordID, _ token: JSONCursor.StringToken, _ cursor: borrowing JSONCursor,
        _ state: UnsafeMutablePointer<NodeState>, node: Int
    ) {
        let type = state.pointee.type
        if staged.contains(record, type) || confirmLink(record, state) { return }
        let position = position(record, type)
        if staged.isNew(position) {
            links.append(Link(position: position, node: node, record: record, type: type, id: nil))
        } else {
            staged.set(position, state.pointee.fields[0].pointee.key, .string(cursor.text(token)), names)
        }
    }

    /// Notes that a link is all that an answer says of a record of the base.
    @inline(__always)
    mutating func confirmLink(_ record: RecordID, _ state: UnsafeMutablePointer<NodeState>) -> Bool {
        guard hasID(record, state) else { return false }
        let key = state.pointee.fields[0].pointee.key
        if base.idsMayDiffer {
            guard let id = base.value(key, of: record), case .string(let text) = id,
                text.hasSameBytes(as: names.dataID(of: record).rawValue)
            else { return false }
        }
        staged.confirmedIDs.append(.init(record: record, key: key))
        return true
    }

    /// Says whether the base has a record, of the type that is expected, and its `id`; not of one that an optimistic layer covers.
    @inline(__always)
    private func hasID(_ record: RecordID, _ state: UnsafeMutablePointer<NodeState>) -> Bool {
        let row = base.row(of: record)
        guard row.state == .existing, row.type == state.pointee.type, !base.isCovered(record) else { return false }
        if row.shape == state.pointee.shapeWithID { return true }
        guard base.shape(of: record).position(of: state.pointee.fields[0].pointee.key) != nil else { return false }
        state.pointee.shapeWithID = row.shape
        return true
    }
}
