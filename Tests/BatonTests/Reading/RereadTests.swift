import Testing

@testable import Baton

/// A read that reuses parts of the read before gives the same data as a full read. Unchanged parts keep their storage.
@Suite struct RereadTests {
    @Test(arguments: 0..<30) func readingAgainIsReading(_ seed: Int) throws {
        for round in 0..<6 {
            var world = try RandomWorld(seed: UInt64(seed * 100 + round))
            var old = world.read()
            var version = world.store.records
            for _ in 0..<25 {
                for _ in 0..<Int.random(in: 0...3, using: &world.generator) { try world.change() }
                let new = world.read(after: old.dependencies)
                let full = world.read()
                #expect(new.data == full.data, "\(world.plan)")
                #expect(new.isMissingData == full.isMissingData, "\(world.plan)")
                #expect(Set(new.dependencies.pairs) == Set(full.dependencies.pairs), "\(world.plan)")
                // The order is compared too, because the next read uses the positions.
                #expect(new.dependencies.pairs == full.dependencies.pairs, "\(world.plan)")
                expectSameStorage(new, old, version, world)
                old = new
                version = world.store.records
            }
        }
    }

    private func expectSameStorage(
        _ new: Snapshot<TreeFields>, _ old: Snapshot<TreeFields>, _ version: Records, _ world: RandomWorld
    ) {
        let records = world.store.records
        // Conditions on abstract types are evaluated again if a type fact was learned since.
        if old.dependencies.usesTypeFacts, records.facts.changed > old.epoch { return }
        for list in new.data?.lists ?? [] where list.isKept {
            let before = old.data?.lists.filter { $0.record == list.record && $0.path == list.path && $0.isKept } ?? []
            guard !before.isEmpty else { continue }
            for row in list.items.compactMap({ $0?.__row }) {
                let known = before.flatMap(\.items).compactMap { $0?.__row }.filter {
                    $0.fields.record == row.fields.record
                        && world.reach($0.fields.record, list.path, in: version).allSatisfy {
                            records.changed($0) <= old.epoch
                        }
                }
                #expect(known.isEmpty || known.contains { $0.isSame(as: row) }, "\(world.plan)")
            }
            let links = world.links(of: list, in: records)
            guard let before = before.first, !list.isInList, links == world.links(of: before, in: version) else {
                continue
            }
            let reached = links.filter { $0 != .none }.reduce(into: Set<RecordID>()) {
                $0.formUnion(world.reach($1, list.path, in: version))
            }
            if reached.allSatisfy({ records.changed($0) <= old.epoch }), !list.items.isEmpty {
                #expect(before.address == list.address, "\(world.plan)")
            }
        }
    }

    @Test func oneChangedItemLeavesTheOthersAndTheDependencies() throws {
        var world = try RandomWorld(seed: 1, plan: "{many:[T!]!{id:ID! a:Int other:[T!]!{id:ID! a:Int}}}", records: 60)
        try world.fill(list: 40)
        let old = world.read()
        try world.store.update { try $0.get("T:7")?.setValue(.int(-1), forField: "a") }
        let new = world.read(after: old.dependencies)
        let before = try #require(old.data?.lists.last?.items)
        let after = try #require(new.data?.lists.last?.items)
        var kept = 0
        for (left, right) in zip(before, after) {
            let left = try #require(left?.__row)
            let right = try #require(right?.__row)
            let isTouched = left.fields.records.contains { world.store.records.changed($0) > old.epoch }
            #expect(left.isSame(as: right) != isTouched)
            kept += isTouched ? 0 : 1
        }
        #expect(kept > 0 && kept < 40)
        let left = old.dependencies.pairs.withUnsafeBufferPointer { $0.baseAddress }
        let right = new.dependencies.pairs.withUnsafeBufferPointer { $0.baseAddress }
        #expect(left == right)
    }

    @Test func whatIsReadWithAnotherPlanIsReadAnew() throws {
        var world = try RandomWorld(seed: 2, plan: "{many:[T!]!{id:ID! a:Int}}", records: 30)
        try world.fill(list: 20)
        let old = world.read()
        var other = world
        other.rebind()
        let new = other.read(after: old.dependencies)
        #expect(new.data == old.data)
        let left = try #require(old.data?.lists.first?.items.first??.__row)
        let right = try #require(new.data?.lists.first?.items.first??.__row)
        #expect(!left.isSame(as: right))
    }
}

/// A store with records that refer to each other at random, a plan, and changes.
struct RandomWorld {
    var generator: SeededGenerator
    let plan: String
    let store = Store()
    private let items: [SelectionPlan.Item]
    private var operation: BoundOperation
    private let ids: [DataID]
    private var layers: [LayerID] = []
    private let isMarked: Bool

