import RandomCases
import Testing

@testable import Baton

/// Plans with `@required`, `@catch`, `@throwOnFieldError`, `@defer` and client fields. They are read again shelf by
/// shelf, and report the errors of all items.
@Suite struct MarkedRereadTests {
    @Test(arguments: RandomCases.seeds(10)) func readingAgainIsReading(_ seed: Int) throws {
        for round in 0..<6 {
            var world = try RandomWorld(seed: UInt64(seed * 100 + round), marks: true)
            var old = world.read()
            var shown = world.json(old)
            for _ in 0..<25 {
                for _ in 0..<Int.random(in: 0...3, using: &world.generator) { try world.change() }
                let new = world.read(after: old.dependencies)
                let full = world.read()
                #expect(new.data == full.data, "\(world.plan)")
                let json = world.json(new)
                #expect(json == world.json(full), "\(world.plan)")
                #expect((new.data == old.data) == (json == shown), "\(world.plan)")
                #expect(new.isMissingData == full.isMissingData, "\(world.plan)")
                #expect(Set(new.dependencies.pairs) == Set(full.dependencies.pairs), "\(world.plan)")
                #expect(new.problems?.failure == full.problems?.failure, "\(world.plan)")
                #expect(new.problems?.logged == full.problems?.logged, "\(world.plan)")
                (old, shown) = (new, json)
            }
        }
    }

    private static let catching = "{many:[T!]!{id:ID! a:Int@required(LOG)@catch(RESULT) s:String@catch(RESULT)}}"
    private static let throwing = "@throwOnFieldError{many:[T]!{id:ID! a:Int s:String@required(LOG)}}"

    /// Returns the number of shelves that the other read has too.
    private func kept(_ new: ReadResult<AnyData>, _ old: ReadResult<AnyData>) throws -> Int {
        let before = try #require(old.longList)
        return try #require(new.longList).shelves.count { shelf in before.shelves.contains { $0 === shelf } }
    }

    /// Makes a list of 200 items, and gives some of them a text.
    private func fill(_ world: inout RandomWorld, texts: (Int) -> Bool) throws {
        try world.fill(list: 200)
        try world.store.update { source in
            for id in 0..<200 where texts(id) {
                try source.get(DataID("T:\(id)"))?.setValue(.string("t"), forField: "s")
            }
        }
    }

    @Test func oneChangedItemLeavesTheOtherShelves() throws {
        var world = try RandomWorld(seed: 1, plan: Self.catching, records: 200)
        try fill(&world) { _ in true }
        let old = world.read()
        try world.store.update { try $0.get("T:7")?.setValue(.int(-1), forField: "a") }
        let new = world.read(after: old.dependencies)
        #expect(try kept(new, old) == 3)
        #expect(new.data == world.read().data)
    }

    @Test func whatHasCaughtAnErrorIsReadAgainWhereItMoves() throws {
        var world = try RandomWorld(seed: 1, plan: Self.catching, records: 200)
        try fill(&world) { $0 != 70 }
        let old = world.read()
        try world.store.update { source in
            var users = source.root.linkedRecords(forField: "many") ?? []
            users.insert(users.removeLast(), at: 0)
            try source.root.setLinkedRecords(users, forField: "many")
        }
        let new = world.read(after: old.dependencies)
        let full = world.read()
        #expect(new.data == full.data)
        #expect(world.json(new) == world.json(full))
        let text = "\(world.json(new) ?? .null)"
        #expect(text.contains("many.71.s") && !text.contains("many.70.s"))
        #expect(try kept(new, old) == 2, "all whole ones but the one with the error that says where it stands")
    }

    @Test func errorsOfItemsThatAreTakenOverAreToldAgain() throws {
        var world = try RandomWorld(seed: 1, plan: Self.throwing, records: 200)
        try fill(&world) { (64..<128).contains($0) }
        let old = world.read()
        try world.store.update { try $0.get("T:7")?.setValue(.string("t"), forField: "s") }
        let new = world.read(after: old.dependencies)
        let full = world.read()
        #expect(old.problems?.logged.count == 136)
        #expect(new.problems?.logged.count == 135)
        #expect(new.problems?.logged == full.problems?.logged)
        #expect(new.problems?.failure != nil && new.problems?.failure == full.problems?.failure)
        #expect(try kept(new, old) == 1, "the shelf without errors")
    }
}
