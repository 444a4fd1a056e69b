/// Writes one version of a store as canonical JSON; equal stores give equal bytes.
struct SnapshotWriter {
    private let records: Records
    private let names: NameTable
    private let typeNames: [String]
    private let keyNames: [String]
    private let operations: [OperationTable.Fetched]
    private let now: Duration
    /// The position of each identity in the table.
    private var positions: [RecordID: Int] = [:]
    /// The versions in which something was invalidated that the snapshot mentions, in order; of those between which no fetch began the first.
    private var invalidations: [Epoch] = []

    init(_ records: Records, _ names: NameTable, _ operations: [OperationTable.Fetched], at now: Duration) {
        // What is optimistic may never come true.
        self.records = records.withoutLayers
        self.names = names
        (typeNames, keyNames) = names.typesAndKeys
        self.operations = operations
        self.now = now
    }

    mutating func bytes() -> [UInt8] {
        let included = includedRecords()
        let ids = identities(of: included)
        var fetches = SnapshotFetches(of: included, in: records)
        rankInvalidations(among: fetches.beginnings + operations.map(\.fetch.epoch))
        fetches.rank(moment: fetchMoment, age: age)
        let document = JSONValue.object([
            .init("format", .int(SnapshotFormat.version)),
            .init("ids", .array(ids)),
            .init("fetches", fetches.json),
            .init("records", .array(included.sorted { position($0) < position($1) }.map { record($0, fetches) })),
            .init("facts", .array(facts)),
            .init("errors", .array(errors(included))),
            .init("invalidated", invalidated(included)),
            .init("operations", .array(fetchedOperations)),
        ])
        var printer = JSONPrinter()
        printer.isCanonical = true
        printer.print(document)
        return printer.bytes
    }

    // MARK: - What is in it

    /// All records but the answers of single calls, which nobody can read again, unless something else links to them.
    private func includedRecords() -> [RecordID] {
        let known = records.known
        var included: Set<RecordID> = []
        var open: [RecordID] = []
        for record in known where !names.isBelowCall(record) && included.insert(record).inserted { open.append(record) }
        while let record = open.popLast() {
            for value in records.values(of: record) {
                value.forEachLink { target in
                    if records.state(of: target) != .unknown, included.insert(target).inserted { open.append(target) }
                }
            }
        }
        return Array(included)
    }

    private struct Sorted {
        let record: RecordID
        let text: [UInt8]
        let identity: RecordTable.Identity
    }

    /// The table of identities; fills `positions`.
    private mutating func identities(of included: [RecordID]) -> [JSONValue] {
        var needed = Set(included)
        for record in included {
            for value in records.values(of: record) { value.forEachLink { needed.insert($0) } }
        }
        for record in Array(needed) {
            var current = record
            while let parent = names.parent(of: current), needed.insert(parent).inserted { current = parent }
        }
        var levels: [[Sorted]] = []
        for record in needed {
            var depth = 0
            var current = record
            while let parent = names.parent(of: current) { (depth, current) = (depth + 1, parent) }
            guard let identity = names.identity(of: record) else { continue }
            while levels.count <= depth { levels.append([]) }
            levels[depth].append(
                Sorted(record: record, text: Array(names.dataID(of: record).rawValue.utf8), identity: identity))
        }
        var table: [JSONValue] = []
        for level in levels {
            for item in level.sorted(by: precedes) {
                positions[item.record] = table.count
                switch item.identity {
                case .text(let text): table.append(.string(text))
                case .place(let parent, let key, let index):
                    table.append([
                        .int(position(parent)), .string(name(of: key)),
                        index == RecordTable.noIndex ? .null : .int(Int(index)),
                    ])
                }
            }
        }
        return table
    }

    /// By text; two identities can have the same one, because identifiers may hold colons.
    private func precedes(_ left: Sorted, _ right: Sorted) -> Bool {
        if left.text != right.text { return left.text.lexicographicallyPrecedes(right.text) }
        guard case .place(let parent, let key, let index) = left.identity,
            case .place(let otherParent, let otherKey, let otherIndex) = right.identity
        else { return false }
        if parent != otherParent { return position(parent) < position(otherParent) }
        if key != otherKey { return name(of: key).utf8.lexicographicallyPrecedes(name(of: otherKey).utf8) }
        return index < otherIndex
    }

    private func position(_ record: RecordID) -> Int { positions[record] ?? -1 }
    private func name(of key: StorageKeyID) -> String { keyNames[Int(key.index)] }
    private func name(of type: TypeID) -> String { typeNames[Int(type.index)] }

    // MARK: - Records

    private func record(_ record: RecordID, _ fetches: SnapshotFetches) -> JSONValue {
        guard records.state(of: record) == .existing else { return [.int(position(record))] }
        let fields = zip(records.shape(of: record).keys, records.values(of: record))
            .map { (key: $0, name: name(of: $0), value: json($1)) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let parts: [JSONValue] = [
            .int(position(record)), .string(name(of: records.type(of: record))),
            .array(fields.flatMap { [.string($0.name), $0.value] }),
        ]
        return .array(parts + (fetches.json(of: record, fields.map(\.key), in: records).map { [$0] } ?? []))
    }

    private func json(_ value: Value) -> JSONValue {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .string(let value): .string(value)
        case .double(let value):
            // What canonical JSON would change.
            ["double": value.isFinite && value != 0 ? .double(value) : .string("\(value)")]
        case .link(let target): ["link": .int(position(target))]
        case .links(let targets): ["links": .array(targets.map { .int(position($0)) })]
        case .list(let values): .array(values.map(json))
        case .scalar(let scalar): ["scalar": .string(scalar.json.text)]
        }
    }

