/// Writes one version of a store as canonical JSON; equal stores give equal bytes.
///
/// Identities and records, which make up most of a snapshot, are written directly as bytes. A tree of `JSONValue` would
/// take seven times as long (benchmark `snapshot.vs-ingest`).
struct SnapshotWriter {
    private let records: Records
    private let names: NameTable
    private let typeNames: [String]
    private let keyNames: [String]
    private let operations: [OperationTable.Fetched]
    private let now: Duration
    private let walk: SnapshotWalk
    private var printer = JSONPrinter()
    /// The versions with invalidations that the snapshot has, in order. If no fetch began between several versions,
    /// only the first is listed.
    private var invalidations: [Epoch] = []

    init(_ records: Records, _ names: NameTable, _ operations: [OperationTable.Fetched], at now: Duration) {
        // A snapshot has no optimistic changes, because their mutations may fail.
        self.records = records.withoutLayers
        self.names = names
        (typeNames, keyNames) = names.typesAndKeys
        self.operations = operations
        self.now = now
        walk = SnapshotWalk(self.records, names, keys: keyNames)
        printer.isCanonical = true
    }

    mutating func bytes() -> [UInt8] {
        var fetches = SnapshotFetches(of: walk, in: records)
        rankInvalidations(among: fetches.beginnings + operations.map(\.fetch.epoch))
        fetches.rank(moment: fetchMoment, age: age)
        let sources = walk.included.map { $0.layout < 0 ? SnapshotFormat.nobody : fetches.source(of: $0) }
        let keys = walk.keys
        var numbers = Array(repeating: 0, count: keyNames.count)
        for (number, key) in keys.enumerated() { numbers[Int(key.index)] = number }
        // Canonical JSON has its members in the order of their names.
        printer.append("{")
        print("errors", .array(errors))
        print("facts", .array(facts))
        print("fetches", fetches.json)
        print("fields", .array(keys.map { .string(name(of: $0)) }))
        print("format", .int(SnapshotFormat.version))
        print(
            "forms",
            .array(
                walk.forms.map { form in
                    .array([.string(name(of: form.type))] + form.keys.map { .int(numbers[Int($0.index)]) })
                }))
        begin("ids")
        printIdentities(numbers)
        print("invalidated", invalidated)
        print("operations", .array(fetchedOperations))
        print("patterns", .array(fetches.patterns.map { .array($0.map { .int($0) }) }))
        begin("records")
        printRecords(sources)
        printer.append("}")
        return printer.bytes
    }

    private mutating func begin(_ name: String) {
        if printer.bytes.count > 1 { printer.append(",") }
        printer.printString(name)
        printer.append(":")
    }

    private mutating func print(_ name: String, _ value: JSONValue) {
        begin(name)
        printer.print(value)
    }

    private func position(_ record: RecordID) -> Int { walk.position(of: record) }
    private func name(of key: StorageKeyID) -> String { keyNames[Int(key.index)] }
    private func name(of type: TypeID) -> String { typeNames[Int(type.index)] }

    // MARK: - Identities and records

    /// Writes the identities. `numbers` are the positions of the storage keys.
    private mutating func printIdentities(_ numbers: [Int]) {
        printer.append("[")
        var next = 0
        while next < walk.identities.count {
            // The lock is released after every 64 identities.
            let end = min(next + 64, walk.identities.count)
            let (walk, range) = (walk, next..<end)
            var printer = printer
            self.printer.bytes = []
            names.access { names in
                for index in range {
                    if index > 0 { printer.append(",") }
                    names.records.print(walk.identities[index], into: &printer, walk, numbers)
                }
            }
            self.printer = printer
            next = end
        }
        printer.append("]")
    }

    private mutating func printRecords(_ sources: [Int]) {
        printer.append("[")
        for (index, item) in walk.included.enumerated() {
            printer.append(index > 0 ? ",[" : "[")
            printer.printInteger(position(item.record))
            if item.layout >= 0 {
                printer.append(",")
                printer.printInteger(walk.layouts[item.layout].form)
                printer.append(",")
                printer.printInteger(sources[index])
                let values = records.values(at: records.slot(of: item.record))
                for place in walk.layouts[item.layout].places {
                    printer.append(",")
                    print(values[place])
                }
            }
            printer.append("]")
        }
        printer.append("]")
    }

    private mutating func print(_ value: Value) {
        switch value {
        case .null: printer.append("null")
        case .bool(let value): printer.append(value ? "true" : "false")
        case .int(let value): printer.printInteger(value)
        case .string(let value): printer.printString(value)
        case .double(let value): print(value)
        case .link(let target):
            printer.append("{\"link\":")
            printer.printInteger(position(target))
            printer.append("}")
        case .links(let targets):
            printer.append("{\"links\":[")
            for (index, target) in targets.enumerated() {
                if index > 0 { printer.append(",") }
                printer.printInteger(target == .none ? -1 : position(target))
            }
            printer.append("]}")
        case .list(let values):
            printer.append("[")
            for (index, value) in values.enumerated() {
                if index > 0 { printer.append(",") }
                print(value)
            }
            printer.append("]")
        case .scalar(let scalar):
            printer.append("{\"scalar\":")
            printer.printString(scalar.json.text)
            printer.append("}")
        }
    }

