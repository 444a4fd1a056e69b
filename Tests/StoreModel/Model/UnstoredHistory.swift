import Baton
import RandomCases

/// Random publishes of a store over a file that leaves out types and fields. What the next store finds is what a naive
/// filter leaves of the model.
package struct UnstoredHistory {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let driver: StoreDriver
    private let disk: MemoryDisk
    private var generator: SeededGenerator

    package init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        let types = ["N0", "N1", "N2", "L0", "L1", "P"]
        let names = Universe.scalars.map(\.name) + Universe.objects.map(\.name)
        var data = RelayEnvironment.UnstoredData()
        for _ in 0..<generator.below(3) { data.types.insert(generator.pick(types)) }
        for _ in 0..<generator.below(4) {
            data.fields.insert("\(generator.pick(types + ["Query"])).\(generator.pick(names))")
        }
        disk = MemoryDisk(unstored: data)
        driver = StoreDriver(Universe(seed: seed), disk: disk)
    }

    /// Performs steps in which nothing leaves the memory, with writes between them, and compares at the end.
    package mutating func run(steps: Int) throws {
        let kinds = Step.Kind.allCases.filter { kind in
            switch kind {
            case .collect, .slice, .restart, .release, .retain: false
            default: StoreDriver.isOfDisk(kind)
            }
        }
        var deleted: Set<String> = []
        let driver = driver
        driver.observe = { [unowned driver] _ in deleted.formUnion(driver.model.deleted) }
        for _ in 0..<steps {
            let kind = generator.chance(12) ? .write : generator.pick(kinds)
            try driver.perform(Step(kind: kind, seed: generator.next()))
        }
        try driver.finish()
        try driver.writeAll()
        let store = try Store(disk: disk)
        let model = driver.model
        let found = DiskState(of: store, reading: Set(model.records.keys).union(model.deleted))
        let filter = NaiveFilter(disk.unstored, model, deleted, isStable: driver.universe.isStable)
        let expected = filter.comparable(filter.records)
        let actual = filter.comparable(found.records)
        for id in Set(expected.keys).union(actual.keys).sorted() where !filter.isRight(actual[id], expected[id], id) {
            throw Failure(
                description: """
                    \(id) is \(actual[id].map { "\($0)" } ?? "missing") and not \
                    \(expected[id].map { "\($0)" } ?? "missing"), without \(disk.unstored.text)
                    """)
        }
        for (id, record) in found.records where filter.isStable {
            for (key, value) in record.fields where !filter.leads(value, where: { !filter.isLeftOut($0) }) {
                throw Failure(description: "\(id).\(key) leads to what is left out, without \(disk.unstored.text)")
            }
        }
        for bytes in disk.look({ $0.contents.records.keys.map(\.bytes) }) {
            let id = String(decoding: bytes, as: UTF8.self)
            guard model.records[id] != nil, filter.isLeftOut(id), filter.isStable else { continue }
            throw Failure(description: "the file has a record at \(id), without \(disk.unstored.text)")
        }
        let violations = store.checkInvariants()
        if !violations.isEmpty { throw Failure(description: violations.joined(separator: "; ")) }
    }
}

/// What of a model a file may have, found without any of the store's tables.
private struct NaiveFilter {
    private let data: RelayEnvironment.UnstoredData
    private let model: ModelState
    /// The records that were deleted at some time.
    private let deleted: Set<String>
    /// Whether no record changes its type. One that does may leave below it what the file was allowed to have.
    let isStable: Bool

    init(_ data: RelayEnvironment.UnstoredData, _ model: ModelState, _ deleted: Set<String>, isStable: Bool) {
        self.data = data
        self.deleted = deleted
        self.isStable = isStable
        self.model = model
    }

    /// The records that are not left out, with their fields.
    var records: [String: ModelRecord] {
        var kept: [String: ModelRecord] = [:]
        for (id, record) in model.records where !isLeftOut(id) {
            var record = record
            record.fields = record.fields.filter { !isLeftOut(key: $0.key, of: id, record.type) }
            kept[id] = record
        }
        return kept
    }

