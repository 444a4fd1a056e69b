/// Reads a snapshot and checks it completely, so that nothing can fail afterwards.
///
/// Identities and records, which make up most of a snapshot, are read from the bytes in one pass. The recursion is
/// bounded by the nesting that the JSON parser allows.
struct SnapshotReader: ~Copyable {
    var snapshot = DecodedSnapshot()
    /// The error; nil if the bytes are not JSON.
    var problem: SnapshotError?
    /// For each identity, true if its record was read.
    var seen: [Bool] = []
    /// The values of the record that is being read.
    var values = FieldBuffer(capacity: 16)
    /// The links of the list that is being read.
    var links: [RecordID] = []
    /// True if the current value contains links to records.
    var hasMetLinks = false
    /// The position of the root record in `ids`.
    private(set) var root = -1
    /// For each identity, the number of records that enclose it.
    private var depths: [UInt16] = []
    /// The number of moments in the snapshot, which bounds the greatest moment.
    private var mentions = 0

    /// Reads a snapshot.
    static func read(_ bytes: [UInt8]) throws(SnapshotError) -> DecodedSnapshot {
        var reader = SnapshotReader()
        do throws(JSONFailure) {
            try JSONCursor.read(bytes) { (cursor) throws(JSONFailure) in
                cursor.begin()
                try reader.readDocument(&cursor)
                try cursor.expectEnd()
            }
        } catch {
            guard let problem = reader.problem else { throw .notJSON(JSONValue.ParseError(error)) }
            // Malformed JSON is reported as such, wherever it occurs.
            do throws(JSONValue.ParseError) { try JSONValue.check(bytes) } catch { throw .notJSON(error) }
            throw problem
        }
        return reader.snapshot
    }

    /// Notes an error and returns it, to be thrown.
    mutating func wrong(_ detail: String) -> JSONFailure { wrong(.notASnapshot(detail)) }

    mutating func wrong(_ problem: SnapshotError) -> JSONFailure {
        self.problem = problem
        return JSONFailure(.notJSON(""), offset: 0)
    }

    mutating func list(_ document: JSONValue, _ name: String) throws(JSONFailure) -> [JSONValue] {
        guard case .array(let values)? = document[name] else { throw wrong("'\(name)' is no list") }
        return values
    }

    // MARK: - Identities

    mutating func addIdentity(_ identity: DecodedSnapshot.Identity, isRoot: Bool) {
        if isRoot { root = snapshot.ids.count }
        snapshot.ids.append(identity)
        depths.append(0)
    }

    mutating func addIdentity(text: String) {
        addIdentity(.text(snapshot.texts.count), isRoot: text.hasSameBytes(as: DataID.root.rawValue))
        snapshot.texts.append(text)
    }

    mutating func addPlace(parent: Int, key: Int, index: UInt32) throws(JSONFailure) {
        let depth = depths[parent] + 1
        guard depth <= SnapshotFormat.deepestPlace else { throw wrong("identity \(depths.count) lies too deep") }
        let place = DecodedSnapshot.Identity.place(
            parent: UInt32(truncatingIfNeeded: parent), key: UInt32(truncatingIfNeeded: key), index: index)
        snapshot.ids.append(place)
        depths.append(depth)
    }

    mutating func id(_ json: JSONValue) throws(JSONFailure) -> Int {
        guard case .int(let position) = json, snapshot.ids.indices.contains(position) else {
            throw wrong("\(json) is the position of no identity")
        }
        return position
    }

    /// Notes that the record of an identity was read.
    @inline(__always)
    mutating func meet(_ id: Int) throws(JSONFailure) {
        guard !seen[id] else { throw wrong("a record is there twice") }
        seen[id] = true
    }

    // MARK: - Other members

    mutating func readFetch(_ json: JSONValue) throws(JSONFailure) {
        guard case .array(let parts) = json, parts.count == 2, case .int(let age) = parts[0], age >= 0 else {
            throw wrong("a fetch is malformed")
        }
        snapshot.fetches.append((.milliseconds(age), try moment(parts[1])))
    }

