import Baton
import BatonTesting
import StarWarsComponents
import Testing

/// What the components say of the facts behind the embedded service, before anything is drawn.
@Suite
struct DescriptionTests {
    private let environment: RelayEnvironment

    init() throws { environment = RelayEnvironment(network: try SagaService.make(), log: { _ in }) }

    private func film(_ number: Int, withPictures: Bool = false) async throws -> FilmDetailQuery.Data.Film {
        let query = FilmDetailQuery(id: "film:\(number)", withPictures: withPictures)
        return try #require(try await environment.fetch(query).data?.film)
    }

    private func character(_ name: String) async throws -> CharacterDetailQuery.Data.Character {
        let query = CharacterDetailQuery(id: "character:\(name)")
        return try #require(try await environment.fetch(query).data?.character)
    }

    @Test
    func filmNamesWhoMadeIt() async throws {
        let facts = try #require(environment.read(try await film(4).fragments.filmFacts_film))
        #expect(FilmFacts.labelled(facts).map(\.label) == ["Director", "Producers"])
        #expect(FilmFacts.labelled(facts).map(\.text) == ["George Lucas", "Gary Kurtz"])
    }

    @Test
    func worldsNameTheFirstAndCountTheRest() async throws {
        let groups = FilmWorlds.groups(try #require(environment.read(try await film(4).fragments.filmWorlds_film)))
        #expect(groups.map(\.title) == ["Worlds", "Ships"])
        let planets = groups[0]
        let (names, all) = (planets.things.map(\.name), planets.things.count + planets.rest)
        #expect(planets.names(1) == "\(names[0]) and \(all - 1) more")
        #expect(planets.names(names.count + 1) == names.joined(separator: ", "))
    }

    @Test(arguments: [
        ("Luke Skywalker", "from Tatooine", "Tatooine"), ("Chewbacca", "Wookiee", "Kashyyyk"),
        ("R2-D2", "repair and navigation of starfighters droid", nil),
    ])
    func characterInAListIsDescribedByItsType(name: String, text: String, home: String?) async throws {
        let found = try await environment.fetch(SearchListQuery(text: name, inFull: true)).data?.search.first
        let row = try #require(found?.asCharacter?.fragments.characterRow_character)
        let character = try #require(environment.read(row))
        #expect(character.name == name)
        #expect(CharacterRow.description(of: character) == text)
        #expect(CharacterRow.home(of: character) == home)
    }

    @Test(arguments: [
        ("luke-skywalker", ["Born: 19 BBY", "Height: 1.72 m"], "planet Tatooine: arid, desert"),
        ("chewbacca", ["Born: 200 BBY", "Height: 2.28 m"], "planet Kashyyyk: warm, forest"),
        ("c-3po", ["Built for: protocol and translation", "Height: 1.67 m"], nil),
    ])
    func characterHasTheFactsOfItsType(id: String, facts: [String], first: String?) async throws {
        let character = try await character(id)
        let data = try #require(environment.read(character.fragments.characterFacts_character))
        #expect(CharacterFacts.labelled(data).map { "\($0.label): \($0.text)" } == facts)
        let affiliations = character.affiliations.compactMap {
            environment.read($0.fragments.affiliationRow_affiliation)
        }
        let described = affiliations.map { AffiliationRow.description(of: $0) }
        #expect(described.first.map { "\($0.kind) \($0.name): \($0.facts)" } == first)
    }

    @Test(arguments: [
        ("Naboo", "planet", "temperate"), ("Wookiee", "species", "mammal"), ("A New Hope", "film", "1977"),
        ("Yoda", "creature", ""),
    ])
    func foundThingIsDescribedByItsType(name: String, kind: String, fact: String) async throws {
        let found = try await environment.fetch(SearchListQuery(text: name)).data?.search.first
        let reference = try #require(found?.fragments.searchRow_result)
        let row = try #require(environment.read(reference))
        let description = SearchRow.description(of: row)
        #expect((description.kind, description.name, description.fact) == (kind, name, fact))
    }

    @Test(arguments: [("planet:tatooine", "Home of"), ("species:wookiee", "Members"), ("starship:x-wing", "Pilots")])
    func otherThingsNameTheirCharacters(id: String, heading: String) async throws {
        let reference = try await environment.fetch(OtherDetailQuery(id: id)).data?.node?.fragments.otherFacts_node
        let node = try #require(reference.flatMap { environment.read($0) })
        let facts = try #require(OtherFacts(node))
        #expect(facts.heading == heading)
        #expect(facts.facts.count == 2)
        #expect(environment.read(facts.characters)?.nodes.isEmpty == false)
    }

    @Test
    func picturesAreAskedForOnlyWhereTheyAreDrawn() async throws {
        #expect(try await film(4).fragments.filmPicture_film == nil)
        let picture = try #require(try await film(4, withPictures: true).fragments.filmPicture_film)
        #expect(environment.read(picture)?.worlds.nodes.isEmpty == false)
    }
}