    func isLeftOut(_ id: String) -> Bool {
        guard let record = model.records[id] else { return false }
        if isUnreached(id) { return true }
        if data.types.contains(record.type) { return true }
        // The parent is the record with the longest identity before a colon.
        guard let (parent, end) = self.parent(of: id) else { return false }
        var key = end[...]
        while let colon = key.lastIndex(of: ":"), key[key.index(after: colon)...].allSatisfy(\.isNumber) {
            key = key[..<colon]
        }
        return isLeftOut(parent) || isLeftOut(key: String(key), of: parent, model.records[parent]?.type ?? "")
    }

    /// The record with a path of its own below which a record lies, and the path; nil for one with an identity.
    private func parent(of id: String) -> (id: String, end: String)? {
        Set(model.records.keys).union(model.deleted)
            .compactMap { parent in Self.end(of: id, below: parent).map { (id: parent, end: $0) } }
            .min { $0.end.utf8.count < $1.end.utf8.count }
    }

    /// Returns true for what lies below a deleted record, where nothing leads.
    private func isUnreached(_ id: String) -> Bool {
        guard let parent = parent(of: id)?.id else { return false }
        return model.deleted.contains(parent) || isUnreached(parent)
    }

    private func wasUnreached(_ id: String) -> Bool {
        guard let parent = parent(of: id)?.id else { return false }
        return deleted.contains(parent) || wasUnreached(parent)
    }

    /// Returns the path of a record below another one; nil if it has none.
    private static func end(of id: String, below parent: String) -> String? {
        for prefix in [parent + ":", "client:\(parent):"] where id.hasPrefix(prefix) {
            return String(id.dropFirst(prefix.count))
        }
        return nil
    }

    private func isLeftOut(key: String, of id: String, _ type: String) -> Bool {
        let name = key.prefix { $0 != "(" }
        if id == ModelState.root || ModelState.isBelowCall(id) && type == model.records[ModelState.root]?.type {
            return data.fields.contains { $0.hasSuffix(".\(name)") }
        }
        return data.fields.contains("\(type).\(name)")
    }

    /// Records without links and lists that lead to what is not there: the file may have the identity of a record that
    /// was deleted, but need not.
    func comparable(_ records: [String: ModelRecord]) -> [String: ModelRecord] {
        let present = self.records
        func isThere(_ id: String) -> Bool { ModelState.isBelowCall(id) || present[id] != nil }
        var found: [String: ModelRecord] = [:]
        for (id, record) in records where !ModelState.isBelowCall(id) && (isStable ? !isUnreached(id) : !isLeftOut(id))
        {
            var record = record
            record.fields = record.fields.filter { leads($0.value, where: isThere) }
            // A record that lost everything is one that is missing.
            if !record.fields.isEmpty { found[id] = record }
        }
        return found
    }

    /// Returns true if a record of the file is as expected. What was left out as long as another record was deleted or
    /// had another type may be missing.
    func isRight(_ actual: ModelRecord?, _ expected: ModelRecord?, _ id: String) -> Bool {
        if actual == expected || actual == nil && wasUnreached(id) { return true }
        if isStable, actual == nil { return false }
        guard let actual else { return true }
        guard let expected, actual.type == expected.type else { return false }
        return Set(actual.fields.keys).union(expected.fields.keys).allSatisfy { key in
            let (own, other) = (actual.fields[key], expected.fields[key])
            if own == other { return true }
            guard own == nil, let other else { return false }
            return !isStable || !leads(other) { !deleted.contains($0) }
        }
    }

    /// Returns true if each link in a value leads to a record of which the body says so.
    func leads(_ value: ModelValue, where isThere: (String) -> Bool) -> Bool {
        switch value {
        case .link(let target): isThere(target)
        case .links(let targets): targets.allSatisfy { $0.map(isThere) ?? true }
        case .list(let items): items.allSatisfy { leads($0, where: isThere) }
        case .scalar: true
        }
    }
}
