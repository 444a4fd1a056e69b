import Testing

@testable import Baton

@Suite struct UpdateTests {
    private static func filled() throws -> Store {
        let store = Store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        return store
    }

    @Test func proxiesReadAndWriteEveryKind() throws {
        let store = try Self.filled()
        let (_, summary) = try store.update { records in
            let hero = try #require(records.root.linkedRecord(forField: "hero", arguments: ["episode": "JEDI"]))
            #expect(hero.dataID == "2001")
            #expect(hero.typename == "Droid")
            #expect(hero.value(forField: "mass") == 32)
            #expect(hero.value(forField: "tags") == [["a", "b"], []])
            #expect(hero.value(forField: "born") == "1977-05")
            #expect(hero.value(forField: "ship") == nil)
            #expect(
                hero.linkedRecords(forField: "friends", arguments: ["first": 2])?.map { $0?.dataID } == [
                    "1000", nil, "2001",
                ])
            try hero.setValue(33, forField: "mass")
            try hero.setValue([["c"]], forField: "tags")
            try hero.setValue("2000-01", forField: "born")
            try hero.setValue(["a": 1], forField: "home")
            #expect(hero.value(forField: "mass") == 33)
            let leia = try records.create("1003", type: "Human")
            try leia.setValue("Leia", forField: "name")
            try leia.setValue("1003", forField: "id")
            try hero.setLinkedRecords([leia, nil], forField: "friends", arguments: ["first": 2])
            let ship = try hero.getOrCreateLinkedRecord(forField: "ship", type: "Ship")
            try ship.setValue("Falcon", forField: "title")
            #expect(throws: UpdateError.exists("1003")) { try records.create("1003", type: "Human") }
        }
        #expect(summary.recordsChanged == 3)
        let hero = try #require(store.read(HeroQuery()).data?.hero)
        #expect(hero.mass == 33)
        #expect(hero.tags == [["c"]])
        #expect(hero.born == Day(year: 2000, month: 1))
        #expect(hero.home == #"{"a":1}"#)
        #expect(hero.friends?.map { $0?.name } == ["Leia", nil])
        #expect(store.dump().contains("client:2001:ship.title = \"Falcon\""))
    }

    @Test func deletedRecordsReadAsNullAndAreNotMissing() throws {
        let store = try Self.filled()
        try store.update { records in
            try records.delete("1000")
            #expect(records.get("1000") == nil)
            let hero = try #require(records.get("2001"))
            #expect(
                hero.linkedRecords(forField: "friends", arguments: ["first": 2])?.map { $0?.dataID } == [
                    nil, nil, "2001",
                ])
        }
        let snapshot = store.read(HeroQuery())
        #expect(snapshot.data?.hero?.friends?.map { $0?.name } == [nil, nil, "R2-D2"])
        #expect(!snapshot.isMissingData)
        if case .missing = store.check(store.bind(HeroQuery())) { Issue.record("a deleted record is not missing") }
        try store.update { records in
            let again = try records.create("1000", type: "Human")
            #expect(again.value(forField: "name") == nil)
        }
        #expect(store.read(HeroQuery()).isMissingData)
    }

    @Test func aFailedUpdateChangesNothing() throws {
        struct Refusal: Error {}
        let store = try Self.filled()
        let before = store.dump()
        #expect(throws: Refusal.self) {
            try store.update { records in
                try records.root.setValue(1, forField: "x")
                try records.delete("1000")
                throw Refusal()
            }
        }
        #expect(store.dump() == before)
    }

    @Test func proxiesAreHarmlessAfterTheUpdate() throws {
        let store = try Self.filled()
        var kept: (RecordSourceProxy, RecordProxy)?
        try store.update { records in kept = (records, try #require(records.get("2001"))) }
        let (records, hero) = try #require(kept)
        #expect(records.get("2001") == nil)
        #expect(hero.value(forField: "mass") == nil)
        #expect(hero.typename == nil)
        #expect(throws: UpdateError.ended) { try hero.setValue(1, forField: "mass") }
        #expect(throws: UpdateError.ended) { try records.create("9", type: "X") }
        #expect(throws: UpdateError.ended) { try records.delete("2001") }
        #expect(throws: UpdateError.ended) { try hero.getOrCreateLinkedRecord(forField: "ship", type: "Ship") }
        #expect(throws: UpdateError.ended) { try hero.invalidate() }
        try store.update { other in
            let own = try #require(other.get("2001"))
            #expect(throws: UpdateError.foreignRecord("2001")) { try own.setLinkedRecord(hero, forField: "friend") }
            try other.delete("2001")
            #expect(throws: UpdateError.deleted("2001")) { try own.setValue(1, forField: "mass") }
        }
    }

    @Test func nestedUpdatesLandInTheOrderInWhichTheyEnd() throws {
        let store = try Self.filled()
        try store.update { outer in
            try store.update { inner in
                try inner.get("2001")?.setValue(1, forField: "mass")
                try inner.get("2001")?.setValue("inner", forField: "name")
            }
            #expect(outer.get("2001")?.value(forField: "mass") == 32)
            try outer.get("2001")?.setValue(2, forField: "mass")
        }
        let hero = store.read(HeroQuery()).data?.hero
        #expect(hero?.mass == 2)
        #expect(hero?.name == "inner")
    }

    @Test func anUpdaterSeesTheAnswerAndLandsWithIt() throws {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Like", kind: .mutation, text: "",
            normalization: "{like:+Film{id:ID! likes:Int} all:[+Film]{id:ID!}}", reader: "{}")
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        let other = store.bind(artifact, variables: .object([]))
        #expect(operation !== other)
        #expect(operation.root != other.root)
        let staged = try store.normalize(
            Array(#"{"data":{"like":{"id":"1","likes":4},"all":[{"id":"1"},null]}}"#.utf8), for: operation)
        let epoch = store.epoch
        try store.publish(staged, for: operation) { records in
            let film = try #require(records.rootField("like"))
            #expect(film.value(forField: "likes") == 4)
            #expect(records.pluralRootField("all")?.map { $0?.dataID } == ["1", nil])
            try records.root.setLinkedRecord(film, forField: "lastLiked")
            try film.setValue(5, forField: "likes")
        }
        #expect(store.epoch == epoch + 1)
        #expect(store.dump().contains("1.likes = 5"))
        #expect(store.dump().contains("client:root.lastLiked = \"-> 1\""))
    }

    @Test func copiedFieldsDoNotCopyTheIdentity() throws {
        let store = try Self.filled()
        try store.update { records in
            let copy = try records.create("copy", type: "Droid")
            try copy.setValue("copy", forField: "id")
            try copy.copyFields(from: try #require(records.get("2001")))
            #expect(copy.value(forField: "id") == "copy")
            #expect(copy.value(forField: "mass") == 32)
        }
    }
}
