// Identities and records are read straight from the bytes (benchmark `restore.vs-ingest`).

extension SnapshotReader {
    /// Reads a document.
    mutating func readDocument(_ cursor: inout JSONCursor) throws(JSONFailure) {
        guard cursor.next == 0x7B else { throw wrong("it has no format number") }
        cursor.position += 1
        cursor.skipSpace()
        var document = Document()
        if cursor.next == 0x7D {
            cursor.position += 1
        } else {
            repeat { try readMember(&cursor, &document) } while try cursor.continues(until: 0x7D)
        }
        guard document.hasFormat else { throw wrong("it has no format number") }
        // Members that had to wait are read now. In canonical JSON no member has to wait.
        var other = cursor
        if let ids = document.positions["ids"], !document.hasIDs {
            other.position = ids
            try readIdentities(&other)
            document.hasIDs = true
        }
        guard document.hasIDs else { throw wrong("'ids' is no list") }
        if !document.isPrepared { try prepare(&document) }
        if let records = document.positions["records"], !document.hasRecords {
            other.position = records
            try readRecords(&other)
            document.hasRecords = true
        }
        guard document.hasRecords else { throw wrong("'records' is no list") }
        try readRest(.object(document.members))
    }

    /// The parts of a document that were read so far.
    private struct Document {
        var hasFormat = false
        var names: Set<String> = []
        /// The small members, as values.
        var members: [JSONValue.Member] = []
        /// The positions of lists that come before the members that they depend on.
        var positions: [String: Int] = [:]
        var hasIDs = false
        var isPrepared = false
        var hasRecords = false

        func has(_ names: [String]) -> Bool { names.allSatisfy(self.names.contains) }
    }

    private static var preparation: [String] { ["fetches", "fields", "forms", "patterns"] }

    private mutating func readMember(_ cursor: inout JSONCursor, _ document: inout Document) throws(JSONFailure) {
        let name = cursor.text(try cursor.string())
        try cursor.expectColon()
        guard document.names.insert(name).inserted else { throw wrong("'\(name)' is there twice") }
        switch name {
        case "format":
            guard case .int(let format) = try cursor.value(depth: 1) else { throw wrong("it has no format number") }
            guard format == SnapshotFormat.version else { throw wrong(.unknownFormat(format)) }
            document.hasFormat = true
        case "ids" where document.hasFormat && cursor.next == 0x5B:
            try readIdentities(&cursor)
            document.hasIDs = true
        case "records"
        where document.hasIDs && document.has(Self.preparation) && cursor.next == 0x5B:
            try prepare(&document)
            try readRecords(&cursor)
            document.hasRecords = true
        case "ids", "records":
            if cursor.next == 0x5B { document.positions[name] = cursor.position }
            try cursor.skipValue(depth: 1)
        default: document.members.append(.init(name, try cursor.value(depth: 1)))
        }
    }

    // MARK: - Identities

    private mutating func readIdentities(_ cursor: inout JSONCursor) throws(JSONFailure) {
        cursor.position += 1
        cursor.skipSpace()
        if cursor.next == 0x5D {
            cursor.position += 1
            return
        }
        repeat { try readIdentity(&cursor) } while try cursor.continues(until: 0x5D)
        seen = Array(repeating: false, count: snapshot.ids.count)
    }

    private mutating func readIdentity(_ cursor: inout JSONCursor) throws(JSONFailure) {
        if cursor.next == 0x22 {
            let token = try cursor.string()
            if token.hasEscapes { return addIdentity(text: cursor.text(token)) }
            let isRoot = cursor.isEqual(token, DataID.root.rawValue)
            return addIdentity(.bytes(start: token.start, end: token.end), isRoot: isRoot)
        }
        guard let parent = try firstInteger(&cursor), parent >= 0, parent < snapshot.ids.count,
            let key = try nextInteger(&cursor), key >= 0, key <= UInt32.max, try cursor.continues(until: 0x5D)
        else { throw wrong("identity \(snapshot.ids.count) is malformed") }
        var place = RecordNumbers.noIndex
        if cursor.next == 0x6E {
            try cursor.expectNull()
        } else {
            guard let index = try integer(&cursor), let number = UInt32(exactly: index),
                number != RecordNumbers.noIndex
            else { throw wrong("identity \(snapshot.ids.count) has no list index") }
            place = number
        }
        if try cursor.continues(until: 0x5D) { throw wrong("identity \(snapshot.ids.count) is malformed") }
        try addPlace(parent: parent, key: key, index: place)
    }

    /// Reads an integer; nil for anything else.
    @inline(__always)
    private func integer(_ cursor: inout JSONCursor) throws(JSONFailure) -> Int? {
        guard cursor.next &- 0x30 < 10 || cursor.next == 0x2D, case .int(let value) = try cursor.number() else {
            return nil
        }
        return value
    }

