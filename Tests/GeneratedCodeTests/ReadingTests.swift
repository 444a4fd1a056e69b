import Baton
import Foundation
import Testing

/// Generated `Data` filled from answers that went through the store.
@Suite struct ReadingTests {
    @Test func scalarsAndListsOfListsHaveTheirSwiftTypes() async throws {
        let (data, _) = try await answer(
            MatrixQuery(),
            #"{"data": {"matrix": [[1, 2], []], "numbers": {"int": -7, "float": 1, "boolean": true, "id": 12, "string": "s"}}}"#
        )
        #expect(data.matrix == [[1, 2], []])
        #expect(data.numbers.int == -7)
        #expect(data.numbers.float == 1.0)
        #expect(data.numbers.boolean)
        #expect(data.numbers.id == "12")
        #expect(data.numbers.string == "s")
        #expect(data.__typename == "Query")
    }

    private static let hero = #"""
        {"data": {"hero": {"__typename": "Droid", "id": "d1", "name": "R2", "appearsIn": ["NEW_HOPE", "LATER"],
         "friends": [{"__typename": "Human", "id": "h1", "name": "Luke", "appearsIn": []}, null],
         "all": [{"__typename": "Human", "id": "h1", "name": "Luke"}, null],
         "pals": [{"__typename": "Human", "id": "h1"}, null], "primaryFunction": "beep", "friend": {"id": "d2", "name": "C3"},
         "__isMachine": "Droid", "serial": "X"}}}
        """#

    @Test func inlineFragmentsHoldTheFieldsAroundThem() async throws {
        let (data, _) = try await answer(HeroDetailsQuery(withFriends: true), Self.hero)
        let hero = try #require(data.hero)
        #expect(hero.__typename == "Droid")
        #expect(hero.name == "R2")
        #expect(hero.asHuman == nil)
        let droid = try #require(hero.asDroid)
        #expect(droid.__typename == "Droid")
        #expect(droid.name == "R2")
        #expect(droid.serial == "X")
        #expect(droid.friend.name == "C3")
        #expect(droid.friends == hero.friends)
        #expect(hero.asMachine?.serial == "X")
        #expect(hero.friends?.map { $0?.name } == ["Luke", nil])
    }

    @Test func spreadsAreReferencesThatOtherCodeReads() async throws {
        let (data, environment) = try await answer(HeroDetailsQuery(withFriends: true), Self.hero)
        let hero = try #require(data.hero)
        let bits = try #require(environment.read(hero.fragments.characterBits))
        #expect(bits.name == "R2")
        #expect(bits.appearsIn == [.newHope, .unknown("LATER")])
        #expect(bits.appearsIn.map(\.rawValue) == ["NEW_HOPE", "LATER"])
        let machine = try #require(hero.fragments.machineBits)
        #expect(environment.read(machine)?.asDroid?.name == "R2")
        let conditional = try #require(hero.fragments.conditional)
        #expect(environment.read(conditional)?.all?.first??.name == "Luke")
        #expect(hero.fragments.droidBits != nil)
    }

    @Test func aFieldThatAConditionLeavesOutIsNil() async throws {
        let body = #"""
            {"data": {"hero": {"__typename": "Human", "id": "h1", "name": "Luke", "appearsIn": []}}}
            """#
        let (data, _) = try await answer(HeroDetailsQuery(withFriends: false, skipName: true), body)
        let hero = try #require(data.hero)
        #expect(hero.name == nil)
        #expect(hero.friends == nil)
        #expect(hero.asHuman == nil)
        #expect(hero.asMachine == nil)
        #expect(hero.fragments.conditional == nil)
        #expect(hero.fragments.droidBits == nil)
        #expect(hero.fragments.machineBits == nil)
    }

    @Test func membersOfAUnionAreToldApart() async throws {
        let body = #"""
            {"data": {"search": [
             {"__typename": "Human", "id": "h", "__isNode": "Human", "__isCharacter": "Human", "name": "Leia", "height": 1.5},
             {"__typename": "Droid", "id": "d", "__isNode": "Droid", "__isCharacter": "Droid", "name": "R2", "__isMachine": "Droid", "serial": "S"},
             {"__typename": "Film", "id": "f", "__isNode": "Film", "title": "IV"},
             {"__typename": "Gadget", "id": "g"},
             {"__typename": "Place", "name": "Hoth", "coordinates": [[1, 2]]},
             {"__typename": "Wookiee", "id": "w", "__isNode": "Wookiee", "__isCharacter": "Wookiee", "name": "Chewbacca"}],
             "thing": {"__typename": "Gadget", "id": "g", "label": "Saber"}}}
            """#
        let (data, environment) = try await answer(SearchQuery(text: "x"), body)
        #expect(data.search.map(\.__typename) == ["Human", "Droid", "Film", "Gadget", "Place", "Wookiee"])
        #expect(data.search.map(\.asCharacter?.name) == ["Leia", "R2", nil, nil, nil, "Chewbacca"])
        #expect(data.search[0].asCharacter?.asHuman?.height == 1.5)
        #expect(data.search[1].asCharacter?.asHuman == nil)
        #expect(data.search[2].asFilm?.title == "IV")
        let place = try #require(data.search[4].fragments.placeBits)
        #expect(environment.read(place)?.coordinates == [[1, 2]])
        let machine = try #require(data.search[1].asCharacter?.fragments.machineBits)
        #expect(environment.read(machine)?.serial == "S")
        #expect(data.search[0].asCharacter?.fragments.machineBits == nil)
        #expect(data.thing?.asGadget?.label == "Saber")
    }

    @Test func customScalarsAreConverted() async throws {
        let body = #"""
            {"data": {"films": [{"id": "1", "title": "IV", "released": "1977-05-25", "extra": {"a": [1]}, "unmapped": 5,
             "episode": "NEW_HOPE", "film": [{"__typename": "Human", "id": "h", "name": "Luke"}], "shots": ["1.5", null, 2],
             "budget": "11000000.50"}], "grid": [[{"id": "1", "title": "IV"}, null], null], "hero": null}}
            """#
        let (data, environment) = try await answer(FilmsQuery(), body)
        let film = try #require(data.films?.first)
        #expect(film.budget == Decimal(string: "11000000.50"))
        #expect(film.shots == [Decimal(string: "1.5"), nil, 2])
        let row = try #require(environment.read(film.fragments.film))
        #expect(row.released == Day(1977, 5, 25))
        #expect(row.extra == #"{"a":[1]}"#)
        #expect(row.unmapped == "5")
        #expect(row.episode == .newHope)
        #expect(row.film.map(\.name) == ["Luke"])
        #expect(data.grid?.count == 2)
        #expect(data.grid?[0]?.map { $0?.title } == ["IV", nil])
    }

    @Test func aConversionThatThrowsFailsTheAnswer() async throws {
        let body =
            #"{"data": {"film": {"id": "1", "title": "IV", "released": "soon", "extra": null, "unmapped": null, "episode": null, "film": []}}}"#
        let environment = RelayEnvironment(network: CannedNetwork(body))
        await #expect(throws: (any Error).self) { try await environment.fetch(FilmQuery(id: "1")) }
    }

    @Test func aMissingRequiredFieldMovesUpToTheNearestOptional() async throws {
        let body = #"{"data": {"film": {"id": "1", "title": "IV"}}}"#
        let environment = RelayEnvironment(network: CannedNetwork(body))
        let response = try? await environment.fetch(FilmQuery(id: "1"))
        #expect(response?.data?.film.map { environment.read($0.fragments.film) == nil } ?? true)
    }

    @Test func deprecatedFieldsAreRead() async throws {
        let body = #"""
            {"data": {"deprecations": {"old": "o", "older": 1, "oldThing": {"id": "g", "label": "l"}, "new": "n", "state": "OLD"}}}
            """#
        let (data, _) = try await answer(DeprecationsQuery(), body)
        #expect(data.deprecations?.new == "n")
        #expect(data.deprecations?.state.rawValue == "OLD")
    }

    @Test func namesThatSwiftUsesAreProperties() async throws {
        let inner = #"{"class": "c"}"#
        let body = #"""
            {"data": {"keywords": {"class": "c", "default": 1, "in": 2, "is": true, "init": "i", "self": "s", "Self": "S", "Type": "T",
             "Protocol": "P", "Any": "A", "_": "u", "await": 1, "async": 2, "throws": 3, "nil": 4, "true": 5, "reader": "r",
             "fragments": "f", "hashValue": "h", "description": "d", "type": INNER, "data": {"class": "c", "type": INNER},
             "string": INNER, "int": INNER, "variables": INNER, "fragment": INNER, "generatedCode": INNER, "episode": INNER,
             "protocol": [INNER], "self_": INNER, "String": "St", "get": "g", "operator": "o", "extension": "e", "where": "w",
             "some": "so", "any": "an", "keyword": INNER}, "a": null}}
            """#.replacingOccurrences(of: "INNER", with: inner)
        let (data, environment) = try await answer(KeywordsQuery(init: 1), body)
        let words = data.keywords
        #expect(words.class == "c" && words.default == 1 && words.in == 2 && words.is)
        #expect(words.`init` == "i" && words.self2 == "s" && words.fragments2 == "f" && words._2 == "u")
        #expect(words.reader == "r" && words.hashValue2 == "h" && words.description == "d")
        #expect(words.type?.class == "c" && words.data?.type?.class == "c" && words.protocol?.first?.class == "c")
        #expect(words.String2 == "St" && words.Type2 == "T" && words.any == "an" && words.await == 1)
        let keyword = environment.read(words.fragments.keyword)
        #expect(keyword?.keyword?.class == "c")
        let reference = try #require(keyword?.keyword?.fragments.data2)
        #expect(environment.read(reference)?.class == "c")
    }
}
