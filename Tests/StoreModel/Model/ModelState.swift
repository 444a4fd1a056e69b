import Baton

/// The value of a storage key in the model.
package enum ModelValue: Hashable, Sendable {
    /// A scalar, an enum value, or null.
    case scalar(JSONValue)
    case link(String)
    case links([String?])
    /// A list of scalars, or of lists.
    case list([ModelValue])

    /// The value in the format of the dump.
    var json: JSONValue {
        switch self {
        case .scalar(let value): value
        case .link(let target): .string("-> \(target)")
        case .links(let targets): .array(targets.map { $0.map { .string("-> \($0)") } ?? .null })
        case .list(let values): .array(values.map(\.json))
        }
    }
}

package struct ModelRecord: Hashable, Sendable {
    var type: String
    var fields: [String: ModelValue] = [:]
}

/// The naive store: dictionaries from data ID to record, without interning, sharing or incremental work.
package struct ModelState: Sendable {
    struct Fact: Hashable, Sendable {
        let type: String
        let abstractType: String
    }

    static let root = "client:root"

    var records: [String: ModelRecord] = [:]
    var deleted: Set<String> = []
    var facts: [Fact: Bool] = [:]
    /// The number of publishes.
    var clock = 0
    /// The clock of the last invalidation of the whole store.
    var invalidated = 0
    var invalidatedRecords: [String: Int] = [:]
    var invalidatedTypes: [String: Int] = [:]
    var invalidatedOperations: [ModelOperationKey: Int] = [:]
    var invalidatedQueries: [Int: Int] = [:]

    /// Makes all data stale. Earlier invalidations of single records are then forgotten.
    mutating func invalidateAll() {
        invalidated = clock + 1
        invalidatedRecords = [:]
        invalidatedTypes = [:]
        invalidatedOperations = [:]
        invalidatedQueries = [:]
    }

    /// Whether a record is unknown, deleted, or present.
    enum Presence: Hashable {
        case unknown
        case deleted
        case existing
    }

    func presence(_ id: String) -> Presence {
        if records[id] != nil { return .existing }
        return deleted.contains(id) ? .deleted : .unknown
    }

    mutating func put(_ id: String, _ record: ModelRecord) {
        records[id] = record
        deleted.remove(id)
    }

    mutating func delete(_ id: String) {
        records[id] = nil
        deleted.insert(id)
    }

    /// The state in the format of `Store.dump()`.
    var dump: String {
        var lines: [String] = deleted.map { "\($0) deleted" }
        for (id, record) in records {
            lines.append("\(id) is \(record.type)")
            for (key, value) in record.fields { lines.append("\(id).\(key) = \(value.json.text)") }
        }
        for (fact, holds) in facts { lines.append("\(fact.type) \(holds ? "is" : "is not") \(fact.abstractType)") }
        return lines.sorted().joined(separator: "\n")
    }

    func differences(from old: ModelState) -> ModelChanges {
        var changes = ModelChanges()
        for id in Set(records.keys).union(old.records.keys) {
            guard let now = records[id], let before = old.records[id], now.type == before.type else {
                changes.whole.insert(id)
                continue
            }
            if now.fields == before.fields { continue }
            let keys = Set(now.fields.keys).union(before.fields.keys)
            changes.fields[id] = keys.filter { now.fields[$0] != before.fields[$0] }
        }
        for id in deleted.symmetricDifference(old.deleted) { changes.whole.insert(id) }
        for (fact, holds) in facts where old.facts[fact] != holds { changes.facts.insert(fact) }
        for fact in old.facts.keys where facts[fact] == nil { changes.facts.insert(fact) }
        return changes
    }
}

/// The differences between two states.
struct ModelChanges {
    /// Records whose type or existence changed.
    var whole: Set<String> = []
    var fields: [String: Set<String>] = [:]
    var facts: Set<ModelState.Fact> = []

    func concerns(_ id: String, _ key: String) -> Bool {
        whole.contains(id) || fields[id]?.contains(key) == true
    }

    var records: Set<String> { whole.union(fields.keys) }
    var isEmpty: Bool { whole.isEmpty && fields.isEmpty && facts.isEmpty }
}

struct ModelOperationKey: Hashable, Sendable {
    let index: Int
    let variables: JSONValue
}
