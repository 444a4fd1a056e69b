// Lists of links to records.

extension Normalizer {
    /// Reads a list of objects after its bracket; returns nil if the base has the same list.
    mutating func links(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ known: UnsafePointer<Value>?, level: Int,
        depth: Int, parent: RecordID
    ) throws(JSONFailure) -> Value? {
        // No links are kept as long as the list equals the known list.
        let knownList = known.map { BorrowedList($0.pointee) } ?? .none
        var isKnown = knownList.isLinks
        var count = 0
        if cursor.next == 0x5D {
            cursor.position &+= 1
            return isKnown && knownList.count == 0 ? nil : .links([])
        }
        let first = linkItems.count
        if isKnown {
            count = confirmLinks(&cursor, field, knownList)
            if count > 0 {
                // An open object has no record yet, so the list is noted for the guessed record.
                let owner = parent == .none ? openObjects.last?.state.pointee.guess ?? .none : parent
                staged.confirmedLinks.append(
                    .init(record: owner, key: field.pointee.key, count: count, id: names.idKey))
                if try !cursor.continues(until: 0x5D) {
                    if count == knownList.count { return nil }
                    return .links((0..<count).map(knownList.link))
                }
            }
        }
        repeat {
            if !isKnown {
                if try mereLinks(&cursor, field) { break }
                count = linkItems.count &- first
            }
            let expected = knownList.link(at: count)
            var record = RecordID.none
            if cursor.next == 0x6E {
                _ = try Self.null(&cursor, field, level: level)
            } else if let link = try mereLink(&cursor, field, expected) {
                record = link
            } else {
                let index = UInt32(truncatingIfNeeded: count)
                let place = Place(parent: parent, key: field.pointee.key, index: index)
                record = try child(&cursor, field, place, expected: expected, depth: depth)
            }
            if isKnown, count >= knownList.count || record != expected {
                isKnown = false
                for index in 0..<count { linkItems.append(knownList.link(at: index)) }
            }
            if !isKnown { linkItems.append(record) }
            count &+= 1
        } while try cursor.continues(until: 0x5D)
        if isKnown, count == knownList.count { return nil }
        return .links(isKnown ? (0..<count).map(knownList.link) : linkItems.take(from: first))
    }

    // MARK: - Links with only an ID

    /// Moves past links `{"id":"1"},{"id":"2"}` that equal the beginning of a list in the base; returns their number.
    ///
    /// Only the numbers of the records are compared. Their texts and values are not touched, because they are far from
    /// the caches (benchmark `reingest.vs-foundation`).
    private mutating func confirmLinks(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ list: BorrowedList
    ) -> Int {
        let node = field.pointee.childOrdinal
        guard let state = nodes[node], state.pointee.isMereLink, !base.idsMayDiffer else { return 0 }
        var count = 0
        while count < list.count {
            // The lock is released after every 64 links.
            let end = min(count &+ 64, list.count)
            var known = count
            linkBatch.states.removeAll(keepingCapacity: true)
            while known < end, let state = linkState(of: list.link(at: known), node),
                !staged.contains(list.link(at: known))
            {
                linkBatch.states.append(state)
                known &+= 1
            }
            // The closure must not capture the normalizer, which would then be copied.
            let (first, states) = (count, linkBatch.states)
            let ahead = cursor
            (count, cursor.position) = names.access { names in
                Self.confirm(ahead, states, list, first, names.records)
            }
            if count < end { break }
        }
        return count
    }

    /// Returns the state for a base record whose only expected field is the ID; nil if there is none.
    @inline(__always)
    private mutating func linkState(of record: RecordID, _ node: Int) -> NodeStates.State? {
        guard let last = nodes[node] else { return nil }
        if hasID(record, last) { return last }
        let type = look.row(of: record).type
        guard type != last.pointee.type, let state = nodes.find(node, where: { $0.pointee.type == type }),
            state.pointee.isMereLink, hasID(record, state)
        else { return nil }
        return state
    }

    @inline(__always)
    private static func confirm(
        _ cursor: JSONCursor, _ states: [NodeStates.State], _ list: BorrowedList, _ first: Int,
        _ table: borrowing RecordNumbers
    ) -> (count: Int, position: Int) {
        var ahead = cursor
        for (offset, state) in states.enumerated() {
            let end = ahead.position
            let index = first &+ offset
            if index > 0 {
                ahead.skipSpace()
                guard ahead.next == 0x2C else { return (index, end) }
                ahead.position &+= 1
                ahead.skipSpace()
            }
            guard ahead.skipToLink(state), ahead.next == 0x22,
                let next = table.endOfText(
                    list.link(at: index), after: state.pointee.prefix, ahead, at: ahead.position &+ 1)
            else { return (index, end) }
            ahead.position = next
            ahead.skipSpace()
            guard ahead.next == 0x7D else { return (index, end) }
            ahead.position &+= 1
        }
        return (first &+ states.count, ahead.position)
    }