    /// Returns true if a number stands for a fetch, `nobody` or `handler`.
    func isSource(_ number: Int) -> Bool { number >= SnapshotFormat.handler && number < snapshot.fetches.count }

    /// Reads all members except the identities, the records and the members that they depend on.
    mutating func readRest(_ document: JSONValue) throws(JSONFailure) {
        for fact in try list(document, "facts") {
            guard case .array(let parts) = fact, parts.count == 3, case .string(let type) = parts[0],
                case .string(let abstractType) = parts[1], case .bool(let holds) = parts[2]
            else { throw wrong("a fact about types is malformed") }
            snapshot.facts.append((type, abstractType, holds))
        }
        for error in try list(document, "errors") { try readErrors(error) }
        try readInvalidations(document["invalidated"] ?? .null)
        for operation in try list(document, "operations") { try readOperation(operation) }
        // There is one more moment: the time before the first invalidation.
        guard snapshot.moments <= mentions + 1 else { throw wrong("a moment is later than there are moments") }
    }

    private mutating func readErrors(_ json: JSONValue) throws(JSONFailure) {
        guard case .array(let parts) = json, parts.count == 3, case .string(let key) = parts[1],
            case .array(let list) = parts[2]
        else { throw wrong("an error is malformed") }
        var errors: [GraphQLError] = []
        for item in list {
            guard case .array(let texts) = item, 2...3 ~= texts.count, case .string(let message) = texts[0] else {
                throw wrong("an error is malformed")
            }
            var error = GraphQLError(message: message)
            if case .string(let extensions) = texts[1] { error.extensions = try? JSONValue.parse(extensions) }
            if case .string(let others)? = texts.dropFirst(2).first,
                case .object(let members)? = try? JSONValue.parse(others)
            {
                for member in members { error.otherMembers[member.name] = member.value }
            }
            errors.append(error)
        }
        let record = try id(parts[0])
        guard seen[record] else { throw wrong("an error is that of no record") }
        snapshot.errors.append((record, key, errors))
    }

    private mutating func moment(_ json: JSONValue) throws(JSONFailure) -> Int {
        guard case .int(let moment) = json, moment >= 0, moment < 1 << 31 else { throw wrong("\(json) is no moment") }
        snapshot.moments = max(snapshot.moments, moment + 1)
        mentions += 1
        return moment
    }

    private mutating func readInvalidations(_ json: JSONValue) throws(JSONFailure) {
        if let store = json["store"], store != .null { snapshot.storeInvalidated = try moment(store) }
        for item in try list(json, "records") {
            guard case .array(let parts) = item, parts.count == 2 else { throw wrong("an invalidation is malformed") }
            snapshot.invalidatedRecords.append((try id(parts[0]), try moment(parts[1])))
        }
        for item in try list(json, "types") {
            guard case .array(let parts) = item, parts.count == 2, case .string(let type) = parts[0] else {
                throw wrong("an invalidation is malformed")
            }
            snapshot.invalidatedTypes.append((type, try moment(parts[1])))
        }
    }

    private mutating func readOperation(_ json: JSONValue) throws(JSONFailure) {
        guard case .array(let parts) = json, parts.count == 6, case .string(let name) = parts[0],
            case .string(let variables) = parts[1], case .int(let age) = parts[2], age >= 0,
            case .bool(let isRevoked) = parts[4]
        else { throw wrong("an operation is malformed") }
        snapshot.operations.append(
            .init(
                name: name, variables: variables, age: .milliseconds(age), moment: try moment(parts[3]),
                isRevoked: isRevoked, keys: try keys(parts[5])))
    }

    private mutating func keys(_ json: JSONValue) throws(JSONFailure) -> FetchKeys {
        guard case .array(let values) = json, values.count <= SnapshotFormat.mostKeys else {
            throw wrong("the fetch keys of an operation are malformed")
        }
        var keys = FetchKeys()
        for value in values {
            switch value {
            case .int(let value): keys.keys.append(FetchKey(value))
            case .string(let value): keys.keys.append(FetchKey(value))
            case .bool(let value): keys.keys.append(FetchKey(value))
            default: throw wrong("\(value) is no fetch key")
            }
        }
        return keys
    }
}
