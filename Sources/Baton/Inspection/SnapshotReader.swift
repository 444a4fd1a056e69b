/// Reads a snapshot and checks all of it, so that nothing can go wrong afterwards.
///
/// Recursion is bounded by the nesting that the JSON parser allows.
struct SnapshotReader {
    var snapshot = DecodedSnapshot()
    /// The last form of each type.
    var formOfType: [String: Int] = [:]
    /// The position of the query root in `ids`.
    private var root = -1
    /// How many records each identity lies in.
    private var depths: [Int] = []
    /// How often a moment is mentioned: there are no more of them than that.
    private var mentions = 0

    static func wrong(_ detail: String) -> SnapshotError { .notASnapshot(detail) }

    /// Reads everything but identities and records, which come between the parts of it.
    mutating func read(
        _ document: JSONValue, identities: (inout SnapshotReader) throws(SnapshotError) -> Void,
        records: (inout SnapshotReader) throws(SnapshotError) -> Void
    ) throws(SnapshotError) {
        guard case .object? = Optional(document), case .int(let format)? = document["format"] else {
            throw Self.wrong("it has no format number")
        }
        guard (1...SnapshotFormat.version).contains(format) else { throw .unknownFormat(format) }
        try identities(&self)
        if format > 1 { for fetch in try Self.list(document, "fetches") { try readFetch(fetch) } }
        try records(&self)
        var seen = Array(repeating: false, count: snapshot.ids.count)
        for record in snapshot.records {
            guard !seen[record.id] else { throw Self.wrong("a record is there twice") }
            seen[record.id] = true
        }
        for fact in try Self.list(document, "facts") {
            guard case .array(let parts) = fact, parts.count == 3, case .string(let type) = parts[0],
                case .string(let abstractType) = parts[1], case .bool(let holds) = parts[2]
            else { throw Self.wrong("a fact about types is malformed") }
            snapshot.facts.append((type, abstractType, holds))
        }
        for error in try Self.list(document, "errors") { try readErrors(error, seen) }
        try readInvalidations(document["invalidated"] ?? .null)
        for operation in try Self.list(document, "operations") { try readOperation(operation) }
        // And the one before the first invalidation.
        guard snapshot.moments <= mentions + 1 else { throw Self.wrong("a moment is later than there are moments") }
    }

    private static func list(_ document: JSONValue, _ name: String) throws(SnapshotError) -> [JSONValue] {
        guard case .array(let values)? = document[name] else { throw wrong("'\(name)' is no list") }
        return values
    }

    // MARK: - Records

    mutating func add(text: String) {
        if text == DataID.root.rawValue { root = snapshot.ids.count }
        snapshot.ids.append(.text(text))
        depths.append(0)
    }

    mutating func readIdentity(_ json: JSONValue) throws(SnapshotError) {
        switch json {
        case .string(let text): add(text: text)
        case .array(let parts):
            guard parts.count == 3, case .int(let parent) = parts[0], snapshot.ids.indices.contains(parent),
                case .string(let key) = parts[1]
            else { throw Self.wrong("identity \(snapshot.ids.count) is malformed") }
            let place: UInt32
            switch parts[2] {
            case .null: place = RecordTable.noIndex
            case .int(let index):
                guard let index = UInt32(exactly: index), index != RecordTable.noIndex else { fallthrough }
                place = index
            default: throw Self.wrong("identity \(snapshot.ids.count) has no list index")
            }
            let depth = depths[parent] + 1
            guard depth <= SnapshotFormat.deepestPlace else {
                throw Self.wrong("identity \(depths.count) lies too deep")
            }
            snapshot.ids.append(.place(parent: parent, key: key, index: place))
            depths.append(depth)
        default: throw Self.wrong("identity \(snapshot.ids.count) is malformed")
        }
    }

