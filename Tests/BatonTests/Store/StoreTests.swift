import Testing

@testable import Baton

@Suite struct StoreTests {
    static let answer = """
        {"data":{"hero":{"__typename":"Droid","id":"2001","name":"R2-D2","friends":[{"__typename":"Human","id":"1000","name":"Luke"},null,\
        {"__typename":"Droid","id":"2001","name":"R2-D2"}],"primaryFunction":"Astromech","__isPilot":"Droid","ship":{"title":"X-Wing","length":12.5},\
        "mass":32,"tags":[["a","b"],[]],"episode":"EMPIRE","born":"1977-05","home":{"planet": "Naboo"}}},"extensions":{"cost":3}}
        """

    @Test func readsWhatWasWritten() throws {
        let store = Store()
        let operation = store.bind(HeroQuery())
        #expect(store.check(operation) == .missing([]))
        let summary = try store.write(Self.answer, for: operation)
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
        #expect(hero.home == #"{"planet": "Naboo"}"#)
        let pilot = try #require(hero.pilotShip.flatMap { store.bind($0) })
        let ship = store.read(PilotShip.Data.self, at: pilot.record, pilot.selections)
        #expect(ship.data?.ship?.length == 12.5)
        #expect(
            store.check(operation) == .missing(["hero", "friends", 0, "__isPilot"])
                || store.check(operation) == .available(fetchedAt: nil))
        #expect(hero.pilotShip?.dataID == "2001")
    }
}
