import RandomCases
import Testing

@testable import Baton

/// Random updates compared with dictionaries: several in a row, nested ones, and ones that throw.
@Suite struct UpdateModelTests {
    private struct Refusal: Error {}

    private enum Field: Equatable {
        case scalar(JSONValue)
        case link(String?)
        case links([String?])
        case matrix([[String?]?])
    }

    /// Records by ID with their fields by storage key; nil marks a deleted record.
    private struct Model: Equatable {
        var records: [String: [String: Field]?] = [:]

        func isLive(_ id: String) -> Bool { records[id].flatMap { $0 } != nil }

        subscript(id: String, key: String) -> Field? {
            get { records[id].flatMap { $0 }?[key] }
            set {
                var fields = records[id].flatMap { $0 } ?? [:]
                fields[key] = newValue
                records[id] = .some(fields)
            }
        }

        mutating func removeReferences(to id: String) {
            for (owner, fields) in records {
                for (key, field) in fields ?? [:] {
                    switch field {
                    case .links(let ids): self[owner, key] = .links(ids.filter { $0 != id })
                    case .matrix(let rows): self[owner, key] = .matrix(rows.map { $0?.filter { $0 != id } })
                    default: break
                    }
                }
            }
        }
    }

    private struct Run {
        var generator: SeededGenerator
        var model: Model
        let records: RecordSourceProxy

        static let ids = (0..<10).map { "r\($0)" } + [DataID.root.rawValue]

        mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
        mutating func id() -> String { Self.ids[below(Self.ids.count)] }

        /// Returns a field with its arguments in random order, and its storage key, which has one order.
        mutating func place(_ name: String) -> (key: String, arguments: [String: JSONValue]) {
            switch below(3) {
            case 0: (name, [:])
            case 1: ("\(name)(a:1)", ["a": 1])
            default:
                (
                    "\(name)(a:2,b:{\"x\":[1],\"y\":null})",
                    Dictionary(
                        uniqueKeysWithValues: [
                            ("a", 2), ("b", ["y": nil, "x": [1]] as JSONValue),
                        ].shuffled(using: &generator))
                )
            }
        }

        mutating func live() -> RecordProxy? {
            let id = id()
            let record = records.get(DataID(id))
            #expect((record != nil) == model.isLive(id), "\(id)")
            return record
        }

        mutating func step() throws {
            guard let record = live() else { return try create() }
            let owner = record.dataID.rawValue
            switch below(13) {
            case 0:
                let (key, arguments) = place("scalar")
                let value: JSONValue = [1, "two", nil, [true, [nil]], 2.5][below(5)]
                try record.setValue(value, forField: "scalar", arguments: arguments)
                model[owner, key] = .scalar(value)
                #expect(record.value(forField: "scalar", arguments: arguments) == value)
            case 1:
                let (key, arguments) = place("link")
                let target = below(4) == 0 ? nil : live()
                try record.setLinkedRecord(target, forField: "link", arguments: arguments)
                model[owner, key] = .link(target?.dataID.rawValue)
                #expect(record.linkedRecord(forField: "link", arguments: arguments) == target)
            case 2:
                let (key, arguments) = place("list")
                let targets = (0..<below(4)).map { _ in below(5) == 0 ? nil : live() }
                try record.setLinkedRecords(targets, forField: "list", arguments: arguments)
                model[owner, key] = .links(targets.map { $0?.dataID.rawValue })
                #expect(record.linkedRecords(forField: "list", arguments: arguments) == targets)
            case 3, 4, 5: try changeList(of: record, owner)
            case 6:
                guard let target = live() else { break }
                let every = (model.records[owner] ?? nil)?.keys.filter { $0 == "list" || $0.hasPrefix("list(") } ?? []
                if below(2) == 0 {
                    try record.append(target, toEveryList: "list")
                    for key in every { insert(target.dataID.rawValue, at: .max, owner, key) }
                } else {
                    try record.remove(target, fromEveryList: "list")
                    for key in every { remove(target.dataID.rawValue, owner, key) }
                }
            case 7:
                let rows = (0..<below(3)).map { _ in
                    below(4) == 0 ? nil : (0..<below(3)).map { _ in below(4) == 0 ? nil : live() }
                }
                try record.field("matrix")
                    .setLinkedItems(
                        .list(
                            rows.map { row in row.map { .list($0.map { $0.map { .record($0) } ?? .null }) } ?? .null }))
                model[owner, "matrix"] = .matrix(rows.map { $0?.map { $0?.dataID.rawValue } })
            case 8:
                guard owner != DataID.root.rawValue else { break }
                try records.delete(DataID(owner))
                model.records[owner] = .some(nil)
                #expect(throws: UpdateError.deleted(DataID(owner))) { try record.setValue(1, forField: "scalar") }
            case 9:
                guard owner != DataID.root.rawValue else { break }
                try records.delete(DataID(owner), removingReferences: true)
                model.records[owner] = .some(nil)
                model.removeReferences(to: owner)
            case 10:
                guard let other = live(), other != record else { break }
                try record.copyFields(from: other)
                for (key, field) in (model.records[other.dataID.rawValue] ?? nil) ?? [:] { model[owner, key] = field }
            case 11:
                let child = try record.getOrCreateLinkedRecord(forField: "own", type: "Part")
                #expect(try record.getOrCreateLinkedRecord(forField: "own", type: "Part") == child)
                try child.setValue(.int(below(9)), forField: "scalar")
            default: try create()
            }
        }

