import Baton
import BatonTesting
import Testing

@Suite("World")
struct WorldTests {
    @Test("an entity has the same fields on every path, in every list and in every answer")
    func entitiesAreTheSameEverywhere() throws {
        let world = try WorldSamples.world()
        let fields = "id title genre rating createdAt mood director { id name }"
        let data = try world.data(
            """
            { films { edges { node { \(fields) related { \(fields) } } } }
              film(id: "Film:3") { \(fields) related { \(fields) } }
              nodes(ids: ["Film:1", "Film:2", "Film:3", "Film:4"]) { id ... on Film { \(fields) } }
              search(text: "x") { ... on Film { \(fields) } }
              viewer { id name films { \(fields) shelves { \(fields) } } best { ... on Film { \(fields) } } } }
            """)
        let entities = data.entities()
        #expect(entities.values.contains { $0["title", default: []].count >= 3 })
        for (id, shown) in entities {
            for (field, values) in shown { #expect(Set(values).count == 1, "\(field) of \(id)") }
        }
        let alone = try world.data("{ node(id: \"Film:3\") { id ... on Film { \(fields) } } }")
        #expect(alone["node"]?["title"] == data.at("film.title"))
    }

    @Test("lists in lists, objects in them and types are all there (relay 5258, 5415, 2807, 5107)")
    func nestedListsAreWhole() throws {
        let world = try WorldSamples.world()
        let data = try world.data(
            "{ film(id: \"Film:1\") { grid shelves { __typename id title } related { __typename id } poster { colors } } }"
        )
        let grid = try #require(data.at("film.grid")?.arrayValue)
        #expect(!grid.isEmpty && grid.allSatisfy { !($0.arrayValue ?? []).isEmpty })
        #expect(data.at("film.shelves.0.0.__typename") == "Film")
        #expect(data.at("film.shelves.0.0.title")?.stringValue != nil)
        let shelves = try #require(data.at("film.shelves")?.arrayValue)
        for shelf in shelves {
            let ids = (shelf.arrayValue ?? []).map { $0["id"] ?? .null }
            #expect(Set(ids).count == ids.count)
        }
        #expect(data.at("film.poster.colors.0")?.stringValue != nil)
    }

    @Test("the same seed gives the same world, and another seed another one")
    func theSeedDecides() throws {
        let text = "{ films { edges { node { id title rating director { name } } } } }"
        let (first, same, other) = (
            try WorldSamples.world(seed: 4), try WorldSamples.world(seed: 4), try WorldSamples.world(seed: 5)
        )
        #expect(first.execute(text) == same.execute(text))
        #expect(first.execute(text) != other.execute(text))
        #expect(try first.another(seed: 5).execute(text) == other.execute(text))
    }

    @Test("the values of recipe 1 stay what they are")
    func valuesStay() throws {
        #expect(World.generator == 1)
        let data = try WorldSamples.world(seed: 1).data(
            """
            { film(id: "Film:1") { title genre rating createdAt mood grid poster { url width } director { id name email } }
              search(text: "x") { __typename } films { totalCount edges { cursor } } }
            """)
        #expect(data.text == Self.golden)
    }

    private static let golden = """
        {"film":{"title":"The Amber Window","genre":"NOIR","rating":1.0,"createdAt":"2017-09-07T01:17:52Z","mood":"mood 4",\
        "grid":[[18,71]],\
        "poster":{"url":"https://example.com/wild-river-242","width":1100},"director":{"id":"Person:18","name":"Priya Hopper","email":"jun476@example.com"}},\
        "search":[{"__typename":"Person"}],\
        "films":{"totalCount":7,"edges":[{"cursor":"Film:4"},{"cursor":"Film:14"},{"cursor":"Film:8"},{"cursor":"Film:6"},{"cursor":"Film:3"},{"cursor":"Film:18"},{"cursor":"Film:10"}]}}
        """

    @Test("a field, an argument, an implementation or an enum value that is added changes no other value")
    func additionsChangeNothingElse() throws {
        let text = """
            { films { totalCount edges { node { id title genre rating grid poster { url } director { id name } } } }
              viewer { id name best { title } } people { name } }
            """
        let longer = WorldSamples.schema
            .replacing(
                "type Film implements Node & Titled {",
                with: "type Film implements Node & Titled { aaa: Int! zzz: [Film!]!"
            )
            .replacing("poster(size: Int = 100)", with: "poster(size: Int = 100, shape: String = \"round\")")
            .replacing("type Query {", with: "type Query { alpha: Film omega: [Person!]!")
        let (before, after) = (try WorldSamples.world().data(text), try World(schema: longer).data(text))
        #expect(before == after)
    }

    @Test("arguments that page, are null or have their default do not matter; others do")
    func argumentsMatter() throws {
        let data = try WorldSamples.world().data(
            """
            { film(id: "Film:1") { a: poster { url } b: poster(size: 100) { url } c: poster(size: null) { url }
                d: poster(size: 200) { url } e: cast { totalCount } f: cast(first: 1, role: null) { totalCount } } }
            """)
        #expect(data.at("film.a") == data.at("film.b"))
        #expect(data.at("film.a") == data.at("film.c"))
        #expect(data.at("film.a") != data.at("film.d"))
        #expect(data.at("film.e") == data.at("film.f"))
    }

    @Test("an id finds its entity, alone, in a list, and in an input of one field")
    func idsFindEntities() throws {
        let world = try WorldSamples.world()
        let data = try world.data(
            """
            { node(id: "Book:2") { __typename id } nodes(ids: ["Film:9", "Nobody:1", "Person:2"]) { __typename id }
              film(id: "Film:7") { id title } other: film(id: "Person:7") { id } free: film(id: "seven") { id title }
              filmBy(by: { id: "Film:7" }) { id title } }
            """)
        #expect(data["node"] == ["__typename": "Book", "id": "Book:2"])
        #expect(
            data["nodes"]
                == [["__typename": "Film", "id": "Film:9"], nil, ["__typename": "Person", "id": "Person:2"]])
        #expect(data["filmBy"] == data["film"])
        #expect(data["other"] == .null)
        // The ids of a `Node` are global, so this is the other name of an entity.
        #expect(data.at("free.id") == "Film:seven")
        let alone = try World(schema: "type Query { film(id: ID!): Film } type Film { id: ID! }")
        #expect(try alone.data("{ film(id: \"seven\") { id } }").at("film.id") == "seven")
    }

