import Testing

@testable import Baton

/// What the change of a record costs while something holds its block, and what remains of it afterwards.
@Suite(.timeLimit(.minutes(20))) struct HeldRowTests {
    private func blocks(of store: Store) -> [RecordBlock] {
        store.records.blocks.filter { $0 !== Records.noBlock }
    }

    private static func filled(_ count: Int) throws -> Store {
        let store = Store()
        let operation = store.bind(Films.ListQuery())
        store.operations.retain(operation)
        try store.write(Films.list(count), for: operation)
        return store
    }

    @Test func aChangeCopiesOneRow() throws {
        let store = try Self.filled(1000)
        let held = store.records
        try store.update { try $0.get("500")?.setValue("Other", forField: "title") }
        let records = store.records
        #expect(records.blocks.count == held.blocks.count + 1)
        #expect(zip(held.blocks, records.blocks).allSatisfy { $0 === $1 }, "no block was copied")
        #expect(records.blocks.last?.count == 1)
        #expect(records.directory.deadRows == 1)
        #expect(store.checkInvariants() == [])
        // Later changes of rows of held blocks join the new block, as long as nothing holds it.
        let blocks = held.blocks
        withExtendedLifetime(blocks) {
            _ = try? store.update { for id in 10..<20 { try $0.get("\(id)")?.setValue("New", forField: "title") } }
        }
        #expect(store.records.blocks.count <= held.blocks.count + 2)
        #expect(store.checkInvariants() == [])
    }

    @Test func aChangeOfARowThatNothingHoldsIsMadeInPlace() throws {
        let store = try Self.filled(1000)
        let before = store.records.blocks.map { ObjectIdentifier($0) }
        let slot = store.records.slot(of: try #require(store.record("500")))
        try store.update { try $0.get("500")?.setValue("Other", forField: "title") }
        let records = store.records
        #expect(records.blocks.map { ObjectIdentifier($0) } == before)
        let after = records.slot(of: try #require(store.record("500")))
        #expect(after.block == slot.block && after.row == slot.row)
    }

    @Test func manyChangesOfHeldRowsShareBlocks() throws {
        let store = try Self.filled(1000)
        let held = store.records
        let changed = Films.list(1000, favourites: Set(stride(from: 1, through: 1000, by: 3)))
        try store.write(changed, for: store.bind(Films.ListQuery()))
        let known = Set(held.blocks.map { ObjectIdentifier($0) })
        let new = blocks(of: store).filter { !known.contains(ObjectIdentifier($0)) }
        // The new root record, and the changed films.
        #expect(new.count <= 1 + (334 + RecordBlock.rows - 1) / RecordBlock.rows)
        #expect(store.checkInvariants() == [])
    }

    @Test func singleChangesOfHeldRowsArePackedAgain() throws {
        let count = 1280
        let store = try Self.filled(count)
        let full = blocks(of: store).count
        var held: [ObjectIdentifier: RecordBlock] = [:]
        for number in 1...count {
            for block in store.records.blocks { held[ObjectIdentifier(block)] = block }
            try store.update { try $0.get(DataID("\(number)"))?.setValue(.string("New \(number)"), forField: "title") }
        }
        #expect(blocks(of: store).count >= count, "each change found a block that was held")
        #expect(store.checkInvariants() == [])
        // Packing helps as long as the blocks are held.
        _ = store.collector.collectGarbage()
        #expect(blocks(of: store).count <= 2 * full)
        #expect(store.checkInvariants() == [])
        held = [:]
        _ = store.collector.collectGarbage()
        #expect(blocks(of: store).count <= full + 1)
        #expect(store.records.directory.deadRows == 0)
        #expect(store.checkInvariants() == [])
        let films = store.read(Films.ListQuery()).data?.films
        #expect(films?.count == count)
    }

    /// A store whose records are spread over too many blocks packs them without collecting anything.
    @Test func spreadRecordsArePackedUnasked() async throws {
        let stage = Stage()
        let environment = stage.environment
        try environment.store.write(Films.list(640), for: environment.store.bind(Films.ListQuery()))
        let full = blocks(of: environment.store).count
        var held: [ObjectIdentifier: RecordBlock] = [:]
        var most = 0
        for round in 0..<2 {
            for number in 1...640 {
                for block in environment.store.records.blocks { held[ObjectIdentifier(block)] = block }
                try environment.update {
                    try $0.get(DataID("\(number)"))?.setValue(.string("\(round)"), forField: "title")
                }
                await stage.settle()
                most = max(most, blocks(of: environment.store).count)
            }
        }
        #expect(most > full + GrowthCount.smallestSpread)
        #expect(most <= 4 * full + 2 * GrowthCount.smallestSpread)
        #expect(environment.store.checkInvariants() == [])
        #expect(environment.store.records.rowCount == 642, "nothing was collected")
        #expect(!stage.log.events.contains { if case .collected = $0 { true } else { false } })
    }

    /// Counts the objects that are freed.
    private final class Tracked: Sendable {
        private let freed: CountingSubscriber
        init(_ freed: CountingSubscriber) { self.freed = freed }
        deinit { freed.storeDidChange(at: 0) }
    }

    /// A converted scalar of a dead row is not freed where a lock is held.
    @Test func valuesOfDeadRowsAreRetired() throws {
        let names = NameTable()
        let (type, shape) = (names.type("T"), names.shape([names.key("a")]))
        let freed = CountingSubscriber()
        func scalar() -> Value { .scalar(ConvertedScalar(value: Tracked(freed), json: "x")) }
        func record(_ number: UInt32) -> RecordID { RecordID(number) }
        for way in 0..<3 {
            let before = freed.count
            var records = Records()
            var retired = Retired()
            records.replace(record(1), type, shape, [scalar()], changed: 1, &retired)
            records.replace(record(2), type, shape, [.int(2)], changed: 1, &retired)
            var held: RecordBlock? = records.block(at: records.slot(of: record(1)))
            records.delete(record(1), changed: 2, &retired)
            #expect(retired.values.isEmpty)
            #expect(records.directory.deadRows == 1)
            #expect(held != nil)
            held = nil
            switch way {
            case 0: records.replace(record(3), type, shape, [.int(3)], changed: 3, &retired)
            case 1: #expect(records.clearDeadRows(from: 0, limit: 10, &retired) == nil)
            default: records.delete(record(2), changed: 3, &retired)
            }
            #expect(records.directory.deadRows == 0)
            #expect(freed.count == before)
            retired = Retired()
            #expect(freed.count == before + 1)
        }
    }
}
