import StoreModel
import Testing

@testable import Baton

@Suite struct StoreTests {
    @Test func readsWhatWasWritten() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        #expect(store.missingPath(operation) == ["hero"])
        let summary = try store.write(HeroQuery.answer, for: operation)
        #expect(summary.recordsWritten == 4)
        #expect(summary.recordsChanged == 4)
        let snapshot = store.read(HeroQuery())
        let hero = try #require(snapshot.data?.hero)
        #expect(!snapshot.isMissingData)
        #expect(hero.typename == "Droid")
        #expect(hero.name == "R2-D2")
        #expect(hero.friends?.map { $0?.name } == ["Luke", nil, "R2-D2"])
        #expect(hero.asDroid?.primaryFunction == "Astromech")
        #expect(hero.mass == 32)
        #expect(hero.tags == [["a", "b"], []])
        #expect(hero.episode == .unknown("EMPIRE"))
        #expect(hero.born == Day(year: 1977, month: 5))
        #expect(hero.home == #"{"planet":"Naboo"}"#)
        let pilot = try #require(hero.pilotShip.flatMap { store.bind($0) })
        let ship = store.read(PilotShip.Data.self, at: pilot.record, pilot.selections)
        #expect(ship.data?.ship?.length == 12.5)
        #expect(store.check(operation) == .available(fetchedAt: nil))
        #expect(hero.pilotShip?.dataID == "2001")
        #expect(store.json(of: operation)["hero"]?["ship"] == ["title": "X-Wing", "length": 12.5])
    }

    @Test func theSamePayloadChangesNothingTheSecondTime() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        try store.write(HeroQuery.answer, for: operation)
        let subscriber = CountingSubscriber()
        _ = store.subscribe(subscriber, to: store.read(HeroQuery()).dependencies)
        let before = store.dump()
        let summary = try store.write(HeroQuery.answer, for: operation)
        #expect(summary.recordsWritten == 4)
        #expect(summary.recordsChanged == 0)
        #expect(summary.subscriptionsAffected == 0)
        #expect(subscriber.count == 0)
        #expect(store.dump() == before)
    }

    /// The root gets a key with every query; its old blocks must not stay in memory.
    @Test func aRecordThatGrowsLeavesNoBlocksBehind() throws {
        var records = Records()
        let names = NameTable()
        for index in 0..<300 {
            var staged = StagedRecords()
            let position = staged.positionAdding(.root, names.rootType)
            staged.set(position, names.key("field(index:\(index))"), .int(index), names)
            _ = records.merge(staged, names)
        }
        #expect(records.shape(of: .root).keys.count == 300)
        #expect(records.value(names.key("field(index:7)"), of: .root)?.isIdentical(to: .int(7)) == true)
        #expect(records.valueCapacity < 64 * 64 * 4)
    }

    @Test func conditionsAndVariablesChooseFieldsAndKeys() throws {
        let store = Store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        #expect(store.read(HeroQuery(withMass: .value(false))).data?.hero?.mass == nil)
        #expect(!store.read(HeroQuery(withMass: .value(false))).isMissingData)
        #expect(store.read(HeroQuery(episode: .value("JEDI"))).data?.hero?.name == "R2-D2")
        #expect(store.read(HeroQuery(episode: .value("EMPIRE"))).data?.hero == nil)
        #expect(store.read(HeroQuery(episode: .value("EMPIRE"))).isMissingData)
        #expect(store.read(HeroQuery(episode: .null)).isMissingData)
        let kept = store.bind(HeroQuery())
        #expect(store.bind(HeroQuery()) === kept)
        #expect(store.bind(HeroQuery(episode: .value("JEDI"))) !== kept)
    }

    @Test func nilMovesUpToTheNearestOptional() throws {
        let store = Store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        store.acceptValuesOfAnyType()
        try store.update { try $0.get("1000")?.setValue(.null, forField: "name") }
        #expect(store.read(HeroQuery()).data?.hero?.friends?.map { $0?.name } == [nil, nil, "R2-D2"])
        try store.update { try $0.get("2001")?.setValue(.null, forField: "name") }
        #expect(store.read(HeroQuery()).data?.hero == nil)
        #expect(store.read(HeroQuery()).data != nil)
        #expect(!store.read(HeroQuery()).isMissingData)
    }

    @Test func abstractConditionsFollowWhatAnswersHaveShown() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        // Human is no Pilot. The response does not show that for friends, whose selections have no such condition.
        try store.write(
            #"{"data":{"hero":{"__typename":"Human","id":"1","name":"Luke","friends":null,"mass":1,"tags":null,"episode":null,"born":null,"home":null}}}"#,
            for: operation)
        let hero = try #require(store.read(HeroQuery()).data?.hero)
        #expect(hero.pilotShip == nil)
        #expect(hero.asDroid == nil)
        #expect(!store.read(HeroQuery()).isMissingData)
        #expect(store.check(operation) == .available(fetchedAt: nil))
        #expect(store.dump().contains("Human is not Pilot"))
        // The type is unknown, so the condition is undecided until a response shows it.
        try store.update { records in
            let record = try records.create("2", type: "Wookiee")
            try record.setValue("Chewie", forField: "name")
            try records.root.setLinkedRecord(record, forField: "hero", arguments: ["episode": "JEDI"])
        }
        let snapshot = store.read(HeroQuery())
        #expect(snapshot.isMissingData)
        #expect(snapshot.dependencies.usesTypeFacts)
        let subscriber = CountingSubscriber()
        _ = store.subscribe(subscriber, to: snapshot.dependencies)
        let other = store.bind(HeroQuery(episode: .value("HOPE")))
        try store.write(
            #"{"data":{"hero":{"__typename":"Wookiee","id":"3","name":"Other","__isPilot":"Wookiee","ship":null}}}"#,
            for: other)
        #expect(subscriber.count == 1)
        #expect(store.read(HeroQuery()).data?.hero?.pilotShip != nil)
    }

    @Test func onlyReadersOfWhatChangedAreTold() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        try store.write(HeroQuery.answer, for: operation)
        let whole = CountingSubscriber()
        let fragment = CountingSubscriber()
        let snapshot = store.read(HeroQuery())
        let wholeID = store.subscribe(whole, to: snapshot.dependencies)
        let reference = try #require(snapshot.data?.hero?.friends?[0]?.heroName)
        let bound = try #require(store.bind(reference))
        let read = store.read(HeroName.Data.self, at: bound.record, bound.selections)
        let fragmentID = store.subscribe(fragment, to: read.dependencies)
        let (_, first) = try store.update { try $0.get("2001")?.setValue(40, forField: "mass") }
        #expect(first.subscriptionsAffected == 1)
        #expect([whole.count, fragment.count] == [1, 0])
        let (_, second) = try store.update { try $0.get("1000")?.setValue("Luke S.", forField: "name") }
        #expect(second.subscriptionsAffected == 2)
        #expect([whole.count, fragment.count] == [2, 1])
        let (_, third) = try store.update { try $0.get("1000")?.setValue(1, forField: "nobodyReadsThis") }
        #expect(third.recordsChanged == 1)
        #expect(third.subscriptionsAffected == 0)
        // A subscription to a read from before a change is notified at once.
        let late = CountingSubscriber()
        let lateID = store.subscribe(late, to: read.dependencies)
        #expect(late.count == 1)
        for id in [wholeID, fragmentID, lateID] { store.unsubscribe(id) }
        store.unsubscribe(lateID)
        #expect(store.subscriptionCount == 0)
        try store.update { try $0.get("1000")?.setValue("L", forField: "name") }
        #expect([whole.count, fragment.count, late.count] == [2, 1, 1])
    }

    @Test func invalidationMakesStaleWhatWasFetchedBefore() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        try store.write(HeroQuery.answer, for: operation)
        store.noteFetch(of: operation, key: 1, at: .seconds(5))
        #expect(store.check(operation) == .available(fetchedAt: .seconds(5)))
        #expect(store.operations.fetch(of: operation)?.isKey(1) == true)
        #expect(store.operations.fetch(of: operation)?.isKey("1") == false)
        #expect(store.operations.fetch(of: operation)?.isKey(nil) == false)
        let began = store.epoch
        store.invalidate()
        #expect(store.check(operation) == .stale)
        #expect(store.wasInvalidated(operation, since: began))
        // A response to a request that began before the invalidation does not make the data valid.
        store.noteFetch(of: operation, key: nil, at: .seconds(6), began: began)
        #expect(store.check(operation) == .stale)
        store.noteFetch(of: operation, key: nil, at: .seconds(7))
        #expect(store.check(operation) == .available(fetchedAt: .seconds(7)))
        let before = store.epoch
        try store.update { try $0.get("1000")?.invalidate() }
        #expect(store.check(operation) == .stale)
        #expect(store.wasInvalidated(operation, since: before))
        #expect(!store.wasInvalidated(operation, since: store.epoch))
        #expect(store.read(HeroQuery()).data?.hero != nil)
        store.noteFetch(of: operation, key: nil, at: .seconds(8))
        #expect(store.check(operation) == .available(fetchedAt: .seconds(8)))
        store.operations.retain(operation)
        store.operations.retain(operation)
        store.operations.releaseWithoutBuffer(operation)
        #expect(store.operations.holderCount(of: operation) == 1)
        store.operations.releaseWithoutBuffer(operation)
        store.operations.releaseWithoutBuffer(operation)
        #expect(store.operations.holderCount(of: operation) == 0)
        #expect(store.operations.fetch(of: store.bind(HeroQuery()))?.time == .seconds(8))
    }

    @Test func missingSaysWhichField() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        try store.write(
            #"{"data":{"hero":{"__typename":"Human","id":"1","name":"Luke","friends":[{"__typename":"Human","id":"2"}],"mass":1,"tags":null,"episode":null,"born":null,"home":null}}}"#,
            for: operation)
        #expect(store.missingPath(operation) == ["hero", "friends", 0, "name"])
        #expect(store.read(HeroQuery()).isMissingData)
        #expect(store.read(HeroQuery()).data?.hero?.friends?.count == 1)
    }

    @Test func aReferenceOutlivesEverythingElse() throws {
        func reference() throws -> FragmentReference<HeroName> {
            let store = Store()
            try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
            return try #require(store.read(HeroQuery()).data?.hero?.friends?[0]?.heroName)
        }
        let kept = try reference()
        #expect(kept.dataID == "1000")
        let store = try #require(kept.owner.source as? Store)
        let bound = try #require(store.bind(kept))
        #expect(store.read(HeroName.Data.self, at: bound.record, bound.selections).data?.name == "Luke")
        #expect(Store().bind(kept) == nil)
        let again = try #require(store.read(HeroQuery()).data?.hero?.friends?[0]?.heroName)
        #expect(kept == again)
        #expect(kept != store.read(HeroQuery()).data?.hero?.friends?[2]?.heroName)
    }

    @Test func equalityOfTextIsOfBytes() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        func write(_ name: String) throws -> PublishSummary {
            try store.write(#"{"data":{"hero":{"__typename":"Human","id":"1","name":"\#(name)"}}}"#, for: operation)
        }
        _ = try write("caf\u{e9}")
        #expect(try write("cafe\u{301}").recordsChanged == 1)
        #expect(try write("cafe\u{301}").recordsChanged == 0)
    }

    @Test func aStoreIsFreedWithItsOperations() throws {
        weak var released: Store?
        do {
            let store = Store()
            released = store
            let operation = store.bind(HeroQuery())
            try store.write(HeroQuery.answer, for: operation)
            store.operations.retain(operation)
            store.noteFetch(of: operation, key: nil, at: .zero)
        }
        #expect(released == nil)
    }

    @Test func deepValuesAreComparedOnce() {
        func deep(_ leaf: JSONValue) -> JSONValue { (0..<100).reduce(leaf) { value, _ in ["a": value, "b": 1] } }
        #expect(deep(1) == deep(1))
        #expect(deep(1) != deep(2))
        #expect(JSONValue.object([.init("a", 1), .init("b", 2)]) == .object([.init("b", 2), .init("a", 1)]))
    }

    @Test func anotherTypeAtTheSamePlaceStartsAfresh() throws {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Any", kind: .query, text: "", normalization: "{any:*Any{<A>{name:String} <B>{size:Int}}}",
            reader: "{}")
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        try store.write(#"{"data":{"any":{"__typename":"A","name":"x"}}}"#, for: operation)
        try store.write(#"{"data":{"any":{"__typename":"B","size":1}}}"#, for: operation)
        #expect(!store.dump().contains("name"))
        #expect(store.dump().contains("client:root:any.size = 1"))
    }

    @Test func anUpdateDoesNotBringBackWhatAnotherDeleted() throws {
        let store = Store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        try store.update { outer in
            try store.update { try $0.delete("1000") }
            try outer.get("1000")?.setValue("Luke again", forField: "name")
        }
        #expect(store.dump().contains("1000 deleted"))
        #expect(throws: UpdateError.root) { try store.update { try $0.delete(.root) } }
    }

    @Test func recordsAreFoundByTheTextOfTheirPath() throws {
        let store = Store()
        let artifact = GeneratedCode.OperationArtifact(
            name: "Paths", kind: .query, text: "",
            normalization: #"{a(x:"p:q"):[[A]]{b:B{c:Int}} n:+N{id:ID! d:D{e:Int}} t:T{id:ID! d:D{e:Int}}}"#,
            reader: "{}")
        let operation = store.bind(artifact, variables: .object([]))
        try store.write(
            #"{"data":{"a":[[{"b":{"c":1}}]],"n":{"id":"x:y","d":{"e":2}},"t":{"id":"7","d":{"e":3}}}}"#, for: operation
        )
        for line in store.dump().split(separator: "\n") where line.contains(" is ") {
            let id = DataID(String(line.prefix(while: { $0 != " " })))
            try store.update { records in #expect(records.get(id)?.dataID == id, "\(id)") }
        }
        try store.update { records in
            #expect(records.get("client:T:7:d")?.value(forField: "e") == 3)
            #expect(records.get("client:none:d") == nil)
            let film = try records.create("Film:1", type: "Film")
            try film.setValue("early", forField: "title")
        }
        let films = GeneratedCode.OperationArtifact(
            name: "Film", kind: .query, text: "", normalization: "{film:Film{id:ID! length:Int}}", reader: "{}")
        try store.write(#"{"data":{"film":{"id":1,"length":9}}}"#, for: store.bind(films, variables: .object([])))
        try store.update { records in
            #expect(records.get("Film:1")?.value(forField: "title") == "early")
            #expect(records.get("Film:1")?.value(forField: "length") == 9)
        }
    }
}
