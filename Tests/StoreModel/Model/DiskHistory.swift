import Baton
import RandomCases

/// The published state of a store over a file, without what the calls of mutations and events brought.
package struct DiskState: Hashable, Sendable {
    var records: [String: ModelRecord]
    var deleted: Set<String>
    var facts: [ModelState.Fact: Bool]

    init(_ state: ModelState) {
        records = state.records.filter { !ModelState.isBelowCall($0.key) }
        deleted = state.deleted.filter { !ModelState.isBelowCall($0) }
        facts = state.facts
    }

    /// Reads records of a store that has just been opened, and everything else that it then has.
    package init(of store: Store, reading ids: some Sequence<String>) {
        // No operation of this store selects any field.
        store.acceptValuesOfAnyType()
        store.readFromDisk(ids.map { DataID($0) })
        (records, deleted, facts) = ([:], [], [:])
        for record in store.contents() where !ModelState.isBelowCall(record.id.rawValue) {
            guard let type = record.type else {
                deleted.insert(record.id.rawValue)
                continue
            }
            var found = ModelRecord(type: type.rawValue)
            for (key, value) in record.fields { found.fields[key.rawValue] = ModelValue(value, in: store) }
            records[record.id.rawValue] = found
        }
        for (type, abstractType, holds) in store.typeFacts {
            facts[ModelState.Fact(type: type.rawValue, abstractType: abstractType.rawValue)] = holds
        }
    }

    package var ids: Set<String> { Set(records.keys).union(deleted) }

    /// The first differences to another state, for a person; empty if there are none.
    package func differences(from other: DiskState) -> [String] {
        var found: [String] = []
        for id in ids.union(other.ids).sorted() where text(of: id) != other.text(of: id) {
            found.append("\(id) is \(text(of: id)) and not \(other.text(of: id))")
        }
        if facts != other.facts { found.append("the facts differ") }
        return found
    }

    /// A number that is the same for equal states in all processes.
    package var digest: UInt64 {
        var text = ids.sorted().map { "\($0) \(self.text(of: $0))" }.joined(separator: "\n")
        text += facts.map { "\($0.key.type) \($0.key.abstractType) \($0.value)" }.sorted().joined(separator: "\n")
        return text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    private func text(of id: String) -> String {
        guard let record = records[id] else { return deleted.contains(id) ? "deleted" : "unknown" }
        let fields = record.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.json.text)" }
        return "\(record.type){\(fields.joined(separator: " "))}"
    }
}

extension ModelValue {
    fileprivate init(_ value: Value, in store: Store) {
        switch value {
        case .link(let target): self = .link(store.dataID(of: target).rawValue)
        case .links(let targets):
            self = .links(targets.map { $0 == .none ? nil : store.dataID(of: $0).rawValue })
        case .list(let values): self = .list(values.map { ModelValue($0, in: store) })
        default: self = .scalar(value.json ?? .null)
        }
    }
}

/// A random history of a store over a file, which remembers each state that was published.
package final class DiskHistory {
    private let driver: StoreDriver
    /// The states in the order of the publishes, from the empty one. A restart without a write goes back to an earlier
    /// one.
    package private(set) var states: [DiskState]
    /// The positions of the states that were written.
    package private(set) var written = [0]
    /// All identities that any state has had.
    package private(set) var ids: Set<String> = []
    /// Hears of the position of each state that was written.
    package var didWrite: ((Int) -> Void)?

    /// Begins a history. The same world and steps have the same states over any file.
    package init(world: UInt64, over disk: any ModelDisk) throws {
        driver = StoreDriver(Universe(seed: world))
        driver.disk = disk
        driver.store = try Store(disk: disk)
        driver.store.acceptValuesOfAnyType()
        states = [DiskState(ModelState())]
        driver.observe = { [unowned self] observation in
            note()
            guard observation == .written else { return }
            written.append(current)
            didWrite?(current)
        }
    }

    /// The position of the newest state.
    package var current: Int { states.count - 1 }

    package var store: Store { driver.store }

    /// Hears of the random choices in each step, for traces.
    package var tell: ((String) -> Void)? {
        get { driver.tell }
        set { driver.tell = newValue }
    }

    /// The file under the store that is open now.
    package var disk: (any ModelDisk)? { driver.disk }

    private func note() {
        let state = DiskState(driver.model)
        guard state != states[current] else { return }
        states.append(state)
        ids.formUnion(state.ids)
    }

    /// Performs a step on the store and on the model; throws if the two differ.
    package func perform(_ step: Step) throws {
        try driver.perform(step)
        note()
    }

    /// Publishes records with long texts, so that the file has many pages.
    package func fill(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let changed = (0..<(1 + generator.below(12))).map { _ in
            let length = generator.pick([10, 200, 900, 3000, 9000])
            let letter = generator.pick(["a", "b", "c", "d", "e", "f"])
            return (
                id: "bulk\(generator.below(60))", text: String(repeating: letter, count: 1 + generator.below(length))
            )
        }
        try driver.fill(changed)
    }

    /// Writes what was published; throws if it cannot be written.
    package func write() throws { try driver.writeAll() }

    package func restart() throws { try driver.reopen() }

    /// Has everything read into memory that the store knows, as far as that is possible.
    package func readAll() { driver.store.readFromDisk(ids.map { DataID($0) }) }

    /// Checks that the store has everything that the model has, in memory or in the file.
    package func compare() throws { try driver.compareWithDisk() }
}

extension StoreDriver {
    /// Sets one text in each of some records.
    fileprivate func fill(_ changed: [(id: String, text: String)]) throws {
        changes = []
        tell?("fill \(changed.map(\.id))")
        try store.update { source in
            for (id, text) in changed {
                let record = try source.get(DataID(id)) ?? source.create(DataID(id), type: "Bulk")
                try record.setValue(.string(text), forField: "text")
            }
        }
        publish { state in
            for (id, text) in changed {
                var record = state.records[id] ?? ModelRecord(type: "Bulk")
                record.fields["text"] = .scalar(.string(text))
                state.put(id, record)
            }
        }
        for (id, _) in changed { notes.note([id: ModelWritten(keys: ["text"])], at: model.clock) }
        try checkSubscribers()
    }
}
