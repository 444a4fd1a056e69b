import Baton
import BatonTesting
import Foundation
import Testing

/// A world of a server's schema and the client's own.
@Suite struct ClientWorldTests {
    private let world: World
    private let mock: MockEnvironment

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Configured")
        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        world = try World(schema: text("schema.graphql"), clientSchema: text("extensions.graphql"))
        mock = MockEnvironment(world: world)
    }

    @Test func fieldsOfTheClientStandBesideThoseOfTheServer() throws {
        try world.override(["Play": ["isMarked": true, "title": "Hamlet"], "PlayItem": ["isNew": false]])
        let items = try #require(try mock.load(PlaysQuery(count: 2)).theatre.plays?.items)
        #expect(!items.isEmpty)
        for item in items {
            #expect(item?.isNew == false)
            let play = try #require(item?.entry.flatMap { mock.environment.read($0.fragments.playLine) })
            #expect(play.isMarked == true && play.title == "Hamlet")
        }
        #expect(mock.leftovers == [])
    }

    @Test func aQueryOfTheClientAloneIsAnswered() throws {
        try world.override([
            "Settings": ["theme": "DARK", "panel": ["__typename": "Left", "left": 3], "volume": 7],
            "Play.title": "Macbeth",
        ])
        let settings = try #require(try mock.load(SettingsQuery()).settings)
        #expect(settings.theme == .night && settings.volume == 7 && settings.panel?.asLeft?.left == 3)
        let favourite = try #require(settings.favourite)
        #expect(mock.environment.read(favourite.fragments.playLine)?.title == "Macbeth")
        let shelf = try #require(try mock.load(ShelfQuery()).shelf)
        #expect(!shelf.isEmpty)
        #expect(mock.leftovers == [])
    }

    /// A server cannot answer with types that it does not know.
    @Test func aServerHasNoTypesOfTheClient() throws {
        let world = try World(
            schema:
                "type Query { things: [Thing!]! } interface Thing { name: String } type A implements Thing { name: String }",
            clientSchema: (1...20).map { "type C\($0) implements Thing { name: String }" }.joined(separator: " "))
        let names = world.execute("{ things { __typename } }")["data"]?["things"]?.arrayValue ?? []
        #expect(!names.isEmpty && names.allSatisfy { $0["__typename"] == "A" })
    }

    @Test func mistakesInTheClientsSchemaAreTold() {
        let error = #expect(throws: LocalSchemaError.self) {
            try World(schema: "type Query { a: Int }", clientSchema: "extend type Nobody { a: Int }")
        }
        #expect(error?.messages.first?.contains("client schema") == true)
    }
}
