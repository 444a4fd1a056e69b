import RandomCases

@testable import Baton

/// A simple model of a store with layers: the base as dictionaries, and every layer replayed from the beginning.
struct LayerModel {
    struct Entry: Equatable {
        var type = "R"
        var fields: [String: JSONValue] = [:]
        var isDeleted = false
    }

    typealias Records = [String: Entry]

    /// A step of a layer or an update. A step may depend on the data that it reads.
    enum Step {
        case set(String, String, Int)
        /// Reads a number and writes the sum with another number elsewhere.
        case copy(from: String, String, to: String, String, plus: Int)
        /// Sets a list field to those of these records that exist.
        case link(String, [String])
        case delete(String)
        /// Deletes a record and makes it again with another type.
        case remake(String, String)
        /// Throws if a field is even.
        case check(String, String)
    }

    struct Refused: Error {}

    var base: Records = [:]
    var layers: [(id: LayerID, steps: [Step])] = []

    static func run(_ steps: [Step], on records: Records) throws -> Records {
        var records = records
        func isThere(_ id: String) -> Bool { records[id].map { !$0.isDeleted } ?? false }
        func number(_ id: String, _ field: String) -> Int {
            guard isThere(id), case .int(let value)? = records[id]?.fields[field] else { return 0 }
            return value
        }
        for step in steps {
            switch step {
            case .set(let id, let field, let value):
                if !isThere(id) { records[id] = Entry() }
                records[id]?.fields[field] = .int(value)
            case .copy(let from, let field, let id, let target, let plus):
                if !isThere(id) { records[id] = Entry() }
                let value = number(from, field) + plus
                records[id]?.fields[target] = .int(value)
            case .link(let id, let targets):
                if !isThere(id) { records[id] = Entry() }
                let links = targets.filter(isThere).map { JSONValue.string($0) }
                records[id]?.fields["links"] = .array(links)
            case .delete(let id):
                records[id] = Entry(type: "", isDeleted: true)
            case .remake(let id, let type):
                records[id] = Entry(type: type)
            case .check(let id, let field):
                if number(id, field) % 2 == 0 { throw Refused() }
            }
        }
        return records
    }

    /// Runs the same steps through record proxies.
    static func run(_ steps: [Step], on store: RecordSourceProxy) throws {
        func record(_ id: String) throws -> RecordProxy {
            try store.get(DataID(id)) ?? store.create(DataID(id), type: "R")
        }
        func number(_ id: String, _ field: String) -> Int {
            guard case .int(let value)? = store.get(DataID(id))?.value(forField: field) else { return 0 }
            return value
        }
        for step in steps {
            switch step {
            case .set(let id, let field, let value): try record(id).setValue(.int(value), forField: field)
            case .copy(let from, let field, let id, let target, let plus):
                let target = (record: try record(id), field: target)
                try target.record.setValue(.int(number(from, field) + plus), forField: target.field)
            case .link(let id, let targets):
                let record = try record(id)
                let links: [RecordProxy] = targets.compactMap { store.get(DataID($0)) }
                try record.setLinkedRecords(links, forField: "links")
            case .delete(let id): try store.delete(DataID(id))
            case .remake(let id, let type):
                try store.delete(DataID(id))
                try store.create(DataID(id), type: TypeName(type))
            case .check(let id, let field):
                if number(id, field) % 2 == 0 { throw Refused() }
            }
        }
    }

    var top: Records { Self.replay(layers.map(\.steps), on: base) }

    static func replay(_ layers: [[Step]], on base: Records) -> Records {
        var records = base
        for steps in layers { records = (try? run(steps, on: records)) ?? records }
        return records
    }

    // MARK: - The store in the same form

    static func records(of store: Store, withLayers: Bool) -> Records {
        var result: Records = [:]
        let version = withLayers ? store.records : store.records.withoutLayers
        for record in version.known where record != .root {
            var entry = Entry(type: "", isDeleted: version.state(of: record) == .deleted)
            if !entry.isDeleted { entry.type = store.names.name(of: version.type(of: record)) }
            for (key, value) in zip(version.shape(of: record).keys, version.values(of: record)) {
                entry.fields[store.names.name(of: key)] = value.json { store.dataID(of: $0) }
            }
            result[store.dataID(of: record).rawValue] = entry
        }
        return result
    }

    /// Returns the differences, for a message.
    static func difference(_ found: Records, _ expected: Records) -> String {
        Set(found.keys).union(expected.keys).sorted().filter { found[$0] != expected[$0] }
            .map { "\($0): \(found[$0].map { "\($0)" } ?? "-") instead of \(expected[$0].map { "\($0)" } ?? "-")" }
            .joined(separator: "\n")
    }

    // MARK: - Random work

    static let ids = (0..<8).map { "r\($0)" }
    static let fields = ["a", "b", "c"]

    static func steps(_ generator: inout SeededGenerator) -> [Step] {
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            let id = ids.randomElement(using: &generator) ?? "r0"
            let other = ids.randomElement(using: &generator) ?? "r0"
            let field = fields.randomElement(using: &generator) ?? "a"
            let source = fields.randomElement(using: &generator) ?? "a"
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<8: return .set(id, field, Int.random(in: 0..<3, using: &generator))
            case 8..<14:
                return .copy(from: other, source, to: id, field, plus: Int.random(in: 0..<2, using: &generator))
            case 14: return .link(id, ids.filter { _ in Bool.random(using: &generator) })
            case 15, 16: return .delete(id)
            case 17: return .remake(id, Bool.random(using: &generator) ? "R" : "S")
            default: return .check(id, field)
            }
        }
    }
}