    /// Enters a list and reads its first item; nil if the item is no integer.
    @inline(__always)
    private func firstInteger(_ cursor: inout JSONCursor) throws(JSONFailure) -> Int? {
        guard cursor.next == 0x5B else { return nil }
        cursor.position &+= 1
        cursor.skipSpace()
        return try integer(&cursor)
    }

    /// Reads the next item of a list; nil if there is none or it is no integer.
    @inline(__always)
    private func nextInteger(_ cursor: inout JSONCursor) throws(JSONFailure) -> Int? {
        try cursor.continues(until: 0x5D) ? try integer(&cursor) : nil
    }

    // MARK: - Forms

    /// Reads the members that are needed before the records, and checks the identities against them.
    private mutating func prepare(_ document: inout Document) throws(JSONFailure) {
        document.isPrepared = true
        let members = JSONValue.object(document.members)
        for fetch in try list(members, "fetches") { try readFetch(fetch) }
        var known: Set<ExactText> = []
        for field in try list(members, "fields") {
            guard case .string(let key) = field, known.insert(ExactText(key)).inserted else {
                throw wrong("a storage key is malformed, or there twice")
            }
            snapshot.keys.append(key)
        }
        for id in snapshot.ids {
            guard case .place(_, let key, _) = id, key >= snapshot.keys.count else { continue }
            throw wrong("\(key) is the position of no storage key")
        }
        for form in try list(members, "forms") { try readForm(form) }
        for pattern in try list(members, "patterns") {
            guard case .array(let sources) = pattern else { throw wrong("a pattern is malformed") }
            var numbers: [Int] = []
            for source in sources {
                guard case .int(let number) = source, isSource(number) else {
                    throw wrong("\(source) is the position of no fetch")
                }
                numbers.append(number)
            }
            snapshot.patterns.append(numbers)
        }
    }

    private mutating func readForm(_ json: JSONValue) throws(JSONFailure) {
        guard case .array(let parts) = json, case .string(let type)? = parts.first else {
            throw wrong("form \(snapshot.forms.count) is malformed")
        }
        var keys: [Int] = []
        for part in parts.dropFirst() {
            guard case .int(let key) = part, key < snapshot.keys.count, key > keys.last ?? -1 else {
                throw wrong("a field of form \(snapshot.forms.count) is malformed, or there twice")
            }
            keys.append(key)
        }
        snapshot.addForm(type, keys)
    }

    // MARK: - Records

    private mutating func readRecords(_ cursor: inout JSONCursor) throws(JSONFailure) {
        cursor.position += 1
        cursor.skipSpace()
        if cursor.next == 0x5D {
            cursor.position += 1
            return
        }
        repeat { try readRecord(&cursor) } while try cursor.continues(until: 0x5D)
    }

    private mutating func readRecord(_ cursor: inout JSONCursor) throws(JSONFailure) {
        guard let id = try firstInteger(&cursor) else { throw wrong("a record is malformed") }
        guard id >= 0, id < snapshot.ids.count else { throw wrong("\(id) is the position of no identity") }
        try meet(id)
        guard try cursor.continues(until: 0x5D) else {
            if id == root { throw wrong("the root record is deleted") }
            return snapshot.addDeleted(id)
        }
        guard let form = try integer(&cursor), form >= 0, form < snapshot.forms.count else {
            throw wrong("record \(id) has no form")
        }
        if id == root, snapshot.forms[form].type != NameTable.rootTypeName {
            throw wrong("the root record has another type")
        }
        guard let fetched = try nextInteger(&cursor) else { throw wrong("record \(id) is malformed") }
        let width = snapshot.forms[form].keys.count
        try check(fetched, width)
        let idPlace = snapshot.forms[form].idPlace
        for place in 0..<width {
            guard try cursor.continues(until: 0x5D) else { throw wrong("record \(id) has too few values") }
            let value = try value(&cursor, depth: 3)
            if place == idPlace { checkID(value, of: id, form, cursor) }
            if hasMetLinks {
                snapshot.noteLinks(form, place)
                hasMetLinks = false
            }
            values.append(value)
        }
        if try cursor.continues(until: 0x5D) { throw wrong("record \(id) has too many values") }
        snapshot.addRecord(id, form: form, fetched: fetched, &values)
    }

    @inline(__always)
    private mutating func check(_ fetched: Int, _ width: Int) throws(JSONFailure) {
        if isSource(fetched) { return }
        let pattern = fetched &- snapshot.fetches.count
        guard pattern >= 0, pattern < snapshot.patterns.count else {
            throw wrong("\(fetched) is the position of no fetch")
        }
        guard snapshot.patterns[pattern].count == width else {
            throw wrong("there are not as many fetches as fields")
        }
    }