    private mutating func readFetch(_ json: JSONValue) throws(SnapshotError) {
        guard case .array(let parts) = json, parts.count == 2, case .int(let age) = parts[0], age >= 0 else {
            throw Self.wrong("a fetch is malformed")
        }
        snapshot.fetches.append((.milliseconds(age), try moment(parts[1])))
    }

    func source(_ json: JSONValue) throws(SnapshotError) -> DecodedSnapshot.Source {
        switch json {
        case .int(SnapshotFormat.nobody): return .nobody
        case .int(SnapshotFormat.handler): return .handler
        case .int(let position) where snapshot.fetches.indices.contains(position): return .fetch(position)
        default: throw Self.wrong("\(json) is the position of no fetch")
        }
    }

    private func fetched(_ json: JSONValue, _ count: Int) throws(SnapshotError) -> DecodedSnapshot.Fetched {
        guard case .array(let parts) = json else { return .whole(try source(json)) }
        guard parts.count == count else { throw Self.wrong("there are not as many fetches as fields") }
        var sources: [DecodedSnapshot.Source] = []
        for part in parts { sources.append(try source(part)) }
        return .fields(sources)
    }

    func id(_ json: JSONValue) throws(SnapshotError) -> Int {
        guard case .int(let position) = json, snapshot.ids.indices.contains(position) else {
            throw Self.wrong("\(json) is the position of no identity")
        }
        return position
    }

    /// Adds a record of any form.
    mutating func readRecord(_ json: JSONValue) throws(SnapshotError) {
        guard case .array(let parts) = json, [1, 3, 4].contains(parts.count) else {
            throw Self.wrong("a record is malformed")
        }
        let id = try id(parts[0])
        let isRoot = id == root
        if parts.count == 1 {
            if isRoot { throw Self.wrong("the root record is deleted") }
            let end = snapshot.values.count
            return snapshot.records.append(.init(id: id, form: nil, values: end..<end))
        }
        guard case .string(let type) = parts[1], case .array(let members) = parts[2], members.count % 2 == 0 else {
            throw Self.wrong("record \(id) is malformed")
        }
        if isRoot, type != NameTable.rootTypeName { throw Self.wrong("the root record has another type") }
        let start = snapshot.values.count
        var keys: [String] = []
        var known: Set<ExactText> = []
        for index in stride(from: 0, to: members.count, by: 2) {
            guard case .string(let key) = members[index], known.insert(ExactText(key)).inserted else {
                throw Self.wrong("a field of record \(id) is malformed, or there twice")
            }
            keys.append(key)
            snapshot.values.append(try value(members[index + 1]))
        }
        let source = parts.count == 4 ? try fetched(parts[3], keys.count) : .never
        formOfType[type] = snapshot.forms.count
        snapshot.records.append(
            .init(id: id, form: snapshot.forms.count, values: start..<snapshot.values.count, fetched: source))
        snapshot.forms.append(.init(type: type, keys: keys))
    }

    /// Says whether a record may have a type.
    func mayHave(_ type: String, _ id: Int) -> Bool { id != root || type == NameTable.rootTypeName }

    func value(_ json: JSONValue) throws(SnapshotError) -> Value {
        switch json {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .int(value)
        case .string(let value): return .string(value)
        case .double: throw Self.wrong("a number is not marked")
        case .array(let values):
            var items: [Value] = []
            items.reserveCapacity(values.count)
            for item in values { items.append(try value(item)) }
            return .list(items)
        case .object(let members):
            guard members.count == 1 else { throw Self.wrong("a value is malformed") }
            return try marked(members[0])
        }
    }