    // MARK: - What is known besides

    private var facts: [JSONValue] {
        records.facts
            .map { (name(of: $0.key.type), name(of: $0.key.abstractType), $0.value) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .map { [.string($0.0), .string($0.1), .bool($0.2)] }
    }

    private func errors(_ included: [RecordID]) -> [JSONValue] {
        var found: [(id: Int, key: String, errors: JSONValue)] = []
        for record in included {
            for key in records.fieldErrors.keys(of: record) {
                let errors = records.fieldErrors[record, key] ?? []
                let texts = errors.map {
                    JSONValue.array([.string($0.message), $0.extensions.map { .string($0.text) } ?? .null])
                }
                found.append((position(record), name(of: key), .array(texts)))
            }
        }
        return found.sorted { ($0.id, $0.key) < ($1.id, $1.key) }.map { [.int($0.id), .string($0.key), $0.errors] }
    }

    /// Versions differ from run to run; of them is kept which invalidations were after which fetch.
    private mutating func rankInvalidations(among beginnings: [Epoch]) {
        var all: Set<Epoch> = []
        if records.invalidated > 0 { all.insert(records.invalidated) }
        for (record, epoch) in records.invalidatedRecords where positions[record] != nil { all.insert(epoch) }
        all.formUnion(records.invalidations.types.values)
        let beginnings = beginnings.sorted()
        var next = 0
        for epoch in all.sorted() {
            guard let last = invalidations.last else {
                invalidations = [epoch]
                continue
            }
            // The first fetch that knew of the one before.
            while next < beginnings.count, beginnings[next] < last { next += 1 }
            if next < beginnings.count, beginnings[next] < epoch { invalidations.append(epoch) }
        }
    }

    /// The number of invalidations up to a version.
    private func fetchMoment(_ epoch: Epoch) -> Int {
        var (low, high) = (0, invalidations.count)
        while low < high {
            let middle = (low + high) / 2
            if invalidations[middle] <= epoch { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Of an invalidation its rank, from 1.
    private func moment(_ epoch: Epoch) -> JSONValue { .int(fetchMoment(epoch)) }

    private func age(_ time: Duration) -> Int { max((now - time).milliseconds, 0) }

    private func invalidated(_ included: [RecordID]) -> JSONValue {
        let own = records.invalidatedRecords.filter { positions[$0.key] != nil }
            .sorted { position($0.key) < position($1.key) }
            .map { JSONValue.array([.int(position($0.key)), moment($0.value)]) }
        let types = records.invalidations.types.map { (name(of: $0.key), moment($0.value)) }
            .sorted { $0.0 < $1.0 }.map { JSONValue.array([.string($0.0), $0.1]) }
        return [
            "records": .array(own), "store": records.invalidated > 0 ? moment(records.invalidated) : .null,
            "types": .array(types),
        ]
    }

    private var fetchedOperations: [JSONValue] {
        operations
            .sorted {
                ($0.operation.name, $0.operation.variables) < ($1.operation.name, $1.operation.variables)
            }
            .map { fetched in
                let invalidated = fetched.key.map { records.invalidations.last(of: $0) } ?? 0
                let isRevoked = fetched.fetch.isRevoked || invalidated > fetched.fetch.epoch
                return [
                    .string(fetched.operation.name), .string(fetched.operation.variables),
                    .int(age(fetched.fetch.time)), moment(fetched.fetch.epoch), .bool(isRevoked),
                    .array((fetched.fetch.key as? FetchKeys)?.snapshot ?? []),
                ]
            }
    }
}

extension Duration {
    /// Whole milliseconds.
    fileprivate var milliseconds: Int {
        let (seconds, fraction) = components
        return Int(clamping: seconds).multipliedReportingOverflow(by: 1000).partialValue
            &+ Int(fraction / 1_000_000_000_000_000)
    }
}

extension FetchKeys {
    /// Those that mean the same in another process, numbers, texts and Booleans; sorted.
    fileprivate var snapshot: [JSONValue] {
        let keys = keys.compactMap { key -> JSONValue? in
            switch key.value {
            case let value as Int: .int(value)
            case let value as String: .string(value)
            case let value as Bool: .bool(value)
            default: nil
            }
        }
        return Array(Set(keys).sorted { $0.canonicalText < $1.canonicalText }.prefix(SnapshotFormat.mostKeys))
    }
}

extension JSONValue {
    /// The text that equal values have in common.
    var canonicalText: String {
        var printer = JSONPrinter()
        printer.isCanonical = true
        printer.print(self)
        return String(decoding: printer.bytes, as: UTF8.self)
    }
}
