import Baton
import BatonTesting
import Foundation
import Testing

@Suite("World: overrides")
struct WorldOverrideTests {
    @Test("a type, an interface, an entity and a path have their rank")
    func ranks() throws {
        let world = try WorldSamples.world()
        try world.override([
            "Titled": ["title": "titled"], "Film": ["title": "film", "rating": 5], "Film:2": ["title": "second"],
            "$.c.title": "path",
        ])
        let data = try world.data(
            """
            { a: film(id: "Film:1") { title rating } b: film(id: "Film:2") { title rating }
              c: film(id: "Film:2") { title } d: node(id: "Book:1") { ... on Book { title } } }
            """)
        #expect(data["a"] == ["title": "film", "rating": 5.0])
        #expect(data["b"] == ["title": "second", "rating": 5.0])
        #expect(data["c"] == ["title": "path"])
        #expect(data["d"] == ["title": "titled"])
        try world.override(["Film.title": "later"])
        #expect(try world.data("{ film(id: \"Film:1\") { title } }").at("film.title") == "later")
        world.reset()
        #expect(
            try world.data("{ film(id: \"Film:1\") { title } }")
                == WorldSamples.world().data("{ film(id: \"Film:1\") { title } }"))
    }

    @Test("an override holds below lists, lists in lists and connections")
    func overridesHoldBelowLists() throws {
        let world = try WorldSamples.world()
        try world.override([
            "Film:1": ["title": "one"],
            "Film.shelves": [[["$ref": "Film:1"], ["$ref": "Film:2"]], [["title": "made"]]],
            "Query.films": [["$ref": "Film:1"], ["title": "new", "rating": 1]],
            "$.people.1.name": "Second", "$.deep.edges.*.node.director.name": "Every",
        ])
        let data = try world.data(
            """
            { films { totalCount edges { node { id title rating shelves { id title } } } } people { name }
              deep: films { edges { node { director { name } } } } }
            """)
        #expect(data.at("films.totalCount") == 2)
        #expect(data.at("films.edges.0.node.title") == "one")
        #expect(data.at("films.edges.1.node.title") == "new")
        #expect(data.at("films.edges.1.node.rating") == 1.0)
        #expect(data.at("films.edges.1.node.shelves.0.0.title") == "one")
        #expect(data.at("films.edges.1.node.shelves.1.0.title") == "made")
        #expect(data.at("people.1.name") == "Second")
        #expect(data.at("deep.edges.1.node.director.name") == "Every")
        // What an override makes is found by its id.
        let id = try #require(data.at("films.edges.1.node.id"))
        let again = try world.data("query Q($id: ID!) { film(id: $id) { title rating } }", ["id": id])
        #expect(again["film"] == ["title": "new", "rating": 1.0])
    }

    @Test("a list takes a count, and pages of a longer list join")
    func counts() throws {
        let world = try WorldSamples.world()
        try world.override([
            "Query.films": ["$count": 250], "Film.related": ["$count": 0], "Query.people": ["$count": 7],
        ])
        let data = try world.data(
            "{ films { totalCount edges { cursor node { id related { id } } } } people { id } }")
        #expect(data.at("films.totalCount") == 250)
        #expect(Set((data.at("films.edges")?.arrayValue ?? []).compactMap { $0.at("node.id") }).count == 250)
        #expect(data.at("films.edges.0.node.related") == [])
        #expect(data["people"]?.arrayValue?.count == 7)
    }

    @Test("objects of parts, references, nulls and types are given")
    func objects() throws {
        let world = try WorldSamples.world()
        try world.override([
            "Film.poster": ["width": 7], "Film.director": ["$ref": "Person:4"], "Person:4": ["name": "Four"],
            "Film:2": ["rating": nil], "Person.best": ["__typename": "Book", "title": "Pages"],
        ])
        let data = try world.data(
            """
            { film(id: "Film:2") { poster { width url } director { id name best { __typename title } } rating }
              viewer { best { title } } }
            """)
        #expect(data.at("film.poster.width") == 7)
        #expect(data.at("film.poster.url")?.stringValue != nil)
        #expect(data.at("film.director.id") == "Person:4")
        #expect(data.at("film.director.name") == "Four")
        #expect(data.at("film.director.best") == ["__typename": "Book", "title": "Pages"])
        #expect(data.at("viewer.best.title") == "Pages")
        #expect(data.at("film.rating") == .null)
    }

    @Test("mistakes are all named, and change nothing")
    func mistakes() throws {
        let world = try WorldSamples.world()
        let before = try world.data("{ film(id: \"Film:1\") { title } }")
        let error = #expect(throws: WorldError.self) {
            try world.override([
                "Flim": ["title": "x"], "Film": ["titel": "x", "title": nil, "rating": "high"], "Film.id": "x",
                "Book:1": ["pages": [1]], "Query.viewer": ["$ref": "Film:1"], "Query.films": ["$count": -1],
            ])
        }
        #expect(error?.messages.count == 8)
        #expect(error?.description.contains("'Flim'; did you mean 'Film'?") == true)
        #expect(error?.description.contains("no field 'titel'") == true)
        #expect(try world.data("{ film(id: \"Film:1\") { title } }") == before)
    }

    @Test("overrides come from a file")
    func files() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "world-\(UUID().uuidString).json")
        try Data(#"{"Film:1": {"title": "From a file"}}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let world = try WorldSamples.world()
        try world.override(contentsOf: file.path)
        #expect(try world.data("{ film(id: \"Film:1\") { title } }").at("film.title") == "From a file")
    }
}
