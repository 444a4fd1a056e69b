// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

/// Updates through structs in the form of generated code.
@Suite struct WritableTests {
    struct CardFragment: WritableFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Card", typeCondition: "Character",
            reader:
                "(count=2){name:String friends(first:$count):[+*Character]{name:String} born:@Date mass:Int tags:[String!] <Droid>{primaryFunction:String} best:+Human{name:String} [extra]never:String episode:#Episode}",
            scalars: [GeneratedCode.ScalarDecoder("Date", Day.self)])

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
        }

        struct Writable: GeneratedCode.WritableSelections {
            let place: GeneratedCode.WritablePlace
            init(_ place: GeneratedCode.WritablePlace) { self.place = place }

            var name: String? {
                get { place.string(0) }
                nonmutating set { place.set(0, newValue) }
            }
            var friends: [Friend?]? {
                get { place.objects(1, Friend.self) }
                nonmutating set { place.set(1, links: newValue.map { $0.map { $0?.place.record } }) }
            }
            var born: Day? {
                get { place.scalar(2, Day.self) }
                nonmutating set { place.set(2, newValue, Day.self) }
            }
            var mass: Int? {
                get { place.int(3) }
                nonmutating set { place.set(3, newValue) }
            }
            var tags: [String]? {
                get {
                    guard case .array(let tags) = place.json(4) else { return nil }
                    return tags.compactMap { if case .string(let tag) = $0 { tag } else { nil } }
                }
                nonmutating set { place.set(4, newValue) }
            }
            var asDroid: AsDroid? { place.inlineFragment(5, AsDroid.self) }
            var best: Friend? {
                get { place.object(6, Friend.self) }
                nonmutating set { place.set(6, link: newValue?.place.record) }
            }
            var never: String? {
                get { place.string(7) }
                nonmutating set { place.set(7, newValue) }
            }
            var episode: Episode? {
                get { place.enumeration(8, Episode.self) }
                nonmutating set { place.set(8, newValue) }
            }
        }

        struct Friend: GeneratedCode.WritableSelections {
            let place: GeneratedCode.WritablePlace
            init(_ place: GeneratedCode.WritablePlace) { self.place = place }
            var name: String? {
                get { place.string(0) }
                nonmutating set { place.set(0, newValue) }
            }
        }

        struct AsDroid: GeneratedCode.WritableSelections {
            let place: GeneratedCode.WritablePlace
            init(_ place: GeneratedCode.WritablePlace) { self.place = place }
            var primaryFunction: String? {
                get { place.string(0) }
                nonmutating set { place.set(0, newValue) }
            }
        }
    }

    private static func filled() throws -> Store {
        let store = Store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        return store
    }

    @Test func propertiesReadAndWriteTheFieldsOfThePlan() throws {
        let store = try Self.filled()
        try store.update { records in
            let hero = try #require(records.writable(CardFragment.self, at: "2001"))
            #expect(hero.name == "R2-D2" && hero.mass == 32 && hero.born == Day(year: 1977, month: 5))
            #expect(hero.friends?.map { $0?.name } == ["Luke", nil, "R2-D2"])
            hero.name = "Artoo"
            hero.mass = nil
            hero.born = Day(year: 2000, month: 1)
            hero.tags = ["a", "b"]
            hero.episode = .jedi
            hero.asDroid?.primaryFunction = "Repair"
            hero.friends?[0]?.name = "Luke S."
            hero.friends = hero.friends?.reversed()
            hero.best = hero.friends?[2]
            #expect(hero.best?.name == "Luke S." && hero.name == "Artoo" && hero.tags == ["a", "b"])
            #expect(hero.mass == nil && hero.episode == .jedi && hero.asDroid?.primaryFunction == "Repair")
            #expect(records.get("2001")?.value(forField: "episode") == "JEDI")
            let human = try #require(records.writable(CardFragment.self, at: "1000"))
            #expect(human.asDroid == nil)
            #expect(records.writable(CardFragment.self, at: "nobody") == nil)
        }
        let hero = store.read(HeroQuery()).data?.hero
        #expect(hero?.name == "Artoo" && hero?.mass == nil && hero?.born == Day(year: 2000, month: 1))
        #expect(hero?.friends?.map { $0?.name } == ["Artoo", nil, "Luke S."])
    }

    @Test func variablesDecideTheStorageKeys() throws {
        let store = try Self.filled()
        try store.update { records in
            let hero = try #require(records.writable(CardFragment.self, at: "2001", variables: ["count": 9]))
            #expect(hero.friends == nil)
            hero.friends = []
            #expect(records.get("2001")?.linkedRecords(forField: "friends", arguments: ["first": 9])?.isEmpty == true)
        }
    }

    @Test func whatCannotBeAssignedFailsTheUpdate() throws {
        let store = try Self.filled()
        let before = store.dump()
        #expect(throws: UpdateError.deleted("2001")) {
            try store.update { records in
                let hero = try #require(records.writable(CardFragment.self, at: "2001"))
                try records.delete("2001")
                hero.name = "nobody"
                #expect(hero.name == nil)
            }
        }
        #expect(throws: UpdateError.unusableField("2001", position: 7)) {
            try store.update { records in
                records.writable(CardFragment.self, at: "2001")?.never = "a condition excludes it"
            }
        }
        let other = try Self.filled()
        #expect(throws: UpdateError.foreignRecord("1000")) {
            try store.update { records in
                let hero = try #require(records.writable(CardFragment.self, at: "2001"))
                try other.update { foreign in
                    hero.best = foreign.writable(CardFragment.self, at: "1000").map { CardFragment.Friend($0.place) }
                }
            }
        }
        #expect(store.dump() == before)
    }
}

extension WritableTests.CardFragment.Writable: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.place.record == right.place.record }
}
extension WritableTests.CardFragment.Friend: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.place.record == right.place.record }
}
extension WritableTests.CardFragment.AsDroid: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.place.record == right.place.record }
}
