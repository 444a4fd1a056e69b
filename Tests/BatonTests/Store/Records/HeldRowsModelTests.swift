import RandomCases
import Testing

@testable import Baton

/// Whatever holds a version or a block keeps reading what it read first, and the newest version is what was written.
@Suite(.timeLimit(.minutes(20))) struct HeldRowsModelTests {
    /// A version and a naive copy of all that it says.
    private struct HeldVersion {
        let records: Records
        let copies: [(record: RecordID, state: Records.State, type: TypeID, keys: [StorageKeyID], values: [Value])]

        init(_ records: Records) {
            self.records = records
            copies = records.known.map { record in
                (
                    record, records.state(of: record), records.type(of: record), records.shape(of: record).keys,
                    records.values(of: record)
                )
            }
        }

        func check() {
            for copy in copies {
                #expect(records.state(of: copy.record) == copy.state)
                #expect(records.type(of: copy.record) == copy.type)
                #expect(records.shape(of: copy.record).keys == copy.keys)
                let row = records.row(of: copy.record)
                for (position, value) in copy.values.enumerated() {
                    #expect(row.value(at: position)?.pointee.isIdentical(to: value) == true)
                }
            }
            #expect(records.rowCount == copies.count { $0.state == .existing })
        }
    }

    /// A single block and a naive copy of the rows that had a record when it was taken.
    private struct HeldBlock {
        let block: RecordBlock
        let borrowed: BorrowedBlock
        let rows: [(row: Int, values: [Value])]

        init(_ records: Records, _ index: Int) {
            let block = records.blocks[index]
            self.block = block
            borrowed = records.borrowedBlocks[index]
            rows = records.known.compactMap { record in
                let slot = records.slot(of: record)
                guard slot.state == .existing, Int(slot.block) == index else { return nil }
                return (Int(slot.row), Array(block.row(Int(slot.row))))
            }
        }

        func check() {
            #expect(borrowed.isBorrowed(from: block), "a block that is held does not grow")
            for (row, values) in rows {
                for (position, value) in values.enumerated() {
                    let held = BorrowedRow(borrowed, row: row).value(at: position)
                    #expect(held?.pointee.isIdentical(to: value) == true)
                }
            }
        }
    }

    private struct World {
        let store = Store()
        var random: SeededGenerator
        /// The expected fields of each existing record.
        var expected: [String: [String: Value]] = [:]
        var versions: [HeldVersion] = []
        var blocks: [HeldBlock] = []
        let ids = (0..<700).map { "t\($0)" }

        private static func artifact(_ plan: String) -> GeneratedCode.OperationArtifact {
            .init(name: "Q", kind: .query, text: "", normalization: plan, reader: plan)
        }

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            let all = store.bind(Self.artifact("{all:[+T]{id:ID!}}"), variables: .object([]))
            // The list keeps all records for collections.
            store.operations.retain(all)
            let items = ids.map { #"{"id":"\#($0)"}"# }
            try store.write(#"{"data":{"all":[\#(items.joined(separator: ","))]}}"#, for: all)
            for id in ids { expected[id] = ["id": .string(id)] }
        }

        private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        private mutating func anyID() -> String { ids[number(ids.count)] }

        /// Lands a response that has some of the fields of some records. A deleted record comes back with these fields.
        private mutating func answer() throws {
            let fields = ["a", "b", "c"].filter { _ in Bool.random(using: &random) }
            let selected = (["id:ID!"] + fields.map { "\($0):Int" }).joined(separator: " ")
            let plan = "{some:[+T]{\(selected)}}"
            let operation = store.bind(Self.artifact(plan), variables: .object([]))
            let count = Bool.random(using: &random) ? 300 : 4
            var items: [String] = []
            for id in Set((0..<count).map { _ in anyID() }) {
                var item = #"{"id":"\#(id)""#
                expected[id, default: ["id": .string(id)]]["id"] = .string(id)
                for field in fields {
                    let value = number(3)
                    item += #","\#(field)":\#(value)"#
                    expected[id]?[field] = .int(value)
                }
                items.append(item + "}")
            }
            try store.write(#"{"data":{"some":[\#(items.joined(separator: ","))]}}"#, for: operation)
        }

        private mutating func update() throws {
            var changes: [(id: String, field: String, value: String)] = []
            for _ in 0...number(3) { changes.append((anyID(), ["a", "d"][number(2)], "text \(number(5))")) }
            try store.update { source in
                for (id, field, value) in changes {
                    try source.get(DataID(id))?.setValue(.string(value), forField: field)
                }
            }
            for (id, field, value) in changes { expected[id]?[field] = .string(value) }
        }

        private mutating func delete() throws {
            for _ in 0...number(20) {
                let id = anyID()
                try store.update { try $0.delete(DataID(id)) }
                expected[id] = nil
            }
        }

        mutating func step() throws {
            switch number(16) {
            case 0..<4: try answer()
            case 4..<8: try update()
            case 8: try delete()
            case 9: versions.append(HeldVersion(store.records))
            case 10:
                let records = store.records
                let index = number(records.blocks.count)
                if records.blocks[index] !== Records.noBlock { blocks.append(HeldBlock(records, index)) }
            case 11: if !versions.isEmpty { versions.remove(at: number(versions.count)).check() }
            case 12: if !blocks.isEmpty { blocks.remove(at: number(blocks.count)).check() }
            case 13: store.collector.beginPacking()
            case 14: store.collector.begin(.release)
            default:
                for _ in 0...number(40) {
                    _ = store.collector.collectSlice(
                        CollectionWork(marking: 200, looking: 200, sweeping: 20, packing: 1))
                }
            }
        }

        func check() {
            for version in versions { version.check() }
            for block in blocks { block.check() }
            #expect(store.checkInvariants() == [])
            let existing = store.contents().filter { $0.type != nil && $0.id != DataID.root }
            #expect(existing.count == expected.count)
            for contents in existing {
                let fields = expected[contents.id.rawValue] ?? [:]
                #expect(contents.fields.count == fields.count, "\(contents.id)")
                for (key, value) in contents.fields {
                    #expect(fields[key.rawValue]?.isIdentical(to: value) == true, "\(contents.id) \(key)")
                }
            }
        }
    }

    @Test(arguments: RandomCases.seeds(4)) func holdersSeeNoChange(_ seed: Int) throws {
        var world = try World(seed: UInt64(seed) + 77)
        for round in 0..<300 {
            try world.step()
            if round % 25 == 24 { world.check() }
        }
        world.versions = []
        world.blocks = []
        _ = world.store.collector.collectGarbage()
        world.check()
        #expect(world.store.records.directory.deadRows == 0)
    }

    // MARK: - Records that get more and more fields

    /// A root with hundreds of fields, under layers that come and go.
    private struct GrowingWorld {
        let store: Store
        var random: SeededGenerator
        /// The expected values by `n`, without the layers.
        var expected: [Int: Int] = [:]
        var layers: [(id: LayerID, changes: [Int: Int])] = []
        var versions: [HeldVersion] = []
        var blocks: [HeldBlock] = []
        var operations: [BoundOperation] = []

        private static let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "", normalization: "(n){value(n:$n):Int}")

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            store = Store()
        }

        init(seed: UInt64, over base: StoreBase, expected: [Int: Int]) {
            random = SeededGenerator(seed: seed)
            store = Store(over: base)
            self.expected = expected
        }

        private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

        /// Lands a response that nearly always brings a new field.
        private mutating func answer() throws {
            let (n, value) = (number(1 << 20), number(3))
            let operation = store.bind(Self.artifact, variables: ["n": .int(n)])
            if number(4) == 0 {
                store.operations.retain(operation)
                operations.append(operation)
            }
            try store.write(#"{"data":{"value":\#(value)}}"#, for: operation)
            expected[n] = value
        }

        /// Fields, of which some are new and some are there.
        private mutating func changes() -> [Int: Int] {
            var changes: [Int: Int] = [:]
            for _ in 0...number(3) {
                let known = expected.keys.min { ($0 &* 31) % 997 < ($1 &* 31) % 997 }
                let n = number(2) == 0 ? number(1 << 20) : known ?? 0
                changes[n] = number(100)
            }
            return changes
        }

        private static func set(_ changes: [Int: Int], _ source: RecordSourceProxy) throws {
            for (n, value) in changes {
                try source.root.setValue(.int(value), forField: "value", arguments: ["n": .int(n)])
            }
        }

        mutating func step() throws {
            switch number(20) {
            case 0..<10: for _ in 0..<20 { try answer() }
            case 10..<12:
                let changes = changes()
                try store.update { try Self.set(changes, $0) }
                expected.merge(changes) { $1 }
            case 12:
                let changes = changes()
                layers.append((store.apply { try Self.set(changes, $0) }, changes))
            case 13: if !layers.isEmpty { store.drop(layers.remove(at: number(layers.count)).id) }
            case 14, 15: versions.append(HeldVersion(store.records))
            case 16:
                let records = store.records
                let index = Int(records.slot(of: .root).block)
                if records.state(of: .root) == .existing { blocks.append(HeldBlock(records, index)) }
            case 17: if !versions.isEmpty { versions.remove(at: number(versions.count)).check() }
            case 18: if !blocks.isEmpty { blocks.remove(at: number(blocks.count)).check() }
            default: if let operation = operations.popLast() { store.operations.releaseWithoutBuffer(operation) }
            }
        }

        func check() {
            for version in versions { version.check() }
            for block in blocks { block.check() }
            #expect(store.checkInvariants() == [])
            var shown = expected
            for layer in layers { shown.merge(layer.changes) { $1 } }
            let fields = store.contents().first { $0.id == DataID.root }?.fields ?? []
            let root = Dictionary(fields.map { ($0.key.rawValue, $0.value) }) { $1 }
            #expect(root.count == shown.count)
            for (n, value) in shown { #expect(root["value(n:\(n))"]?.isIdentical(to: .int(value)) == true) }
        }
    }

    @Test(arguments: RandomCases.seeds(3)) func holdersOfGrowingRecordsSeeNoChange(_ seed: Int) throws {
        var world = GrowingWorld(seed: UInt64(seed) + 3)
        for round in 0..<120 {
            try world.step()
            if round % 10 == 9 { world.check() }
        }
        #expect(world.expected.count > 3 * Shape.growingFrom)
        _ = world.store.collector.collectGarbage()
        for version in world.versions { version.check() }
        #expect(world.store.checkInvariants() == [])
    }

    /// Each store over a base gives its new keys the numbers that the others give to theirs.
    @Test func storesOverABaseGrowOnTheirOwn() throws {
        var first = GrowingWorld(seed: 1)
        for _ in 0..<40 { try first.step() }
        let base = first.store.base
        let held = HeldVersion(base.records)
        var others = (0..<3).map { GrowingWorld(seed: 10 + $0, over: base, expected: first.expected) }
        for _ in 0..<20 {
            for index in others.indices { try others[index].step() }
            try first.step()
        }
        for world in others + [first] { world.check() }
        held.check()
    }

    /// Of two blocks that continue one, only the first shares its values.
    @Test func onlyOneBlockContinuesAnother() {
        let names = NameTable()
        let keys = (0..<300).map { names.key("value(n:\($0))") }
        let block = RecordBlock(.none, names.shape(Array(keys[..<260])))
        _ = block.addRow()
        block[0, 7] = .int(7)
        func extended(_ block: RecordBlock, by keys: [StorageKeyID], _ value: Int) -> RecordBlock {
            let shape = names.shape(block.shape, adding: keys)
            let result = RecordBlock(shape, extending: block, 0, owner: ObjectIdentifier(names))
            result[0, shape.count - 1] = .int(value)
            return result
        }
        let long = extended(block, by: [keys[260]], 1)
        let (left, right) = (extended(long, by: [keys[261]], 2), extended(long, by: [keys[262]], 3))
        #expect(left.values == long.values)
        #expect(right.values != long.values)
        for (end, last, value) in [(left, keys[261], 2), (right, keys[262], 3)] {
            #expect(end.shape.keys == Array(keys[...260]) + [last])
            #expect(end.shape.position(of: last) == 261)
            #expect(end[0, 7].isIdentical(to: .int(7)))
            #expect(end[0, 261].isIdentical(to: .int(value)))
        }
        #expect(left.shape.position(of: keys[262]) == nil)
        #expect(long.shape.position(of: keys[261]) == nil)
    }
}
