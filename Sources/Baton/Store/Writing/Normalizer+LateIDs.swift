// Objects whose `id` comes after other fields, for instance because the compiler has added it.
//
// The values are compared with a guessed record until the `id` decides. Fields with selections are read although the
// record is unknown. Their objects look for the record only if they have no identity of their own.

extension Normalizer {
    /// An object that is being read although its record is not known yet.
    struct OpenObject {
        /// The position of the value that is being read.
        let position: Int
        let state: NodeStates.State
        let place: Place
        /// The record that was linked here before.
        let expected: RecordID
        /// The record, once an inner object has looked it up.
        var identity = RecordID.none
    }

    // MARK: - Guesses

    /// Prepares an object whose `id` comes late for a comparison with a base record. Returns the record if the `id` was
    /// looked up; otherwise `RecordID.none`, and the guess is checked later.
    ///
    /// The last object of the type decides the way (benchmarks `reingest.variants`, `reingest.moved-users-id-last`).
    @inline(__always)
    mutating func foresee(
        _ cursor: borrowing JSONCursor, _ state: NodeStates.State, expected: RecordID
    ) -> RecordID {
        switch state.pointee.foresight {
        case .guess:
            guard expected != .none else { return .none }
            compare(state, to: expected)
            if state.pointee.isCompared { state.pointee.guess = expected }
            state.pointee.listsBefore = staged.confirmedLinks.count
            return .none
        case .search:
            let record = search(cursor, state, expected: expected)
            if record != .none { compare(state, to: record) }
            state.pointee.learn(record, expected: expected)
            return record
        case .none: return .none
        }
    }

    /// Sets the record of an object, which is certain now. Undoes a comparison with another record.
    @inline(__always)
    mutating func settle(_ state: NodeStates.State, on record: RecordID, expected: RecordID) {
        if state.pointee.guess == .none || state.pointee.guess != record {
            if state.pointee.guess != .none { settle(state, on: record) }
            compare(state, to: record)
        }
        state.pointee.guess = .none
        if state.pointee.hasLateID { state.pointee.learn(record, expected: expected) }
    }

    /// Ends a guess. If the guess was wrong, the values that equalled those of the guessed record become the object's
    /// own values.
    @inline(never)
    mutating func settle(_ state: NodeStates.State, on record: RecordID) {
        let guess = state.pointee.guess
        state.pointee.guess = .none
        guard guess != record else { return }
        state.pointee.stopComparing()
        staged.separateLinks(of: guess, in: base, from: state.pointee.listsBefore)
    }

    /// Returns the record whose `id` is the first one in the object whose first key is next. Returns `RecordID.none` if
    /// there is no such record or the `id` is no plain text.
    @inline(never)
    private mutating func search(
        _ cursor: borrowing JSONCursor, _ state: NodeStates.State, expected: RecordID
    ) -> RecordID {
        guard let idField = state.pointee.selections.idField, cursor.next != 0x7D else { return .none }
        let field = state.pointee.fields[idField]
        var ahead = copy cursor
        // Malformed JSON is reported later, when the object is read.
        do throws(JSONFailure) {
            while try !ahead.skipKey(field) {
                try ahead.skipValue(depth: 1)
                guard try ahead.continues(until: 0x7D) else { return .none }
            }
            guard let (token, _) = try Self.idToken(&ahead, field) else { return .none }
            // The closure must not capture the normalizer, which would then be copied.
            let (text, found) = (IDText(prefix: state.pointee.prefix, range: token), ahead)
            let record = names.access { names in
                names.records.isText(expected, text, in: found)
                    ? expected : names.records.find(text, in: found) ?? .none
            }
            return record == .root ? .none : record
        } catch {
            return .none
        }
    }

    // MARK: - Open objects

    /// Reads a field with selections of an object whose record is unknown.
    @inline(never)
    mutating func open(
        _ cursor: inout JSONCursor, _ state: NodeStates.State, _ index: Int, _ identity: inout RecordID,
        _ place: Place, expected: RecordID, depth: Int
    ) throws(JSONFailure) {
        openObjects.append(
            OpenObject(position: cursor.position, state: state, place: place, expected: expected))
        let known = state.pointee.known.value(at: index)
        let value = try value(&cursor, state.pointee.fields[index], known, parent: .none, depth: depth)
        if let open = openObjects.popLast() { identity = open.identity }
        // The value may be equal to the value of the guessed record.
        state.pointee.add(index, value)
        if identity != .none { settle(state, on: identity, expected: expected) }
    }

    /// Returns the record of a place. The expected record is checked first.
    @inline(__always)
    mutating func record(
        at place: Place, _ cursor: borrowing JSONCursor, expected: RecordID
    ) throws(JSONFailure) -> RecordID {
        let parent = place.parent == .none ? try openRecord(cursor, at: openObjects.count &- 1) : place.parent
        return names.record(parent: parent, key: place.key, index: place.index, expected: expected)
    }

    /// Returns the record of an open object. The recursion is bounded by the depth of the response.
    @inline(never)
    private mutating func openRecord(
        _ cursor: borrowing JSONCursor, at index: Int
    ) throws(JSONFailure) -> RecordID {
        guard openObjects.indices.contains(index) else { return .none }
        let open = openObjects[index]
        if open.identity != .none { return open.identity }
        var ahead = copy cursor
        ahead.position = open.position
        var record = try idAhead(ahead, open.state, expected: open.expected)
        if record == .none {
            let parent = open.place.parent == .none ? try openRecord(cursor, at: index &- 1) : open.place.parent
            record = names.record(
                parent: parent, key: open.place.key, index: open.place.index, expected: open.expected)
        }
        openObjects[index].identity = record
        return record
    }

    /// Finds the record of an object before the value that is next.
    @inline(never)
    mutating func lookAhead(
        _ cursor: borrowing JSONCursor, _ state: NodeStates.State, _ place: Place, expected: RecordID
    ) throws(JSONFailure) -> RecordID {
        var record = try idAhead(cursor, state, expected: expected)
        if record == .none { record = try self.record(at: place, cursor, expected: expected) }
        settle(state, on: record, expected: expected)
        return record
    }

    /// Returns the record of the first `id` after the value that is next; `RecordID.none` if no `id` follows.
    private mutating func idAhead(
        _ cursor: borrowing JSONCursor, _ state: NodeStates.State, expected: RecordID
    ) throws(JSONFailure) -> RecordID {
        guard let idField = state.pointee.selections.idField else { return .none }
        let field = state.pointee.fields[idField]
        var ahead = copy cursor
        try ahead.skipValue(depth: 1)
        while try ahead.continues(until: 0x7D) {
            guard try ahead.skipKey(field) else {
                try ahead.skipValue(depth: 1)
                continue
            }
            if let (token, _) = try Self.idToken(&ahead, field) {
                let text = IDText(prefix: state.pointee.prefix, range: token)
                let record = record(ahead, text, expected: expected)
                if record != .root { return record }
            } else if let value = try leaf(&ahead, field, nil, depth: 0),
                let record = record(value, state.pointee.prefix)
            {
                return record
            }
        }
        return .none
    }
}

extension JSONCursor {
    /// Moves past a key and its colon; returns true if it is the key of the field.
    @inline(__always)
    fileprivate mutating func skipKey(_ field: UnsafePointer<WriteField>) throws(JSONFailure) -> Bool {
        if field.isKey(at: position, of: self) {
            position &+= field.pointee.keyLength
            skipSpace()
            return true
        }
        let key = try string()
        try expectColon()
        return key.hasEscapes ? field.isNamed(unescaped(key)) : field.isNamed(run(key.range))
    }
}
