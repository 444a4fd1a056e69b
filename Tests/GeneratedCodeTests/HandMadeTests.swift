import Baton
import Foundation
import Testing

/// Results that are made by hand with generated initializers, and hashable ones.
@Suite struct HandMadeTests {
    typealias Hero = HeroDetailsQuery.Data.Hero

    /// A film list in the notation of a test.
    private static let list = FilmListQuery.Data(
        allFilms: .init(edges: [
            .init(node: .init(id: "1", filmRow_film: .init(title: "Hope"))), .init(node: .init(id: "2")),
        ]))

    @Test func aListIsMadeWithInitializers() throws {
        let edges = Self.list.allFilms.edges
        #expect(edges.map(\.node.id) == ["1", "2"])
        let row = edges[0].node.fragments.filmRow_film
        // A component reads its fragment without an environment.
        #expect(FragmentHandle(row).get().data?.title == "Hope")
        #expect(FragmentHandle(row).get().data == FilmRow_film.Data(title: "Hope"))
        #expect(JSONValue(Self.list) == ["allFilms": ["edges": [["node": ["id": "1"]], ["node": ["id": "2"]]]]])
    }

    private static let matrix = #"""
        {"data": {"matrix": [[1, 2], []], "numbers": {"int": -7, "float": 1, "boolean": true, "id": 12, "string": "s"}}}
        """#

    @Test func madeDataEqualReadData() async throws {
        let (read, _) = try await answer(MatrixQuery(), Self.matrix)
        func made(_ int: Int) -> MatrixQuery.Data {
            .init(matrix: [[1, 2], []], numbers: .init(int: int, float: 1, boolean: true, id: "12", string: "s"))
        }
        #expect(made(-7) == read && made(-8) != read)
        #expect(made(-7).hashValue == read.hashValue)
        #expect(Set([made(-7), read, made(-8), made(-7)]).count == 2)
        #expect(made(1).numbers.int == 1 && made(1).__typename == "Query" && made(1).numbers.__typename == "Numbers")
        #expect(try MatrixQuery.Data(.response(json: Self.matrix), for: MatrixQuery()) == read)
        #expect(try MatrixQuery.Data(.data(JSONValue(read)), for: MatrixQuery()) == read)
        var (text, other) = ("", "")
        dump(made(-7), to: &text)
        dump(read, to: &other)
        #expect(text == other)
    }

    @Test func inlineFragmentsDetermineTheTypeOfAnObject() throws {
        let friend = Hero.AsDroid.Friend(name: "C3")
        let machine = MachineBits.Data(serial: "X", asDroid: .init(serial: "X", name: "R2"))
        let droid = Hero.AsDroid(name: "R2", friend: friend, machineBits: machine, serial: "X")
        let hero = Hero(name: "R2", asDroid: droid, machineBits: machine)
        #expect(hero.__typename == "Droid" && hero.asHuman == nil && hero.friends == nil)
        #expect(hero.asDroid?.serial == "X" && hero.asDroid?.friend.name == "C3")
        #expect(hero.fragments.droidBits == nil && hero.fragments.conditional == nil)
        let bits = try #require(hero.fragments.machineBits)
        #expect(FragmentHandle(bits).get().data?.asDroid?.name == "R2")
        let human = Hero(__typename: "Human", name: "Luke", asHuman: .init(name: "Luke", height: 1.72))
        #expect(human.__typename == "Human" && human.asHuman?.height == 1.72)
        #expect(HeroDetailsQuery.Data(hero: human).hero == human)
        #expect(HeroDetailsQuery.Data(hero: nil).hero == nil)
        // References of required fragments may be left out. They then show nothing.
        #expect(FragmentHandle(human.fragments.characterBits).get().data?.name == nil)
    }

    /// A given value is there even if its selection has a condition, because there are no variables.
    @Test func conditionsAreTrueForGivenValues() async throws {
        let (read, _) = try await answer(
            HeroDetailsQuery(withFriends: false, skipName: true),
            #"{"data": {"hero": {"__typename": "Droid", "id": "d", "primaryFunction": null, "friend": {"id": "e", "name": "E"}, "__isMachine": "Droid", "serial": "S"}}}"#
        )
        #expect(read.hero?.name == nil && read.hero?.friends == nil)
        let made = HeroDetailsQuery.Data(
            hero: .init(name: "R2", friends: [.init(__typename: "Human", name: "L"), nil]))
        #expect(made.hero?.name == "R2" && made.hero?.friends?.map { $0?.name } == ["L", nil])
    }

    @Test func enumsAreMade() {
        let bits = CharacterBits.Data(__typename: "Droid", name: "R2", appearsIn: [.newHope, .unknown("LATER")])
        #expect(bits.appearsIn == [.newHope, .unknown("LATER")] && bits.__typename == "Droid")
    }

    @Test func mappedScalarsKeepTheirValues() throws {
        let key = try #require(UUID(uuidString: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"))
        let now = Date(timeIntervalSince1970: 1.000_000_1)
        func made() -> ValuesQuery.Data.Values {
            .init(at: now, times: [now, now], key: key, long: 7, json: ["a": [1, nil]])
        }
        let values = made()
        #expect(values.at == now && values.times == [now, now] && values.json == ["a": [1, nil]])
        #expect(values.link == nil && values.key == key && values.long == 7)
        #expect(values == made() && values.hashValue == made().hashValue)
    }
}
