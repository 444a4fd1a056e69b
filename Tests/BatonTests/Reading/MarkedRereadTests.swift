import Testing

@testable import Baton

/// Plans with `@required`, `@catch`, `@throwOnFieldError`, `@defer` and client fields. They are read again item by
/// item, and report the errors of all items.
@Suite struct MarkedRereadTests {
    @Test(arguments: 0..<30) func readingAgainIsReading(_ seed: Int) throws {
        for round in 0..<6 {
            var world = try RandomWorld(seed: UInt64(seed * 100 + round), marks: true)
            var old = world.read()
            for _ in 0..<25 {
                for _ in 0..<Int.random(in: 0...3, using: &world.generator) { try world.change() }
                let new = world.read(after: old.dependencies)
                let full = world.read()
                #expect(new.data == full.data, "\(world.plan)")
                #expect(new.isMissingData == full.isMissingData, "\(world.plan)")
                #expect(new.dependencies.pairs == full.dependencies.pairs, "\(world.plan)")
                #expect(new.problems?.failure == full.problems?.failure, "\(world.plan)")
                #expect(new.problems?.logged == full.problems?.logged, "\(world.plan)")
                old = new
            }
        }
    }

    private static let catching = "{many:[T!]!{id:ID! a:Int@required(LOG)@catch(RESULT) s:String@catch(RESULT)}}"
    private static let throwing = "@throwOnFieldError{many:[T]!{id:ID! a:Int s:String@required(LOG)}}"

    /// Returns the number of rows that share their storage with a row of the other read.
    private func kept(_ new: Snapshot<TreeFields>, _ old: Snapshot<TreeFields>) throws -> Int {
        let before = try #require(old.data?.lists.last?.items).compactMap { $0?.__row }
        let after = try #require(new.data?.lists.last?.items).compactMap { $0?.__row }
        return after.count { row in before.contains { $0.isSame(as: row) } }
    }

    @Test func oneChangedItemLeavesTheOthers() throws {
        var world = try RandomWorld(seed: 1, plan: Self.catching, records: 40)
        try world.fill(list: 40)
        let old = world.read()
        try world.store.update { try $0.get("T:7")?.setValue(.int(-1), forField: "a") }
        let new = world.read(after: old.dependencies)
        #expect(try kept(new, old) == 39)
        #expect(new.data == world.read().data)
        // No object has text. Each item has caught that error, so it can be reused only at its place.
        #expect(new.dependencies.lists.first?.placedItems.count == 40)
    }

    @Test func whatHasCaughtAnErrorIsReadAgainWhereItMoves() throws {
        var world = try RandomWorld(seed: 1, plan: Self.catching, records: 40)
        try world.fill(list: 40)
        try world.store.update { source in
            for id in 0..<40 where id != 3 { try source.get(DataID("T:\(id)"))?.setValue(.string("t"), forField: "s") }
        }
        let old = world.read()
        try world.store.update { source in
            var users = source.root.linkedRecords("many") ?? []
            users.insert(users.remove(at: 9), at: 0)
            try source.root.setLinkedRecords(users, forField: "many")
        }
        let new = world.read(after: old.dependencies)
        let full = world.read()
        #expect(new.data == full.data)
        let text = "\(new.data?.json ?? .null)"
        #expect(text.contains("many.4.s") && !text.contains("many.3.s"))
        #expect(try kept(new, old) == 39, "all but the one whose error says where it stands")
    }

    @Test func errorsOfItemsThatAreTakenOverAreToldAgain() throws {
        var world = try RandomWorld(seed: 1, plan: Self.throwing, records: 40)
        try world.fill(list: 40)
        let old = world.read()
        try world.store.update { try $0.get("T:7")?.setValue(.string("t"), forField: "s") }
        let new = world.read(after: old.dependencies)
        let full = world.read()
        #expect(old.problems?.logged.count == 40)
        #expect(new.problems?.logged.count == 39)
        #expect(new.problems?.logged == full.problems?.logged)
        #expect(new.problems?.failure != nil && new.problems?.failure == full.problems?.failure)
    }
}