    private func marked(_ member: JSONValue.Member) throws(SnapshotError) -> Value {
        switch (member.name, member.value) {
        case ("link", let json): return .link(place(try id(json)))
        case ("links", .array(let targets)):
            var links: [RecordID] = []
            links.reserveCapacity(targets.count)
            for target in targets { links.append(target == -1 ? .none : place(try id(target))) }
            return .links(links)
        case ("double", .double(let value)): return .double(value)
        case ("double", .int(let value)): return .double(Double(value))
        case ("double", .string(let text)):
            guard let value = Double(text) else { throw Self.wrong("'\(text)' is no number") }
            return .double(value)
        case ("scalar", .string(let text)):
            do throws(JSONError) {
                return .scalar(ConvertedScalar(unconverted: try JSONValue.parse(text)))
            } catch {
                throw Self.wrong("a scalar is no JSON: \(error)")
            }
        default: throw Self.wrong("a value is marked '\(member.name)'")
        }
    }

    private func place(_ position: Int) -> RecordID { RecordID(UInt32(truncatingIfNeeded: position)) }

    // MARK: - What is known besides

    private mutating func readErrors(_ json: JSONValue, _ records: [Bool]) throws(SnapshotError) {
        guard case .array(let parts) = json, parts.count == 3, case .string(let key) = parts[1],
            case .array(let list) = parts[2]
        else { throw Self.wrong("an error is malformed") }
        var errors: [GraphQLError] = []
        for item in list {
            guard case .array(let texts) = item, texts.count == 2, case .string(let message) = texts[0] else {
                throw Self.wrong("an error is malformed")
            }
            var error = GraphQLError(message: message)
            if case .string(let extensions) = texts[1] { error.extensions = try? JSONValue.parse(extensions) }
            errors.append(error)
        }
        let record = try id(parts[0])
        guard records[record] else { throw Self.wrong("an error is that of no record") }
        snapshot.errors.append((record, key, errors))
    }

    private mutating func moment(_ json: JSONValue) throws(SnapshotError) -> Int {
        guard case .int(let moment) = json, moment >= 0, moment < 1 << 31 else {
            throw Self.wrong("\(json) is no moment")
        }
        snapshot.moments = max(snapshot.moments, moment + 1)
        mentions += 1
        return moment
    }

    private mutating func readInvalidations(_ json: JSONValue) throws(SnapshotError) {
        if let store = json["store"], store != .null { snapshot.storeInvalidated = try moment(store) }
        for item in try Self.list(json, "records") {
            guard case .array(let parts) = item, parts.count == 2 else {
                throw Self.wrong("an invalidation is malformed")
            }
            snapshot.invalidatedRecords.append((try id(parts[0]), try moment(parts[1])))
        }
        for item in try Self.list(json, "types") {
            guard case .array(let parts) = item, parts.count == 2, case .string(let type) = parts[0] else {
                throw Self.wrong("an invalidation is malformed")
            }
            snapshot.invalidatedTypes.append((type, try moment(parts[1])))
        }
    }

    private mutating func readOperation(_ json: JSONValue) throws(SnapshotError) {
        guard case .array(let parts) = json, parts.count == 5 || parts.count == 6, case .string(let name) = parts[0],
            case .string(let variables) = parts[1], case .int(let age) = parts[2], age >= 0,
            case .bool(let isRevoked) = parts[4]
        else { throw Self.wrong("an operation is malformed") }
        snapshot.operations.append(
            .init(
                name: name, variables: variables, age: .milliseconds(age), moment: try moment(parts[3]),
                isRevoked: isRevoked, keys: try keys(parts.count == 6 ? parts[5] : [])))
    }

    private func keys(_ json: JSONValue) throws(SnapshotError) -> FetchKeys {
        guard case .array(let values) = json, values.count <= SnapshotFormat.mostKeys else {
            throw Self.wrong("the fetch keys of an operation are malformed")
        }
        var keys = FetchKeys()
        for value in values {
            switch value {
            case .int(let value): keys.keys.append(FetchKey(value))
            case .string(let value): keys.keys.append(FetchKey(value))
            case .bool(let value): keys.keys.append(FetchKey(value))
            default: throw Self.wrong("\(value) is no fetch key")
            }
        }
        return keys
    }
}