    @Test("ids that are numbers or have a form of their own find their entities too")
    func otherIDs() throws {
        let schema = """
            scalar UUID
            type A { id: Int! name: String! } type B { id: UUID! name: String! }
            type Query { a(id: Int!): A b(id: UUID!): B as: [A!]! bs: [B!]! }
            """
        let world = try World(schema: schema)
        let lists = try world.data("{ as { id name } bs { id name } }")
        let (a, b) = (try #require(lists.at("as.0")), try #require(lists.at("bs.0")))
        #expect(a["id"]?.intValue != nil)
        #expect(b["id"]?.stringValue?.count == 36)
        let data = try world.data(
            "query Q($a: Int!, $b: UUID!) { a(id: $a) { id name } b(id: $b) { id name } }",
            ["a": a["id"] ?? .null, "b": b["id"] ?? .null])
        #expect(data["a"] == a)
        #expect(data["b"] == b)
    }

    @Test("an id that is the default asks for no entity, as if it were left out")
    func defaultIDs() throws {
        let world = try World(schema: "type Query { me(id: String = \"me\"): A } type A { id: ID! name: String! }")
        let data = try world.data("{ a: me { id name } b: me(id: \"me\") { id name } c: me(id: null) { id name } }")
        #expect(data["a"] == data["b"])
        #expect(data["a"] == data["c"])
        #expect(data.at("a.id")?.stringValue?.hasPrefix("A:") == true)
    }

    @Test("the table has at most forty rows, and values read like what their names say")
    func valuesArePlausible() throws {
        let schema = """
            type Query { title: String! homepageUrl: String! email: String! createdAt: String! updatedAt: String!
              expiresAt: String! rating: Int! price: String! whatever: String! firstName: String! htmlURL: String! }
            """
        let data = try World(schema: schema).data(
            "{ title homepageUrl email createdAt updatedAt expiresAt rating price whatever firstName htmlURL }")
        func text(_ name: String) -> String { data[name]?.stringValue ?? "" }
        #expect(text("title").hasPrefix("The "))
        #expect(text("homepageUrl").hasPrefix("https://example.com/"))
        #expect(text("htmlURL").hasPrefix("https://example.com/"))
        #expect(text("email").hasSuffix("@example.com"))
        #expect(("2015"..."2020").contains(text("createdAt")) && text("createdAt") < text("updatedAt"))
        #expect(text("updatedAt") < "2025" && text("expiresAt").hasPrefix("2099-"))
        #expect((1...5).contains(data["rating"]?.intValue ?? 0))
        #expect(Double(text("price")) != nil)
        #expect(text("whatever").hasPrefix("whatever "))
    }

    @Test("nulls are made only where they may be, and only if the limits say so")
    func nullsAreMade() throws {
        let text = "{ films { edges { node { id title rating poster { url } } } } }"
        let none = try WorldSamples.world().data(text)
        #expect(!none.text.contains("null"))
        let all = try WorldSamples.world(limits: .init(nulls: 100)).data(text)
        #expect(all.at("films.edges.0.node.rating") == .null)
        #expect(all.at("films.edges.0.node.poster") == .null)
        #expect(all.at("films.edges.0.node.title")?.stringValue != nil)
    }

    @Test("limits give the lengths of lists")
    func limitsGiveLengths() throws {
        let world = try WorldSamples.world(limits: .init(lists: 4...4, connections: 30...30, entities: 5))
        let data = try world.data("{ films { totalCount edges { node { id related { id } } } } people { id } }")
        #expect(data.at("films.totalCount") == 30)
        #expect(Set((data.at("films.edges")?.arrayValue ?? []).compactMap { $0.at("node.id") }).count == 30)
        #expect(data.at("films.edges.0.node.related")?.arrayValue?.count == 4)
        #expect(data["people"]?.arrayValue?.count == 30)
    }

    @Test("a resolver takes the place of the world for its field")
    func resolversComeFirst() throws {
        var resolvers = LocalResolvers()
        resolvers.field("Film", "title") { _ in "Mine" }
        let world = try World(schema: WorldSamples.schema, resolvers: resolvers)
        let data = try world.data("{ film(id: \"Film:1\") { title id } }")
        #expect(data["film"] == ["title": "Mine", "id": "Film:1"])
    }

    @Test("the schema can be asked for")
    func introspection() throws {
        let data = try WorldSamples.world().data("{ __schema { queryType { name } } __type(name: \"Film\") { kind } }")
        #expect(data == ["__schema": ["queryType": ["name": "Query"]], "__type": ["kind": "OBJECT"]])
    }

    @Test func introspectionKnowsTheLocationsThatItNames() throws {
        let world = try WorldSamples.world()
        let data = try world.data(
            "{ __schema { directives { locations } } __type(name: \"__DirectiveLocation\") { enumValues { name } } }")
        let known = data["__type"]?["enumValues"]?.arrayValue?.compactMap { $0["name"] } ?? []
        let named = data["__schema"]?["directives"]?.arrayValue?.flatMap { $0["locations"]?.arrayValue ?? [] } ?? []
        #expect(named.count > 10)
        #expect(named.allSatisfy { known.contains($0) })
    }
}
