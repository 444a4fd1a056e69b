import Baton
import Testing

/// The types that `@raw_response_type` generates.
@Suite struct RawResponseTests {
    private struct Silence: NetworkLayer {
        func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.cancelled }
    }

    private static let response = RawHeroQuery.RawResponse(
        hero: .init(
            __typename: "Human", name: "Luke", friends: .null, appearsIn: [.jedi, .empire],
            asHuman: .init(born: Day(1951, 9, 25), friend: .init(height: 1.5, id: "2", name: "Leia")), id: "1"),
        search: [
            .init(__typename: "Film", asFilm: .init(title: "Jedi", released: .null), asNode: .init(id: "f1")),
            .init(__typename: "Droid", asNode: .init(id: "d1"), asMachine: .init(serial: "x")),
            .init(__typename: "Place", asPlace: .init(name: "Endor")),
        ],
        matrix: [[1, 2], []])

    @Test func aRawResponseIsReadFromTheStore() throws {
        let environment = RelayEnvironment(network: Silence())
        try environment.publish(.data(Self.response), for: RawHeroQuery(withFriends: true))
        let handle = QueryHandle<RawHeroQuery>(in: environment, fetchPolicy: .storeOnly)
        let data = try #require(handle.get(withFriends: true).data)
        #expect(!handle.isMissingData)
        let hero = try #require(data.hero)
        #expect(hero.name == "Luke" && hero.friends == nil && hero.asHuman?.friend?.name == "Leia")
        let row = try #require(environment.read(hero.fragments.rawHero_character))
        #expect(row.appearsIn == [.jedi, .empire] && row.asHuman?.friend?.height == 1.5)
        #expect(row.asHuman?.born == Day(1951, 9, 25) && row.asDroid == nil)
        #expect(data.search[0].asFilm?.title == "Jedi" && data.search[0].asFilm?.released == nil)
        #expect(data.search[1].asMachine?.serial == "x" && data.search[1].asNode?.id == "d1")
        #expect(data.search[2].asPlace?.name == "Endor" && data.search[2].asNode == nil)
        #expect(data.matrix == [[1, 2], []])
    }

    /// A member that is left out is missing in the answer; a null member is in it.
    @Test func aMemberThatIsLeftOutIsMissing() {
        let nothing = RawHeroQuery.RawResponse(search: [], matrix: [])
        #expect(nothing.jsonValue == ["search": [], "matrix": []])
        let null = RawHeroQuery.RawResponse(hero: .null, search: [], matrix: [])
        #expect(null.jsonValue == ["hero": .null, "search": [], "matrix": []])
        let unknown: String? = nil
        let book = LibraryAppendEdgeMutation.RawResponse.AddBooks.Edge.Node(title: unknown, id: "b1")
        #expect(book.jsonValue == ["id": "b1"])
        let known = LibraryAppendEdgeMutation.RawResponse.AddBooks.Edge.Node(title: .null, id: "b1")
        #expect(known.jsonValue == ["title": .null, "id": "b1"])
    }
}