    /// Writes a double unchanged, unless canonical JSON would change it into another number.
    private mutating func print(_ value: Double) {
        if value.isFinite, Int(exactly: value) == nil {
            printer.bytes.append(contentsOf: value.description.utf8)
        } else {
            printer.print(["double": value.isFinite && value != 0 ? .double(value) : .string("\(value)")])
        }
    }

    // MARK: - Other members

    private var facts: [JSONValue] {
        records.facts.entries
            .map { (name(of: $0.key.type), name(of: $0.key.abstractType), $0.value) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .map { [.string($0.0), .string($0.1), .bool($0.2)] }
    }

    private var errors: [JSONValue] {
        var found: [(id: Int, key: String, errors: JSONValue)] = []
        for (record, fields) in records.fieldErrors.records where walk.includes(record) {
            for (key, errors) in fields {
                let texts = errors.map { error in
                    var parts: [JSONValue] = [
                        .string(error.message), error.extensions.map { .string($0.text) } ?? .null,
                    ]
                    if !error.otherMembers.isEmpty {
                        let members = error.otherMembers.sorted { $0.key < $1.key }.map {
                            JSONValue.Member($0.key, $0.value)
                        }
                        parts.append(.string(JSONValue.object(members).text))
                    }
                    return JSONValue.array(parts)
                }
                found.append((position(record), name(of: key), .array(texts)))
            }
        }
        return found.sorted { ($0.id, $0.key) < ($1.id, $1.key) }.map { [.int($0.id), .string($0.key), $0.errors] }
    }

    /// Ranks the invalidations. Versions differ from run to run, so only the order of invalidations and fetches is
    /// kept.
    private mutating func rankInvalidations(among beginnings: [Epoch]) {
        var all: Set<Epoch> = []
        if records.invalidations.ofStore > 0 { all.insert(records.invalidations.ofStore) }
        for (record, epoch) in records.invalidations.records where position(record) >= 0 { all.insert(epoch) }
        all.formUnion(records.invalidations.types.values)
        let beginnings = beginnings.sorted()
        var next = 0
        for epoch in all.sorted() {
            guard let last = invalidations.last else {
                invalidations = [epoch]
                continue
            }
            // `next` moves to the first fetch that began after the previous invalidation.
            while next < beginnings.count, beginnings[next] < last { next += 1 }
            if next < beginnings.count, beginnings[next] < epoch { invalidations.append(epoch) }
        }
    }

    /// Returns the number of invalidations up to a version.
    private func fetchMoment(_ epoch: Epoch) -> Int {
        var (low, high) = (0, invalidations.count)
        while low < high {
            let middle = (low + high) / 2
            if invalidations[middle] <= epoch { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the rank of an invalidation, from 1.
    private func moment(_ epoch: Epoch) -> JSONValue { .int(fetchMoment(epoch)) }

    private func age(_ time: Duration) -> Int { max((now - time).milliseconds, 0) }

    private var invalidated: JSONValue {
        let invalidations = records.invalidations
        let own = invalidations.records.filter { position($0.key) >= 0 }
            .sorted { position($0.key) < position($1.key) }
            .map { JSONValue.array([.int(position($0.key)), moment($0.value)]) }
        let types = invalidations.types.map { (name(of: $0.key), moment($0.value)) }
            .sorted { $0.0 < $1.0 }.map { JSONValue.array([.string($0.0), $0.1]) }
        return [
            "records": .array(own), "store": invalidations.ofStore > 0 ? moment(invalidations.ofStore) : .null,
            "types": .array(types),
        ]
    }

    private var fetchedOperations: [JSONValue] {
        operations
            .sorted {
                ($0.operation.name, $0.operation.variables.text) < ($1.operation.name, $1.operation.variables.text)
            }
            .map { fetched in
                let invalidated = fetched.key.map { records.invalidations.last(of: $0) } ?? 0
                let isRevoked = fetched.fetch.isRevoked || invalidated > fetched.fetch.epoch
                return [
                    .string(fetched.operation.name), .string(fetched.operation.variables.text),
                    .int(age(fetched.fetch.time)), moment(fetched.fetch.epoch), .bool(isRevoked),
                    .array((fetched.fetch.key as? FetchKeys)?.snapshot ?? []),
                ]
            }
    }
}

extension RecordNumbers {
    /// Writes an identity in the layout of the format.
    fileprivate func print(
        _ record: RecordID, into printer: inout JSONPrinter, _ walk: SnapshotWalk, _ numbers: [Int]
    ) {
        if let (parent, key, index) = place(of: record) {
            printer.append("[")
            printer.printInteger(walk.position(of: parent))
            printer.append(",")
            printer.printInteger(numbers[Int(key.index)])
            if index == Self.noIndex {
                printer.append(",null]")
            } else {
                printer.append(",")
                printer.printInteger(Int(index))
                printer.append("]")
            }
        } else {
            printText(of: record, into: &printer)
        }
    }
}

extension FetchKeys {
    /// The keys that have the same meaning in another process, sorted: numbers, texts and Booleans.
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
