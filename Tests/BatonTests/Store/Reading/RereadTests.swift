import RandomCases
import Testing

@testable import Baton

/// A read that reuses parts of the read before gives the same data as a full read. Unchanged parts of long lists keep
/// their shelves.
@Suite struct RereadTests {
    @Test(arguments: RandomCases.seeds(4)) func readingAgainIsReading(_ seed: Int) throws {
        var kept = 0
        for round in 0..<18 {
            var world = try RandomWorld(seed: UInt64(seed * 100 + round))
            var old = world.read()
            var shown = world.json(old)
            var version = world.store.records
            let subscriber = CountingSubscriber()
            var subscription = world.store.subscribe(subscriber, to: old.dependencies)
            for step in 0..<25 {
                for _ in 0..<Int.random(in: 0...3, using: &world.generator) { try world.change() }
                let new = world.read(after: old.dependencies)
                let full = world.read()
                subscription = world.store.subscribe(subscriber, to: new.dependencies, replacing: subscription)
                if step % 6 == 0 { #expect(world.store.checkInvariants() == [], "\(world.plan)") }
                #expect(new.data == full.data, "\(world.plan)")
                let json = world.json(new)
                #expect(json == world.json(full), "\(world.plan)")
                #expect(json?.text.contains(AnyData.lack.text) != true, "\(world.plan)")
                #expect((new.data == old.data) == (json == shown), "\(world.plan)")
                #expect(new.isMissingData == full.isMissingData, "\(world.plan)")
                #expect(Set(new.dependencies.pairs) == Set(full.dependencies.pairs), "\(world.plan)")
                kept += SharedShelves(new, old, version, world).count
                (old, shown) = (new, json)
                version = world.store.records
            }
        }
        #expect(kept > 0)
    }

    @Test func oneChangedItemLeavesTheOtherShelves() throws {
        var world = try RandomWorld(seed: 1, plan: "{many:[T!]!{id:ID! a:Int other:[T!]!{id:ID! a:Int}}}", records: 300)
        try world.fill(list: 200)
        let old = world.read()
        try world.store.update { try $0.get("T:7")?.setValue(.int(-1), forField: "a") }
        let new = world.read(after: old.dependencies)
        let (before, after) = try (#require(old.longList), #require(new.longList))
        var kept = 0
        for (left, right) in zip(before.shelves, after.shelves) {
            var isTouched = false
            left.forEachPair { if world.store.records.changed($0.record) > old.epoch { isTouched = true } }
            #expect((left === right) != isTouched)
            kept += isTouched ? 0 : 1
        }
        #expect(kept > 0 && kept < before.shelves.count)
        #expect(new.data == world.read().data)
    }

    @Test func changedFieldThatIsNotSelectedLeavesItsShelf() throws {
        var world = try RandomWorld(seed: 1, plan: "{many:[T!]!{id:ID! b:String}}", records: 300)
        try world.fill(list: 200)
        let old = world.read()
        try world.store.update { try $0.get("T:7")?.setValue(.int(-1), forField: "a") }
        let same = world.read(after: old.dependencies)
        #expect(try #require(old.longList).sections.first === #require(same.longList).sections.first)
        try world.store.update { try $0.get("T:7")?.setValue(.int(8), forField: "b") }
        let new = world.read(after: same.dependencies)
        #expect(try zip(#require(same.longList).shelves, #require(new.longList).shelves).contains { $0 !== $1 })
        #expect(new.data == world.read().data && new.data != old.data)
    }

    @Test func itemsMovedToTheFrontDoNotLeaveOneSectionEach() throws {
        var world = try RandomWorld(seed: 1, plan: "{many:[T!]!{id:ID! a:Int}}", records: 2_000)
        try world.fill(list: 2_000)
        var read = world.read()
        for _ in 0..<40 {
            try world.store.update { source in
                var list = source.root.linkedRecords(forField: "many") ?? []
                list.insert(list.remove(at: list.count / 2), at: 0)
                try source.root.setLinkedRecords(list, forField: "many")
            }
            read = world.read(after: read.dependencies)
        }
        #expect(read.data == world.read().data)
        #expect(try #require(read.longList).sections.count < 12)
    }

    /// Counts the shelves that the reads make, which is the work that may depend on the length.
    @Test func aListThatGrowsIsReadAtItsEnd() throws {
        var world = try RandomWorld(seed: 1, plan: "{many:[T!]!{id:ID! a:Int}}", records: 1_400)
        try world.fill(list: 70)
        var read = world.read()
        var (count, generator) = (70, SeededGenerator(seed: 1))
        while count < 1_400 {
            let grown = min(Int.random(in: 1...90, using: &generator), 1_400 - count)
            count += grown
            try world.store.update { source in
                let list = (0..<count).map { source.get(DataID("T:\($0)")) }
                try source.root.setLinkedRecords(list, forField: "many")
            }
            let new = world.read(after: read.dependencies)
            let (before, after) = try (#require(read.longList), #require(new.longList))
            let known = Set(before.shelves.map(ObjectIdentifier.init))
            let made = after.shelves.filter { !known.contains(ObjectIdentifier($0)) }.count
            #expect(made <= 2 + grown / Spine.length, "\(count)")
            #expect(after.shelves.count == (count + Spine.length - 1) / Spine.length, "\(count)")
            read = new
        }
        #expect(read.data == world.read().data)
    }

    @Test func shelvesMoveWithTheirItems() throws {
        var world = try RandomWorld(seed: 1, plan: "{many:[T!]!{id:ID! a:Int}}", records: 300)
        try world.fill(list: 256)
        let old = world.read()
        // One item more at the front, one less on the second shelf, and the last shelf before the third.
        try world.store.update { source in
            let list = source.root.linkedRecords(forField: "many") ?? []
            let changed = [source.get("T:299")] + list[..<70] + list[71..<128] + list[192...] + list[128..<192]
            try source.root.setLinkedRecords(changed, forField: "many")
        }
        let new = world.read(after: old.dependencies)
        #expect(new.data == world.read().data && new.data != old.data)
        let (before, after) = try (#require(old.longList), #require(new.longList))
        #expect(before.shelves.map { shelf in after.shelves.contains { $0 === shelf } } == [true, false, true, true])
        #expect(Set(new.dependencies.pairs) == Set(world.read().dependencies.pairs))
    }

    /// Half of the sizes are taken over shelf by shelf, and half as a whole section.
    @Test(arguments: [100, 640], [2, 3]) func aPageThatIsRepeatedLeavesNoEntries(_ count: Int, _ times: Int) throws {
        var world = try RandomWorld(seed: 1, plan: "{many:[T!]!{id:ID! a:Int}}", records: 700)
        try world.fill(list: count)
        var read = world.read()
        let subscriber = CountingSubscriber()
        var subscription = world.store.subscribe(subscriber, to: read.dependencies)
        func show(_ change: ([RecordProxy?]) -> [RecordProxy?]) throws {
            try world.store.update { source in
                try source.root.setLinkedRecords(
                    change(source.root.linkedRecords(forField: "many") ?? []), forField: "many")
            }
            let new = world.read(after: read.dependencies)
            #expect(new.data == world.read().data)
            let shelves = new.longList?.shelves ?? []
            #expect(Set(shelves.map(ObjectIdentifier.init)).count == shelves.count)
            subscription = world.store.subscribe(subscriber, to: new.dependencies, replacing: subscription)
            #expect(world.store.checkInvariants() == [])
            read = new
        }
        for _ in 0..<2 {
            try show { list in Array(repeatElement(list, count: times).joined()) }
            try show { list in [list[0]] + list }
            try show { list in Array(list[1...count]) }
        }
        // The last shelf stands before and behind its section.
        try show { list in list.suffix(36) + list + list.suffix(36) }
        try show { list in Array(list.suffix(count)) }
        world.store.unsubscribe(subscription)
        #expect(world.store.checkInvariants() == [])
    }

    @Test func whatIsReadWithAnotherPlanIsReadAnew() throws {
        var world = try RandomWorld(seed: 2, plan: "{many:[T!]!{id:ID! a:Int}}", records: 300)
        try world.fill(list: 200)
        let old = world.read()
        var other = world
        other.rebind()
        let new = other.read(after: old.dependencies)
        #expect(new.data == old.data)
        let (before, after) = try (#require(old.longList), #require(new.longList))
        #expect(before.shelves.count > 1 && zip(before.shelves, after.shelves).allSatisfy { $0 !== $1 })
    }
}

extension ReadResult {
    /// The long list of a plan that has one list.
    var longList: Spine? { dependencies.shelf?.spines.first }
}

extension Spine {
    var shelves: [Shelf] { sections.flatMap(\.shelves) }

    /// For each shelf, the range of its links.
    var ranges: [Range<Int>] {
        zip(sections, sources).flatMap { section, start in
            section.shelves.indices.map { start + section.sources[$0]..<start + section.sources[$0 + 1] }
        }
    }
}

/// Expects that a read has taken over what it could: in a long list with the same links, every shelf of which nothing
/// has changed.
private struct SharedShelves {
    private let epoch: Epoch
    private let version: Records
    private let world: RandomWorld
    /// The number of shelves that had to be taken over.
    private(set) var count = 0

    init(_ new: ReadResult<AnyData>, _ old: ReadResult<AnyData>, _ version: Records, _ world: RandomWorld) {
        (epoch, self.version, self.world) = (old.epoch, version, world)
        // Conditions on abstract types are evaluated again if a type fact was learned since.
        if old.dependencies.usesTypeFacts, world.store.records.facts.changed > old.epoch { return }
        guard let new = new.data?.__row, let old = old.data?.__row else { return }
        compare(new, old, world.items)
    }

    private mutating func compare(
        _ new: GeneratedCode.Row, _ old: GeneratedCode.Row, _ items: [SelectionPlan.Item]
    ) {
        guard new.record == old.record else { return }
        for (index, item) in items.enumerated() {
            let below = RandomWorld.below(item)
            if case .field(let field) = item.kind, case .list = field.type.nullable {
                if let new = new.list(of: index)?.spine, let old = old.list(of: index)?.spine {
                    compare(new, old, below)
                }
            } else if !below.isEmpty, let new = new.child(index), let old = old.child(index) {
                compare(new, old, below)
            }
        }
    }

    private mutating func compare(_ new: Spine, _ old: Spine, _ items: [SelectionPlan.Item]) {
        // A list in too many pieces is read anew.
        let length = Spine.length * Section.length
        guard new.links == old.links, old.sections.count <= 2 * (old.links.count / length) + 8 else { return }
        let (ranges, newShelves) = (old.ranges, new.shelves)
        for (number, shelf) in old.shelves.enumerated() {
            let links = old.links[ranges[number]]
            let reached = links.filter { $0 != .none }.reduce(into: Set<RecordID>()) {
                world.reach($1, items, version, &$0)
            }
            if reached.allSatisfy({ world.store.records.changed($0) <= epoch }) {
                count += 1
                #expect(newShelves[number] === shelf, "\(world.plan)")
                continue
            }
            // An item that was left out moves the others on the shelf.
            guard shelf.count == links.count, newShelves[number].count == links.count else { continue }
            for place in (0..<links.count).map(shelf.index(of:)) {
                let other = newShelves[number]
                guard shelf.exists(at: place), other.exists(at: place) else { continue }
                compare(
                    GeneratedCode.Row(other, at: place, node: other.node),
                    GeneratedCode.Row(shelf, at: place, node: shelf.node), items)
            }
        }
    }
}

/// A store with records that refer to each other at random, a plan, and changes.
struct RandomWorld {
    var generator: SeededGenerator
    let plan: String
    let store = Store()
    let items: [SelectionPlan.Item]
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
        store.acceptValuesOfAnyType()
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

    func read(after previous: Dependencies? = nil) -> ReadResult<AnyData> {
        store.read(AnyData.self, at: operation.root, operation.reader, after: previous)
    }

    /// Returns what a read of the plan shows, with types; nil if it has no data.
    func json(_ snapshot: ReadResult<AnyData>) -> JSONValue? { snapshot.data?.json(items, types: true) }

    /// Returns the parts that a read does not show, with the reasons.
    func holes() -> [Hole] {
        HoleSearch.holes(in: store.records, at: operation.root, operation.reader.plan, limit: .max)
    }

    static func below(_ item: SelectionPlan.Item) -> [SelectionPlan.Item] {
        switch item.kind {
        case .field(let field): field.selections
        case .inline(_, let selections): selections
        case .spread: []
        }
    }

    /// Finds the records that a read of the items of a record can visit.
    func reach(
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
        if chance(15) { selected.append("key=__id:ID!\(catches())") }
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
        let links = randomLinks(isLong: isRoot)
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
            case 0..<4:
                let value: JSONValue = position < 10 ? .null : .int(number)
                try record(id).setValue(value, forField: ["a", "b"][number % 2])
            case 4: try record(id).setValue(number == 0 ? .null : .string("text \(number)"), forField: "s")
            case 5: if number < 3 { try source.delete(id) }
            case 6: try target.setLinkedRecords(try links.map { try $0.map(record) }, forField: field)
            case 7: try target.setLinkedRecord(number == 0 ? nil : try record(id), forField: "one")
            default:
                // Inserts, removes or moves one item somewhere in a list.
                var list = target.linkedRecords(forField: field) ?? []
                let index = list.isEmpty ? 0 : position % list.count
                switch kind {
                case 8: list.insert(try record(id), at: index)
                case 9 where number == 0 && list.count < 100: list += list
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
                guard let list = source.root.linkedRecords(forField: "many"), list.count > 1 else { return }
                try source.root.setLinkedRecords(Array(list.reversed()), forField: "many")
            })
    }

    /// The lists of the root are sometimes long.
    private mutating func randomLinks(isLong: Bool) -> [DataID?] {
        let count = [0, 2, 5, 20, isLong ? 80 : 16].randomElement(using: &generator) ?? 0
        return (0..<count).map { _ in
            Int.random(in: 0..<30, using: &generator) == 0 ? nil : ids.randomElement(using: &generator)
        }
    }

    /// Lands a response in which a field has an error, or has its value again.
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

    /// Lands a response that shows whether objects of a type are an `N`.
    private func learn(_ number: Int) throws {
        let plan = "{probe:*U{<*N>{b:Int}}}"
        let operation = Self.bind(plan, in: store)
        let type = number % 2 == 0 ? "T" : "U"
        let mark = number < 2 ? #","__isN":"\#(type)","b":\#(number)"# : ""
        try store.write(#"{"data":{"probe":{"__typename":"\#(type)"\#(mark)}}}"#, for: operation)
    }
}
