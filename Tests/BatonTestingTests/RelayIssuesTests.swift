// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Baton
import BatonTesting
import StarWarsComponents
import Testing

/// A query in the form that the compiler generates: a list is selected for a type, and again for an interface.
struct StockQuery: GraphQLQuery {
    static let schema = """
        interface Node { id: ID! }
        interface Stocked { books: [Book!]! }
        type Library implements Node & Stocked { id: ID! books: [Book!]! }
        type Book implements Node { id: ID! title: String! pages: Int! tags: [String!]! }
        type Query { node(id: ID!): Node }
        """
    static let text = """
        query StockQuery { node(id: "Library:1") { __typename
          ... on Library { books { title tags id } }
          ... on Stocked { __isStocked: __typename books { pages id } } id } }
        """
    static let normalization = """
        {node(id:"Library:1"):+*Node{<Library>{books:[+Book!]!{title:String! tags:[String!]! id:ID!}} \
        <*Stocked>{books:[+Book!]!{pages:Int! id:ID!}} id:ID!}}
        """
    static let reader = """
        {node(id:"Library:1"):+*Node{<Library>{books:[+Book!]!{title:String! tags:[String!]!}} \
        <*Stocked>{books:[+Book!]!{pages:Int!}}}}
        """
    static let artifact = GeneratedCode.OperationArtifact(
        name: "StockQuery", kind: .query, text: text, normalization: normalization, reader: reader)
    var variables = GeneratedCode.NoVariables()

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
    }
}

/// What a generator of data loses that walks selections. A world is executed instead.
@Suite("RelayIssues")
struct RelayIssuesTests {
    /// A world of the samples, with the field that only their client knows.
    private func saga() throws -> World {
        try World(schema: SagaService.schema, clientSchema: "extend type Film { isMine: Boolean }")
    }

    /// Expects that a store has the whole response, loaded from the world or published, and notes no mistake.
    private func stored<Query: GraphQLQuery>(
        _ query: Query, _ response: JSONValue, in world: World
    ) throws -> MockEnvironment {
        let (loaded, published) = (MockEnvironment(world: world), MockEnvironment())
        try loaded.load(query)
        try published.environment.publish(.data(response), for: query)
        for mock in [loaded, published] {
            #expect(shows(mock.environment.json(of: query), response))
            #expect(!mock.environment.read(query).isMissingData)
            #expect(mock.leftovers == [])
        }
        return loaded
    }

    @Test("a list that is selected for a type and for an interface has both selections (relay 5258)")
    func aListOfATypeAndOfAnInterface() throws {
        let world = try World(schema: StockQuery.schema, limits: .init(lists: 3...3))
        let response = try world.data(StockQuery.text)
        let books = try #require(response.at("node.books")?.arrayValue)
        #expect(books.count == 3)
        for book in books {
            #expect(book["title"]?.stringValue != nil && book["pages"]?.intValue != nil)
            #expect(book["tags"]?.arrayValue?.count == 3)
        }
        let mock = try stored(StockQuery(), response, in: world)
        let shown = JSONValue(try mock.load(StockQuery()))
        #expect(shown.at("node.books")?.arrayValue?.count == 3)
        for (index, book) in books.enumerated() {
            for name in ["title", "pages", "tags"] { #expect(shown.at("node.books.\(index).\(name)") == book[name]) }
        }
    }

    @Test("a list that fragments visit again has the fields of each type (relay 5415)")
    func aListThatIsVisitedAgain() throws {
        let world = try saga()
        let ids = ["Film:1", "Human:1", "Droid:1", "Creature:1", "Planet:1", "Species:1", "Starship:1"]
        try world.override(["Query.search": .array(ids.map { id -> JSONValue in ["$ref": .string(id)] })])
        let response = try world.data(SearchListQuery.artifact.text ?? "", ["text": "x", "inFull": true])
        let query = SearchListQuery(text: "x", inFull: true)
        let mock = try stored(query, response, in: world)
        let results = try mock.load(query).search
        #expect(results.compactMap { $0.asNode?.id } == ids)
        for (index, result) in results.enumerated() {
            let row = JSONValue(try #require(mock.environment.read(result.fragments.searchRow_result)))
            #expect(row[index == 0 ? "title" : "name"]?.stringValue != nil)
            #expect(shows(response.at("search.\(index)"), row))
        }
        let film = try #require(results.first?.asFilm)
        let picture = try #require(mock.environment.read(film.fragments.filmPicture_film))
        #expect(mock.environment.read(film.fragments.filmRow_film)?.title == picture.title)
        #expect(picture.worlds.edges?.count == response.at("search.0.worlds.edges")?.arrayValue?.count)
        let creature = try #require(results[3].asCharacter)
        let row = try #require(mock.environment.read(creature.fragments.characterRow_character))
        #expect(row.name == response.at("search.3.name")?.stringValue)
        #expect(row.asCreature?.species?.name == response.at("search.3.species.name")?.stringValue)
    }

    @Test("an entity at two places has the same fields at both, and its response normalizes (relay 5107)")
    func anEntityAtTwoPlaces() throws {
        let world = try saga()
        try world.override(["Human:1": ["friends": [["$ref": "Human:1"], ["$ref": "Droid:2"]]]])
        let response = try world.data(
            CharacterDetailQuery.artifact.text ?? "", ["id": "Human:1", "withPictures": false])
        let entities = response.entities()
        #expect(entities["Human:1"]?["name"]?.count == 2)
        for (id, shown) in entities {
            for (field, values) in shown { #expect(Set(values).count == 1, "\(field) of \(id)") }
        }
        let query = CharacterDetailQuery(id: "Human:1", withPictures: false)
        let mock = try stored(query, response, in: world)
        let character = try #require(try mock.load(query).character)
        let friend = try #require(character.friends.nodes.first)
        let row = try #require(mock.environment.read(friend.fragments.characterRow_character))
        #expect(row.id == "Human:1" && row.name == character.name)
    }
}

/// Whether a value has all that another one has, names of the language aside.
private func shows(_ whole: JSONValue?, _ part: JSONValue) -> Bool {
    switch part {
    case .object(let members):
        members.allSatisfy { $0.name.hasPrefix("__") || shows(whole?[$0.name], $0.value) }
    case .array(let items):
        whole?.arrayValue?.count == items.count && items.indices.allSatisfy { shows(whole?[$0], items[$0]) }
    default:
        whole == part || part.doubleValue != nil && whole?.doubleValue == part.doubleValue
    }
}