        private mutating func create() throws {
            let id = id()
            if model.isLive(id) {
                #expect(throws: UpdateError.exists(DataID(id))) { try records.create(DataID(id), type: "T") }
            } else {
                try records.create(DataID(id), type: "T")
                model.records[id] = .some([:])
            }
        }

        private mutating func changeList(of record: RecordProxy, _ owner: String) throws {
            let (key, arguments) = place("list")
            guard let target = live() else { return }
            let id = target.dataID.rawValue
            switch below(4) {
            case 0:
                try record.append(target, toList: "list", arguments: arguments)
                insert(id, at: .max, owner, key)
            case 1:
                try record.prepend(target, toList: "list", arguments: arguments)
                insert(id, at: 0, owner, key)
            case 2:
                let index = below(7) - 2
                try record.insert(target, at: index, inList: "list", arguments: arguments, allowingRepetition: true)
                insert(id, at: index, owner, key, allowingRepetition: true)
            default:
                try record.remove(target, fromList: "list", arguments: arguments)
                remove(id, owner, key)
            }
        }

        private mutating func insert(
            _ id: String, at index: Int, _ owner: String, _ key: String, allowingRepetition: Bool = false
        ) {
            guard case .links(var ids) = model[owner, key], allowingRepetition || !ids.contains(id) else { return }
            ids.insert(id, at: min(max(index, 0), ids.count))
            model[owner, key] = .links(ids)
        }

        private mutating func remove(_ id: String, _ owner: String, _ key: String) {
            guard case .links(let ids) = model[owner, key] else { return }
            model[owner, key] = .links(ids.filter { $0 != id })
        }

        // MARK: - Comparing

        func check() {
            for id in Self.ids {
                guard let fields = model.records[id].flatMap({ $0 }) else {
                    #expect(records.get(DataID(id)) == nil)
                    continue
                }
                guard let record = records.get(DataID(id)) else {
                    Issue.record("\(id) is not there")
                    continue
                }
                for (key, field) in fields where key != "own" { check(record, key, field) }
            }
        }

        private func check(_ record: RecordProxy, _ key: String, _ field: Field) {
            let name = String(StorageKey(key).fieldName)
            guard let own = record.fields(name).first(where: { $0.storageKey.rawValue == key }) else {
                Issue.record("\(record.dataID).\(key) is missing")
                return
            }
            #expect(own.storageKey == record.field(name, arguments: own.arguments).storageKey)
            func seen(_ id: String?) -> String? { id.flatMap { model.isLive($0) ? $0 : nil } }
            switch field {
            case .scalar(let value): #expect(own.value == value)
            case .link(let id): #expect(own.linkedRecord?.dataID.rawValue == seen(id))
            case .links(let ids): #expect(own.linkedRecords?.map { $0?.dataID.rawValue } == ids.map(seen))
            case .matrix(let rows):
                let expected = rows.map { row -> LinkedItem in
                    guard let row else { return .null }
                    return .list(row.map { seen($0).flatMap { records.get(DataID($0)) }.map { .record($0) } ?? .null })
                }
                #expect(own.linkedItems == .list(expected) && own.value == nil)
            }
        }
    }

    @Test(arguments: RandomCases.seeds(10)) func updatesDoWhatDictionariesWouldDo(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 5)
        var model = Model()
        let store = Store()
        try store.update { try $0.root.setValue("Query", forField: "scalar") }
        model.records[DataID.root.rawValue] = .some(["scalar": .scalar("Query")])
        for _ in 0..<25 {
            let before = store.dump()
            let fails = Int.random(in: 0..<5, using: &generator) == 0
            let steps = Int.random(in: 1...12, using: &generator)
            do {
                let (run, _) = try store.update { records in
                    var run = Run(generator: generator, model: model, records: records)
                    for _ in 0..<steps { try run.step() }
                    run.check()
                    generator = run.generator
                    if fails { throw Refusal() }
                    return run.model
                }
                model = run
            } catch is Refusal {
                #expect(store.dump() == before)
            }
            try store.update { Run(generator: generator, model: model, records: $0).check() }
        }
    }
}
