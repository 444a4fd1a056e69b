import Baton
import BatonTesting
import Foundation
import Testing

/// Overrides of a world by the builders of types. They say what JSON says, and are refused where it is.
@Suite struct TypedOverrideTests {
    /// An override in both forms.
    struct Pair: Sendable, CustomTestStringConvertible {
        let typed: @Sendable (World) throws -> Void
        let json: JSONValue

        init(_ json: JSONValue, _ typed: @escaping @Sendable (World) throws -> Void) {
            self.typed = typed
            self.json = json
        }

        var testDescription: String { json.text }
    }

    static let pairs = [
        Pair(["Film": ["title": "Hope", "episode": nil]]) {
            try $0.override(BuilderSchema.Film.self) {
                $0.title = "Hope"
                $0.episode = nil
            }
        },
        Pair(["Titled": ["title": "Titled"], "Book": ["isbn": "1"]]) {
            try $0.override(BuilderSchema.Titled.self) { $0.title = "Titled" }
            try $0.override(BuilderSchema.Book.self) { $0.isbn = "1" }
        },
        Pair(["Film:1": ["title": "One", "released": "1977-05-25"], "Droid:2": ["friend": ["$ref": "Droid:5"]]]) {
            try $0.override(BuilderSchema.Film.self, id: "Film:1") {
                $0.title = "One"
                $0.released = Day(1977, 5, 25)
            }
            try $0.override(BuilderSchema.Droid.self, id: "Droid:2") { $0.friend = .entity("Droid:5") }
        },
        Pair(["Query.hero": ["__typename": "Droid", "primaryFunction": "beep", "name": "R2"]]) {
            try $0.override(BuilderSchema.Query.self) {
                $0.hero.asDroid.primaryFunction = "beep"
                $0.hero.name = "R2"
            }
        },
        Pair(["Query": ["hero": ["$ref": "Human:4"], "film": nil]]) {
            try $0.override(BuilderSchema.Query.self) {
                $0.hero = .entity("Human:4")
                $0.film = nil
            }
        },
        Pair([
            "Query.films": ["$count": 5],
            "Library.recent": [["title": "A"], ["title": "B", "isbn": "2"], ["title": "B"]],
        ]) {
            try $0.override(BuilderSchema.Query.self) { $0.films.count = 5 }
            try $0.override(BuilderSchema.Library.self) {
                $0.recent.count = 3
                $0.recent[0].title = "A"
                $0.recent[1].isbn = "2"
                $0.recent.all.title = "B"
            }
        },
        Pair(["Query.grid": [[["title": "x"], nil], nil, [["$ref": "Film:7"]]]]) {
            try $0.override(BuilderSchema.Query.self) {
                $0.grid[0][0].title = "x"
                $0.grid[0][1] = nil
                $0.grid[1] = nil
                $0.grid[2][0] = .entity("Film:7")
            }
        },
        Pair([
            "Library.books": [["title": "First"], [:], ["$ref": "Book:9"]], "Query.allFilms": ["edges": ["$count": 2]],
        ]) {
            try $0.override(BuilderSchema.Library.self) {
                $0.books.edges.count = 3
                $0.books.edges[0].node.title = "First"
                $0.books.edges[2].node = .entity("Book:9")
            }
            try $0.override(BuilderSchema.Query.self) { $0.allFilms.edges.count = 2 }
        },
        Pair([
            "Query.search": [["__typename": "Place", "name": "Endor"], ["$ref": "Film:2"]], "Place.coordinates": [[1]],
        ]) {
            try $0.override(BuilderSchema.Query.self) {
                $0.search[0].asPlace.name = "Endor"
                $0.search[1] = .entity("Film:2")
            }
            try $0.override(BuilderSchema.Place.self) { $0.coordinates = [[1]] }
        },
        Pair([
            "$.hero": ["__typename": "Human"], "$.hero.friends": ["$count": 2], "$.hero.friends.*.name": "All",
            "$.hero.friends.1.name": "Second",
        ]) {
            try $0.override(responsesOf: HeroDetailsQuery.Builder.self) {
                $0.hero.__typename = .human
                $0.hero.friends.count = 2
                $0.hero.friends.all.name = "All"
                $0.hero.friends[1].name = "Second"
            }
        },
        Pair(["$.film": nil]) { try $0.override(responsesOf: FilmQuery.Builder.self) { $0.film = nil } },
        Pair([:]) { try $0.override(BuilderSchema.Film.self) { _ in } },
    ]

    private static let queries = [
        """
        { hero { __typename name ... on Droid { primaryFunction friend { id } } ... on Human { height }
            friends(first: 3) { __typename id name } }
          film(id: "Film:1") { id title released episode } films { id title } grid { id title }
          allFilms { edges { node { id title } } }
          search(text: "a") { __typename ... on Place { name coordinates } ... on Film { id title } }
          library { recent { title isbn } books { edges { cursor node { id title isbn } }
            pageInfo { hasNextPage endCursor } } shelf { id title } } }
        """,
        #"{ droid: node(id: "Droid:2") { ... on Droid { name friend { id name } } } }"#,
        #"{ book: node(id: "Book:9") { ... on Book { title isbn } } hero { id } }"#,
    ]