    /// Checks whether an `id` equals the record's data ID, with or without the type name before it. The check is needed
    /// because responses may only link to such records and bring no other `id`.
    private mutating func checkID(_ value: Value, of id: Int, _ form: Int, _ cursor: borrowing JSONCursor) {
        if snapshot.idsMayDiffer { return }
        let text: String
        switch (value, snapshot.ids[id]) {
        case (.null, .place): return
        case (.string(let value), .bytes(let start, let end)):
            if cursor.hasText(value, at: start..<end) { return }
            text = value
        case (.string(let value), .text): text = value
        case (.int(let value), _): text = String(value)
        default:
            snapshot.idsMayDiffer = true
            return
        }
        let own =
            switch snapshot.ids[id] {
            case .bytes(let start, let end): cursor.text(start..<end)
            case .text(let position): snapshot.texts[position]
            case .place: ""
            }
        let type = snapshot.forms[form].type
        snapshot.idsMayDiffer = !own.hasSameBytes(as: text) && !own.hasSameBytes(as: "\(type):\(text)")
    }

    // MARK: - Values

    private mutating func value(_ cursor: inout JSONCursor, depth: Int) throws(JSONFailure) -> Value {
        switch cursor.next {
        case 0x22: return .string(cursor.text(try cursor.string()))
        case 0x74, 0x66: return .bool(try cursor.bool())
        case 0x6E:
            try cursor.expectNull()
            return .null
        case 0x7B: return try marked(&cursor, depth: depth)
        case 0x5B: return try list(&cursor, depth: depth)
        default:
            switch try cursor.number() {
            case .int(let value): return .int(value)
            case .double(let value):
                guard value.isFinite else { throw wrong("a number is beyond what a double can hold") }
                return .double(value)
            }
        }
    }

    private mutating func list(_ cursor: inout JSONCursor, depth: Int) throws(JSONFailure) -> Value {
        guard depth < JSONCursor.maximumDepth else {
            throw JSONFailure(.tooDeep(limit: JSONCursor.maximumDepth), offset: cursor.position)
        }
        cursor.position &+= 1
        cursor.skipSpace()
        var items: [Value] = []
        if cursor.next == 0x5D {
            cursor.position &+= 1
        } else {
            repeat { items.append(try value(&cursor, depth: depth + 1)) } while try cursor.continues(until: 0x5D)
        }
        return .list(items)
    }

    /// Reads an object, whose only member names the kind of the value.
    private mutating func marked(_ cursor: inout JSONCursor, depth: Int) throws(JSONFailure) -> Value {
        let start = cursor.position
        cursor.position &+= 1
        cursor.skipSpace()
        let value: Value
        if cursor.skip("link") {
            try cursor.expectColon()
            guard let target = try integer(&cursor), target >= 0, target < snapshot.ids.count else {
                throw wrong("a link leads to the position of no identity")
            }
            hasMetLinks = true
            value = .link(RecordID(UInt32(truncatingIfNeeded: target)))
        } else if cursor.skip("links") {
            try cursor.expectColon()
            value = try readLinks(&cursor)
        } else if cursor.skip("scalar") {
            try cursor.expectColon()
            value = try scalar(&cursor)
        } else {
            cursor.position = start
            return try double(try cursor.value(depth: depth))
        }
        if try cursor.continues(until: 0x7D) { throw wrong("a value is malformed") }
        return value
    }

    private mutating func readLinks(_ cursor: inout JSONCursor) throws(JSONFailure) -> Value {
        guard cursor.next == 0x5B else { throw wrong("a value is malformed") }
        cursor.position &+= 1
        cursor.skipSpace()
        hasMetLinks = true
        links.removeAll(keepingCapacity: true)
        if cursor.next == 0x5D {
            cursor.position &+= 1
            return .links([])
        }
        let count = snapshot.ids.count
        repeat {
            guard let target = try integer(&cursor), target >= -1, target < count else {
                throw wrong("a link leads to the position of no identity")
            }
            links.append(target < 0 ? .none : RecordID(UInt32(truncatingIfNeeded: target)))
        } while try cursor.continues(until: 0x5D)
        return .links(links.withUnsafeBufferPointer { Array($0) })
    }

    private mutating func scalar(_ cursor: inout JSONCursor) throws(JSONFailure) -> Value {
        guard cursor.next == 0x22 else { throw wrong("a value is malformed") }
        let bytes = cursor.unescaped(try cursor.string())
        do throws(JSONValue.ParseError) {
            return .scalar(ConvertedScalar(unconverted: try JSONValue.parse(bytes)))
        } catch {
            throw wrong("a scalar is no JSON: \(error)")
        }
    }

    private mutating func double(_ json: JSONValue) throws(JSONFailure) -> Value {
        guard case .object(let members) = json, members.count == 1 else { throw wrong("a value is malformed") }
        switch (members[0].name, members[0].value) {
        case ("double", .double(let value)): return .double(value)
        case ("double", .int(let value)): return .double(Double(value))
        case ("double", .string(let text)):
            guard let value = Double(text) else { throw wrong("'\(text)' is no number") }
            return .double(value)
        case (let name, _): throw wrong("a value is marked '\(name)'")
        }
    }
}
