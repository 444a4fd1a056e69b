// The notes of a file: type facts, and the invalidations of the store and of types.

extension StoreDisk {
    /// Makes the first version of a store from the notes of its file.
    static func records(from opening: DiskOpening, _ names: NameTable) -> Records {
        var records = Records()
        // Versions go on where the file ends, so that fetches and invalidations of two runs have an order.
        records.epoch = version(opening.notes[.version]) + 1
        for (fact, holds) in facts(opening.notes[.facts] ?? []) {
            records.facts.learn(
                TypeFact(type: names.type(fact.type), abstractType: names.type(fact.abstractType)), holds, at: 0)
        }
        let found = invalidations(of: opening, names)
        records.invalidations.restore(ofStore: found.ofStore, types: found.types)
        records.residence = Residence()
        return records
    }

    static func invalidations(of opening: DiskOpening, _ names: NameTable) -> (
        ofStore: Epoch, types: [TypeID: Epoch]
    ) {
        let found = DiskInvalidations(opening.notes[.invalidations] ?? [])
        return (found.ofStore, Dictionary(uniqueKeysWithValues: found.types.map { (names.type($0.key), $0.value) }))
    }

    /// A slot has 48 bits for a version; no app comes near it, but a damaged file may.
    private static let greatestVersion: Epoch = 1 << 40

    private static func version(_ bytes: [UInt8]?) -> Epoch {
        var reader = DiskReader(bytes ?? [])
        return min(reader.number() ?? 0, greatestVersion)
    }

    struct Fact: Hashable {
        let type: String
        let abstractType: String
    }

    static func facts(_ bytes: [UInt8]) -> [Fact: Bool] {
        var reader = DiskReader(bytes)
        var facts: [Fact: Bool] = [:]
        while !reader.isAtEnd {
            guard let type = reader.text(), let abstractType = reader.text(), let holds = reader.byte() else { break }
            facts[Fact(type: type, abstractType: abstractType)] = holds != 0
        }
        return facts
    }

    /// Writes the facts over those that the file has.
    func writeFacts(of records: borrowing Records, into transaction: any DiskTransaction) throws(PersistenceError) {
        var facts = Self.facts(try transaction.note(.facts) ?? [])
        for (fact, holds) in records.facts.entries {
            facts[Fact(type: names.name(of: fact.type), abstractType: names.name(of: fact.abstractType))] = holds
        }
        var writer = DiskWriter()
        let sorted = facts.sorted { ($0.key.type, $0.key.abstractType) < ($1.key.type, $1.key.abstractType) }
        for (fact, holds) in sorted {
            writer.append(text: fact.type)
            writer.append(text: fact.abstractType)
            writer.append(holds ? 1 : 0)
        }
        try transaction.put(writer.bytes, for: .facts)
    }

    /// Writes the invalidations over those that the file has; the later one counts.
    func writeInvalidations(of records: borrowing Records, into transaction: any DiskTransaction)
        throws(PersistenceError)
    {
        var found = DiskInvalidations(try transaction.note(.invalidations) ?? [])
        found.ofStore = max(found.ofStore, records.invalidations.ofStore)
        for (type, epoch) in records.invalidations.types {
            found.types[names.name(of: type)] = max(found.types[names.name(of: type)] ?? 0, epoch)
        }
        try transaction.put(found.bytes, for: .invalidations)
    }

    func writeVersion(_ epoch: Epoch, into transaction: any DiskTransaction) throws(PersistenceError) {
        // Another process may have gone further.
        let known = Self.version(try transaction.note(.version))
        var writer = DiskWriter()
        writer.append(number: max(epoch, known))
        try transaction.put(writer.bytes, for: .version)
    }
}

/// The invalidations of a store and of its types.
private struct DiskInvalidations {
    var ofStore: Epoch = 0
    var types: [String: Epoch] = [:]

    init(_ bytes: [UInt8]) {
        var reader = DiskReader(bytes)
        ofStore = reader.number() ?? 0
        while !reader.isAtEnd {
            guard let type = reader.text(), let epoch = reader.number() else { break }
            types[type] = epoch
        }
    }

    var bytes: [UInt8] {
        var writer = DiskWriter()
        writer.append(number: ofStore)
        for (type, epoch) in types.sorted(by: { $0.key < $1.key }) {
            writer.append(text: type)
            writer.append(number: epoch)
        }
        return writer.bytes
    }
}
