// Reads formats 1 and 2 through a tree of JSON. The speed is not important, because each older snapshot is read once
// after an update of the program.

extension SnapshotReader {
    /// Reads a snapshot of an older format.
    static func readBefore(_ bytes: [UInt8]) throws(SnapshotError) -> DecodedSnapshot {
        let document: JSONValue
        do throws(JSONValue.ParseError) { document = try JSONValue.parse(bytes) } catch { throw .notJSON(error) }
        var reader = SnapshotReader()
        do throws(JSONFailure) {
            try reader.readBefore(document)
        } catch {
            throw reader.problem ?? .notJSON(JSONValue.ParseError(error))
        }
        return reader.snapshot
    }

    /// The positions of the shared entries that the older formats repeat in each record.
    private struct Tables {
        struct FormKey: Hashable {
            let type: ExactText
            let keys: [Int]
        }

        var keys: [ExactText: Int] = [:]
        var forms: [FormKey: Int] = [:]
        var patterns: [[Int]: Int] = [:]
    }

    private mutating func readBefore(_ document: JSONValue) throws(JSONFailure) {
        guard case .int(let format)? = document["format"] else { throw wrong("it has no format number") }
        guard (1..<SnapshotFormat.version).contains(format) else { throw wrong(.unknownFormat(format)) }
        var tables = Tables()
        for id in try list(document, "ids") { try readIdentity(id, &tables) }
        seen = Array(repeating: false, count: snapshot.ids.count)
        if format > 1 { for fetch in try list(document, "fetches") { try readFetch(fetch) } }
        for record in try list(document, "records") { try readRecord(record, &tables) }
        // Older snapshots are not searched for IDs that differ from data IDs.
        snapshot.idsMayDiffer = true
        try readRest(document)
    }

    private mutating func number(of key: String, _ tables: inout Tables) -> Int {
        if let known = tables.keys[ExactText(key)] { return known }
        snapshot.keys.append(key)
        tables.keys[ExactText(key)] = snapshot.keys.count - 1
        return snapshot.keys.count - 1
    }

    private mutating func readIdentity(_ json: JSONValue, _ tables: inout Tables) throws(JSONFailure) {
        if case .string(let text) = json { return addIdentity(text: text) }
        guard case .array(let parts) = json, parts.count == 3, case .int(let parent) = parts[0],
            snapshot.ids.indices.contains(parent), case .string(let key) = parts[1]
        else { throw wrong("identity \(snapshot.ids.count) is malformed") }
        let place: UInt32
        switch parts[2] {
        case .null: place = RecordNumbers.noIndex
        case .int(let index):
            guard let index = UInt32(exactly: index), index != RecordNumbers.noIndex else { fallthrough }
            place = index
        default: throw wrong("identity \(snapshot.ids.count) has no list index")
        }
        try addPlace(parent: parent, key: number(of: key, &tables), index: place)
    }

    private mutating func readRecord(_ json: JSONValue, _ tables: inout Tables) throws(JSONFailure) {
        guard case .array(let parts) = json, [1, 3, 4].contains(parts.count) else {
            throw wrong("a record is malformed")
        }
        let id = try id(parts[0])
        try meet(id)
        if parts.count == 1 {
            if id == root { throw wrong("the root record is deleted") }
            return snapshot.addDeleted(id)
        }
        guard case .string(let type) = parts[1], case .array(let members) = parts[2], members.count % 2 == 0 else {
            throw wrong("record \(id) is malformed")
        }
        if id == root, type != NameTable.rootTypeName { throw wrong("the root record has another type") }
        var keys: [Int] = []
        var known: Set<Int> = []
        for index in stride(from: 0, to: members.count, by: 2) {
            guard case .string(let name) = members[index] else { throw wrong("a field of record \(id) is malformed") }
            let key = number(of: name, &tables)
            guard known.insert(key).inserted else {
                throw wrong("a field of record \(id) is malformed, or there twice")
            }
            keys.append(key)
        }
        let fetched = parts.count == 4 ? try fetched(parts[3], keys.count, &tables) : SnapshotFormat.nobody
        let formKey = Tables.FormKey(type: ExactText(type), keys: keys)
        let form = tables.forms[formKey] ?? snapshot.forms.count
        if form == snapshot.forms.count {
            snapshot.addForm(type, keys)
            tables.forms[formKey] = form
        }
        for place in keys.indices {
            let value = try value(members[2 * place + 1])
            if value.holdsLinks { snapshot.noteLinks(form, place) }
            values.append(value)
        }
        snapshot.addRecord(id, form: form, fetched: fetched, &values)
    }

    private mutating func fetched(
        _ json: JSONValue, _ count: Int, _ tables: inout Tables
    ) throws(JSONFailure) -> Int {
        guard case .array(let parts) = json else { return try source(json) }
        guard parts.count == count else { throw wrong("there are not as many fetches as fields") }
        var sources: [Int] = []
        for part in parts { sources.append(try source(part)) }
        let number = tables.patterns[sources] ?? snapshot.patterns.count
        if number == snapshot.patterns.count {
            snapshot.patterns.append(sources)
            tables.patterns[sources] = number
        }
        return snapshot.fetches.count + number
    }

    private mutating func source(_ json: JSONValue) throws(JSONFailure) -> Int {
        guard case .int(let number) = json, isSource(number) else {
            throw wrong("\(json) is the position of no fetch")
        }
        return number
    }

    private mutating func value(_ json: JSONValue) throws(JSONFailure) -> Value {
        switch json {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .int(value)
        case .string(let value): return .string(value)
        case .double: throw wrong("a number is not marked")
        case .array(let values):
            var items: [Value] = []
            items.reserveCapacity(values.count)
            for item in values { items.append(try value(item)) }
            return .list(items)
        case .object(let members):
            guard members.count == 1 else { throw wrong("a value is malformed") }
            return try marked(members[0])
        }
    }

    /// Converts an object, whose only member names the kind of the value.
    mutating func marked(_ member: JSONValue.Member) throws(JSONFailure) -> Value {
        switch (member.name, member.value) {
        case ("link", let json):
            hasMetLinks = true
            return .link(place(try id(json)))
        case ("links", .array(let targets)):
            hasMetLinks = true
            var links: [RecordID] = []
            links.reserveCapacity(targets.count)
            for target in targets { links.append(target == -1 ? .none : place(try id(target))) }
            return .links(links)
        case ("double", .double(let value)): return .double(value)
        case ("double", .int(let value)): return .double(Double(value))
        case ("double", .string(let text)):
            guard let value = Double(text) else { throw wrong("'\(text)' is no number") }
            return .double(value)
        case ("scalar", .string(let text)):
            do throws(JSONValue.ParseError) {
                return .scalar(ConvertedScalar(unconverted: try JSONValue.parse(text)))
            } catch {
                throw wrong("a scalar is no JSON: \(error)")
            }
        default: throw wrong("a value is marked '\(member.name)'")
        }
    }

    private func place(_ position: Int) -> RecordID { RecordID(UInt32(truncatingIfNeeded: position)) }
}