    /// Reads links `{"id":"1"},{"id":"2"}` up to the end of the list; returns false if something else is next.
    ///
    /// Several links are looked up together, so that their loads from memory overlap (benchmark `ingest.growth`).
    @inline(__always)
    private mutating func mereLinks(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>
    ) throws(JSONFailure) -> Bool {
        let node = field.pointee.childOrdinal
        guard let state = nodes[node], state.pointee.isMereLink else { return false }
        let limit = 16
        while true {
            var isOver = false
            linkBatch.removeAll()
            var start = cursor.position
            while linkBatch.states.count < limit, let (text, state) = try linkText(&cursor, node) {
                linkBatch.append(text, state, start)
                if try !cursor.continues(until: 0x5D) {
                    isOver = true
                    break
                }
                start = cursor.position
            }
            // The closure must not capture the normalizer, which would then be copied.
            let (ahead, texts) = (cursor, linkBatch.texts)
            var records: [RecordID] = []
            swap(&records, &linkBatch.records)
            defer { swap(&records, &linkBatch.records) }
            names.access { $0.records.intern(texts, in: ahead, into: &records) }
            for offset in texts.indices {
                let record = records[offset]
                guard record != .root else {
                    // The link names the root. The object is read again as an ordinary object, which is not the root.
                    cursor.position = linkBatch.starts[offset]
                    return false
                }
                linkItems.append(record)
                noteMereLink(record, texts[offset], cursor, linkBatch.states[offset], node: node)
            }
            if isOver || texts.count < limit { return isOver }
        }
    }

    /// Reads a link `{"id":"1"}`; returns nil if something else is next.
    @inline(__always)
    private mutating func mereLink(
        _ cursor: inout JSONCursor, _ field: UnsafePointer<WriteField>, _ expected: RecordID
    ) throws(JSONFailure) -> RecordID? {
        if customDataID != nil { return try chosenLink(&cursor, field, expected) }
        let start = cursor.position
        guard let (text, state) = try linkText(&cursor, field.pointee.childOrdinal) else { return nil }
        let record = record(cursor, text, expected: expected)
        guard record != .root else {
            cursor.position = start
            return nil
        }
        noteMereLink(record, text, cursor, state, node: field.pointee.childOrdinal)
        return record
    }

    /// Reads an object that has only an `id` in plain text, and whose type has occurred before. Returns nil if
    /// something else is next.
    @inline(__always)
    private mutating func linkText(
        _ cursor: inout JSONCursor, _ node: Int
    ) throws(JSONFailure) -> (IDText, NodeStates.State)? {
        guard cursor.next == 0x7B, let last = nodes[node], last.pointee.isMereLink else { return nil }
        let start = cursor.position
        var state = last
        if !cursor.skipToLink(last) {
            guard let other = otherState(cursor, node), cursor.skipToLink(other) else { return nil }
            state = other
        }
        guard cursor.next == 0x22 else {
            cursor.position = start
            return nil
        }
        let token = try cursor.string()
        cursor.skipSpace()
        guard !token.hasEscapes, cursor.next == 0x7D else {
            cursor.position = start
            return nil
        }
        cursor.position &+= 1
        return (IDText(prefix: state.pointee.prefix, range: token.range), state)
    }

    /// Returns the state for the type of the next object, if its `__typename` comes first and has occurred before.
    private mutating func otherState(_ cursor: JSONCursor, _ node: Int) -> NodeStates.State? {
        var ahead = cursor
        ahead.position &+= 1
        ahead.skipSpace()
        guard let name = ahead.startOfTypename(at: ahead.position),
            let state = nodes.use(node, where: { ahead.isTypename(name, of: $0) }), state.pointee.isMereLink
        else { return nil }
        return state
    }

    /// Notes a record of which the response has only the ID.
    @inline(__always)
    private mutating func noteMereLink(
        _ record: RecordID, _ text: IDText, _ cursor: borrowing JSONCursor, _ state: NodeStates.State, node: Int
    ) {
        let type = state.pointee.type
        if staged.contains(record, type) || confirmLink(record, state) { return }
        let position = position(record, type)
        if staged.isNew(position) {
            links.append(
                Link(
                    position: position, node: node, record: record, type: type, id: nil,
                    prefixCount: text.prefix.count))
        } else {
            staged.set(position, names.idKey, .string(cursor.text(text.range)), names)
        }
    }

    /// Notes that a response has only a link to a base record. Returns false if the link has new data.
    @inline(__always)
    mutating func confirmLink(_ record: RecordID, _ state: NodeStates.State) -> Bool {
        guard hasID(record, state) else { return false }
        if base.idsMayDiffer {
            guard let id = base.value(names.idKey, of: record), case .string(let text) = id,
                text.hasSameBytes(as: names.text(of: record, droppingFirst: state.pointee.prefix.count))
            else { return false }
        }
        staged.confirmedIDs.append(.init(record: record, key: names.idKey))
        return true
    }

    /// Returns true if the base has a record of the expected type with its `id`. Returns false for a record that an
    /// optimistic layer covers.
    @inline(__always)
    mutating func hasID(_ record: RecordID, _ state: NodeStates.State) -> Bool {
        let row = look.row(of: record)
        guard row.state == .existing, row.type == state.pointee.type, !base.isCovered(record) else { return false }
        if row.shape == state.pointee.shapeWithID { return true }
        guard let position = base.shape(of: record).position(of: names.idKey) else { return false }
        state.pointee.shapeWithID = row.shape
        state.pointee.idPosition = position
        return true
    }
}