    init(seed: UInt64, plan: String? = nil, records: Int = 30, marks isMarked: Bool = false) throws {
        generator = SeededGenerator(seed: seed)
        self.isMarked = isMarked
        self.plan = plan ?? Self.plan(&generator, isMarked)
        items = try SelectionPlan.decode(self.plan).items
        operation = Self.bind(self.plan, in: store)
        ids = (0..<records).map { DataID("T:\($0)") }
        guard plan == nil else { return }
        for _ in 0..<60 { try change() }
    }

    private static func bind(_ plan: String, in store: Store) -> BoundOperation {
        let artifact = GeneratedCode.OperationArtifact(
            name: "W", kind: .query, text: "", normalization: plan, reader: plan)
        return store.bind(artifact, variables: .object([]))
    }

    /// Binds the same plan again.
    mutating func rebind() { operation = Self.bind(plan, in: store) }

    func read(after previous: Dependencies? = nil) -> Snapshot<TreeFields> {
        TreeFields.$items.withValue(items) {
            store.read(TreeFields.self, at: operation.root, operation.reader, after: previous)
        }
    }

    /// Returns the parts that a read does not show, with the reasons.
    func holes() -> [Hole] {
        HoleSearch.holes(in: store.records, at: operation.root, operation.reader.plan, limit: .max)
    }

    /// Returns the links of a list.
    func links(of list: TreeFields.Rows, in version: Records) -> [RecordID] {
        var items = items
        for position in list.path.dropLast() { items = below(items[position]) }
        guard let last = list.path.last, case .field(let field) = items[last].kind,
            case .links(let links) = version.value(store.names.key(field.name), of: list.record)
        else { return [] }
        return links
    }

    private func below(_ item: SelectionPlan.Item) -> [SelectionPlan.Item] {
        switch item.kind {
        case .field(let field): field.selections
        case .inline(_, let selections): selections
        case .spread: []
        }
    }

    /// Returns the records that a read of a list's object can visit.
    func reach(_ record: RecordID, _ path: [Int], in version: Records) -> Set<RecordID> {
        var items = items
        for position in path { items = below(items[position]) }
        var found: Set<RecordID> = []
        reach(record, items, version, &found)
        return found
    }

    private func reach(
        _ record: RecordID, _ items: [SelectionPlan.Item], _ version: Records, _ found: inout Set<RecordID>
    ) {
        found.insert(record)
        for item in items {
            switch item.kind {
            case .field(let field) where !field.selections.isEmpty:
                switch version.value(store.names.key(field.name), of: record) {
                case .link(let target): reach(target, field.selections, version, &found)
                case .links(let targets):
                    for target in targets where target != .none { reach(target, field.selections, version, &found) }
                default: break
                }
            case .inline(_, let selections): reach(record, selections, version, &found)
            case .field, .spread: break
            }
        }
    }

    // MARK: - Plans

    private static func plan(_ generator: inout SeededGenerator, _ isMarked: Bool, depth: Int = 0) -> String {
        var selected: [String] = []
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
        func mark() -> String { chance(25) ? "!" : "" }
        func marks() -> String {
            guard isMarked else { return mark() }
            if chance(15) { return "!" }
            let required =
                chance(30) ? "@required(\(["NONE", "LOG", "THROW"][chance(20) ? 0 : chance(70) ? 1 : 2]))" : ""
            return "\(required)\(catches())\(chance(8) ? "@client" : "")"
        }
        func catches() -> String { isMarked && chance(25) ? "@catch(\(chance(50) ? "RESULT" : "NULL"))" : "" }
        func later() -> String { isMarked && chance(30) ? "@defer(\"later \(depth)\")" : "" }
        if depth > 0 {
            selected.append("id:ID")
            if chance(80) { selected.append("a:Int\(marks())") }
            if chance(40) { selected.append("s:String\(marks())") }
            if chance(20) { selected.append("<T>\(later())\(catches()){a:Int b:Int}") }
            if chance(15) { selected.append("<*N>\(catches()){b:Int\(marks())}") }
        }
        if depth < 3 {
            for field in ["many", "other"] where depth == 0 || chance(55) {
                selected.append("\(field):[T\(mark())]\(marks())\(plan(&generator, isMarked, depth: depth + 1))")
            }
            if chance(30) { selected.append("one:T\(marks())\(plan(&generator, isMarked, depth: depth + 1))") }
        }
        let ofAll =
            isMarked && depth == 0
            ? ["", "", "@throwOnFieldError", "@catch(NULL)"].randomElement(using: &generator) : ""
        return "\(ofAll ?? ""){\(selected.joined(separator: " "))}"
    }