    @Test(arguments: pairs) func typedOverridesSayWhatJSONSays(_ pair: Pair) throws {
        for world in try [World(schema: schemaText(), seed: 3), World(BuilderSchema.table, seed: 3)] {
            let other = try world.another(seed: 3)
            let untouched = Self.queries.map { world.execute($0) }
            try pair.typed(world)
            try other.override(pair.json)
            let changed = Self.queries.map { world.execute($0) }
            #expect(changed == Self.queries.map { other.execute($0) })
            #expect((changed == untouched) == (pair.json == [:]))
        }
    }

    @Test func theTableIsAWorldOfItsOwn() throws {
        let world = try World(BuilderSchema.table, seed: 7)
        let whole = try World(schema: schemaText(), seed: 7)
        for query in Self.queries { #expect(world.execute(query) == whole.execute(query)) }
        let environment = RelayEnvironment(network: world)
        try world.override(BuilderSchema.Film.self, id: "Film:3") { $0.title = "Hope" }
        let handle = QueryHandle<FilmQuery>(in: environment)
        _ = handle.get(id: "Film:3")
        #expect(try FilmQuery.makeJSON(for: FilmQuery(id: "Film:3"), in: world)["film"]?["title"] == "Hope")
    }

    /// What is refused, and a part of what is said of it.
    static let mistakes: [(said: String, override: @Sendable (World) throws -> Void)] = [
        (
            "'Droid:1' is no id of a 'Film'",
            { try $0.override(BuilderSchema.Film.self, id: "Droid:1") { $0.title = "" } }
        ),
        ("'id' tells entities apart", { try $0.override(BuilderSchema.Film.self, id: "Film:1") { $0.id = "Film:2" } }),
        ("'id' tells entities apart", { try $0.override(BuilderSchema.Film.self) { $0.id = "Film:2" } }),
        (
            "is no identity of a 'Droid'",
            { try $0.override(BuilderSchema.Droid.self) { $0.friend = .entity("Human:1") } }
        ),
        (
            "has an override of its own",
            {
                try $0.override(BuilderSchema.Droid.self) {
                    $0.friend = .entity("Droid:1")
                    $0.friend.name = "R2"
                }
            }
        ),
        ("set its 'count'", { try $0.override(BuilderSchema.Query.self) { $0.films.all.title = "x" } }),
        (
            "one with the index 4 is edited",
            {
                try $0.override(BuilderSchema.Query.self) {
                    $0.films.count = 2
                    $0.films[4].title = "x"
                }
            }
        ),
        ("from 0 to 10000 items", { try $0.override(BuilderSchema.Query.self) { $0.films.count = 1 << 40 } }),
        (
            "the rest follows from it",
            {
                try $0.override(BuilderSchema.Library.self) {
                    $0.books.edges.count = 2
                    $0.books.pageInfo.hasNextPage = true
                }
            }
        ),
        (
            "an override gives the nodes",
            {
                try $0.override(BuilderSchema.Library.self) { $0.books.edges[0].cursor = "c" }
            }
        ),
        (
            "leaves the object type open",
            { try $0.override(responsesOf: HeroDetailsQuery.Builder.self) { $0.hero.asMachine.serial = "X" } }
        ),
        ("that of the override", { try $0.override(BuilderSchema.Titled.self) { $0.__typename = .book } }),
        (
            "nested more than",
            {
                try $0.override(BuilderSchema.Droid.self) { builder in
                    var droid = builder
                    for _ in 0..<200 {
                        var outer = BuilderSchema.Droid(__edits: .init())
                        outer.friend = droid
                        outer.name = "R2"
                        droid = outer
                    }
                    builder = droid
                }
            }
        ),
    ]

    @Test(arguments: mistakes.indices) func mistakesAreSaidAndNothingIsChanged(_ index: Int) throws {
        let (said, override) = Self.mistakes[index]
        let world = try World(schema: schemaText())
        let before = Self.queries.map { world.execute($0) }
        let error = #expect(throws: WorldError.self) { try override(world) }
        #expect(error?.description.contains(said) == true, "\(error?.description ?? "")")
        #expect(Self.queries.map { world.execute($0) } == before)
    }

    /// Paths are not checked when they are set.
    @Test(arguments: [-1, 10_001, Int.max]) func aLengthThatNoListHasIsAnErrorOfTheField(_ count: Int) throws {
        for path in ["$.films", "$.library.books"] {
            let world = try World(schema: schemaText())
            try world.override([path: ["$count": .int(count)]])
            let response = world.execute("{ films { id } library { books { edges { cursor } } } }")
            #expect(response["errors"]?.arrayValue?.count == 1)
        }
        let world = try World(schema: schemaText())
        try world.override(responsesOf: FilmsQuery.Builder.self) { $0.films.count = count }
        // A length below zero is none.
        #expect((world.execute("{ films { id } }")["errors"] == nil) == (count < 0))
    }

    private func schemaText() throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "Schema/schema.graphql"), encoding: .utf8)
    }
}