    // MARK: - Changes

    /// Makes the root's list, the first records, and short lists in each of them.
    mutating func fill(list count: Int) throws {
        let (store, ids) = (store, ids)
        try store.update { source in
            let records = try ids.map { try source.create($0, type: "T") }
            for (index, record) in records.enumerated() {
                try record.setValue(.string("\(index)"), forField: "id")
                try record.setValue(.int(index), forField: "a")
                try record.setLinkedRecords([records[(index * 7 + 1) % records.count]], forField: "other")
            }
            try source.root.setLinkedRecords(Array(records[..<count]), forField: "many")
        }
    }

    mutating func change() throws {
        let id = ids.randomElement(using: &generator) ?? "T:0"
        let kind = Int.random(in: 0..<(isMarked ? 15 : 12), using: &generator)
        let number = Int.random(in: 0..<4, using: &generator)
        let isRoot = Int.random(in: 0..<3, using: &generator) == 0
        if kind == 11 { return try learn(number) }
        if kind > 11 { return try fail(id, number) }
        if isRoot, kind < 3 { return layer(id, number) }
        let field = number % 2 == 0 ? "many" : "other"
        let type: TypeName = number == 3 ? "U" : "T"
        let links = randomLinks()
        let position = Int.random(in: 0..<100, using: &generator)
        try store.update { source in
            func record(_ id: DataID) throws -> RecordProxy {
                if let known = source.get(id) { return known }
                let new = try source.create(id, type: type)
                try new.setValue(.string("\(id)"), forField: "id")
                return new
            }
            let target = isRoot ? source.root : try record(id)
            switch kind {
            case 0..<4: try record(id).setValue(.int(number), forField: ["a", "b"][number % 2])
            case 4: try record(id).setValue(number == 0 ? .null : .string("text \(number)"), forField: "s")
            case 5: if number < 3 { try source.delete(id) }
            case 6: try target.setLinkedRecords(try links.map { try $0.map(record) }, forField: field)
            case 7: try target.setLinkedRecord(number == 0 ? nil : try record(id), forField: "one")
            default:
                // Inserts, removes or moves one item somewhere in a list.
                var list = target.linkedRecords(field) ?? []
                let index = list.isEmpty ? 0 : position % list.count
                switch kind {
                case 8: list.insert(try record(id), at: index)
                case 9: if !list.isEmpty { list.remove(at: index) }
                default: if !list.isEmpty { list.swapAt(index, list.count / 2) }
                }
                try target.setLinkedRecords(list, forField: field)
            }
        }
    }

    /// Adds an optimistic layer to the store, or drops one.
    private mutating func layer(_ id: DataID, _ number: Int) {
        if number == 0, let last = layers.popLast() {
            store.drop(last)
            return
        }
        layers.append(
            store.apply { source in
                try source.get(id)?.setValue(.int(100 + number), forField: "a")
                guard let list = source.root.linkedRecords("many"), list.count > 1 else { return }
                try source.root.setLinkedRecords(Array(list.reversed()), forField: "many")
            })
    }

    private mutating func randomLinks() -> [DataID?] {
        let count = [0, 2, 5, 20, 40].randomElement(using: &generator) ?? 0
        return (0..<count).map { _ in
            Int.random(in: 0..<30, using: &generator) == 0 ? nil : ids.randomElement(using: &generator)
        }
    }

    /// Lands an answer in which a field has an error, or has its value again.
    private func fail(_ id: DataID, _ number: Int) throws {
        let field = ["a", "s", "one"][number % 3]
        let operation = Self.bind("{probe:+T{id:ID! a:Int s:String one:+T{id:ID!}}}", in: store)
        let error = number == 3 ? "" : #","errors":[{"message":"no \#(field)","path":["probe","\#(field)"]}]"#
        let values = ["a": "5", "s": #""text""#, "one": #"{"id":"T:1"}"#]
        let members = values.keys.sorted().map { key in
            #""\#(key)":\#(key == field && number != 3 ? "null" : values[key] ?? "null")"#
        }
        try store.write(
            #"{"data":{"probe":{"id":"\#(id)",\#(members.joined(separator: ","))}}\#(error)}"#, for: operation)
    }

    /// Lands an answer that shows whether objects of a type are an `N`.
    private func learn(_ number: Int) throws {
        let plan = "{probe:*U{<*N>{b:Int}}}"
        let operation = Self.bind(plan, in: store)
        let type = number % 2 == 0 ? "T" : "U"
        let mark = number < 2 ? #","__isN":"\#(type)","b":\#(number)"# : ""
        try store.write(#"{"data":{"probe":{"__typename":"\#(type)"\#(mark)}}}"#, for: operation)
    }
}
