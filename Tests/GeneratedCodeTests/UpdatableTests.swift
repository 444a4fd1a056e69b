import Baton
import BatonTesting
import Foundation
import Testing

/// Typed updates with `@updatable` and `@assignable`.
@Suite struct UpdatableTests {
    private struct Silence: NetworkLayer {
        func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.cancelled }
    }

    private static let answer = """
        {"library": {"shelf": {"__typename": "Book", "id": "b1", "title": "One", "best": {"id": "b2", "title": "Two"}}, "lost": null},
         "hero": {"__typename": "Droid", "__isCharacter": "Droid", "id": "d1", "name": "R2", "primaryFunction": null},
         "films": [{"__typename": "Film", "id": "f1", "title": "Hope", "episode": "NEW_HOPE", "shots": ["1.5"], "characters": []}]}
        """

    private static func filled(
        log: (@Sendable (LogEvent) -> Void)? = nil
    ) throws -> (RelayEnvironment, QueryHandle<UpdatesShelfQuery>) {
        let environment = RelayEnvironment(network: Silence(), log: log)
        try environment.publish(.data(json: answer), for: UpdatesShelfQuery())
        let handle = QueryHandle<UpdatesShelfQuery>(in: environment, fetchPolicy: .storeOnly)
        _ = handle.get()
        return (environment, handle)
    }

    @Test func aFragmentIsWrittenThroughItsReference() throws {
        let (environment, handle) = try Self.filled()
        let shelf = try #require(handle.get().data?.library.shelf)
        try environment.update { store in
            let book = try #require(store.writable(shelf.fragments.updatesEdit_book))
            #expect(book.title == "One" && book.best?.title == "Two" && book.__typename == "Book")
            #expect(store.get(DataID(book.__id))?.value(forField: "title") == "One")
            book.title = "First"
            book.best?.title = "Second"
            book.echo = "echo"
            #expect(book.title == "First" && book.echo == "echo")
        }
        #expect(handle.get().data?.library.shelf?.title == "First")
        #expect(handle.get().data?.library.shelf?.best?.title == "Second")
        try environment.update { store in
            let book = try #require(store.writable(shelf.fragments.updatesEdit_book))
            book.setBest(shelf.fragments.updatesAssignable_book)
            #expect(book.best?.title == "First")
        }
        #expect(handle.get().data?.library.shelf?.best?.title == "First")
        try environment.update { store in store.writable(shelf.fragments.updatesEdit_book)?.setBest(nil) }
        #expect(handle.get().data?.library.shelf?.best == nil)
    }

    @Test func aQueryIsWrittenFromTheRoot() throws {
        let (environment, handle) = try Self.filled()
        let shelf = try #require(handle.get().data?.library.shelf)
        try environment.update { store in
            let root = store.writable(ShelfUpdateQuery())
            root.library?.shelf?.title = "Changed"
            root.library?.setLost(shelf.fragments.updatesAssignable_book)
            #expect(root.hero?.asHuman == nil)
            root.hero?.asDroid?.primaryFunction = "Repair"
            root.hero?.asDroid?.appearsIn = [.jedi]
            #expect(root.hero?.asDroid?.appearsIn == [.jedi] && root.films?.count == 1)
            #expect(store.writable(ShelfUpdateQuery(episode: .jedi)).hero == nil)
        }
        let data = try #require(handle.get().data)
        #expect(data.library.lost?.title == "Changed" && data.hero?.asDroid?.primaryFunction == "Repair")
    }

    @Test func listsAndScalarsAreWritten() throws {
        let (environment, handle) = try Self.filled()
        let data = try #require(handle.get().data)
        let film = try #require(data.films?[0])
        let hero = try #require(data.hero)
        try environment.update { store in
            let edit = try #require(store.writable(film.fragments.updatesEdit_film))
            #expect(edit.shots == [Decimal(string: "1.5")] && edit.episode == .newHope && edit.released == nil)
            edit.shots = [nil, 2]
            edit.episode = .jedi
            edit.released = Day(1977, 5, 25)
            edit.setCharacters([hero.fragments.updatesAssignable_character])
            #expect(edit.released == Day(1977, 5, 25) && edit.shots == [nil, 2] && edit.characters?.count == 1)
        }
        let changed = try #require(handle.get().data?.films?[0])
        #expect(changed.characters.map(\.name) == ["R2"] && changed.shots == [nil, 2] && changed.episode == .jedi)
        try environment.update { store in store.writable(film.fragments.updatesEdit_film)?.removeCharacters() }
        #expect(handle.get().data?.films?[0].characters.isEmpty == true)
    }

    /// A restored scalar is JSON until it is converted.
    @Test func mappedScalarsOfARestoredStoreAreThere() throws {
        let (environment, handle) = try Self.filled()
        let film = try #require(handle.get().data?.films?[0])
        try environment.update { store in
            try #require(store.writable(film.fragments.updatesEdit_film)).released = Day(1977, 5, 25)
        }
        let other = RelayEnvironment(network: Silence())
        try other.restore(from: environment.snapshot())
        let restored = try #require(other.read(UpdatesShelfQuery()).data?.films?[0])
        try other.update { store in
            let edit = try #require(store.writable(restored.fragments.updatesEdit_film))
            #expect(edit.released == Day(1977, 5, 25) && edit.shots == [Decimal(string: "1.5")])
            edit.shots = edit.shots?.map { $0.map { $0 + 1 } }
            #expect(edit.shots == [Decimal(string: "2.5")])
        }
    }

    /// A field that cannot be null is not set to null, and no part of such an update takes effect.
    @Test func aNonNullFieldIsNotSetToNull() throws {
        let (environment, handle) = try Self.filled(log: { _ in })
        let film = try #require(handle.get().data?.films?[0])
        #expect(throws: UpdateError.nonNullField("f1", name: "title")) {
            try environment.update { store in
                let edit = try #require(store.writable(film.fragments.updatesEdit_film))
                edit.episode = .jedi
                edit.title = nil
            }
        }
        #expect(handle.get().data?.films?[0].title == "Hope" && handle.get().data?.films?[0].episode == .newHope)
    }

    /// Fields that only updates write are not fetched.
    @Test func nothingIsFetchedForUpdates() throws {
        #expect(ShelfUpdateQuery.artifact.text == "")
        let text = try #require(UpdatesShelfQuery.artifact.text)
        #expect(!text.contains("echo") && !text.contains("Edit"))
    }

    /// The server fails for fields that only updates write. A typed update changes the data that the server sent.
    @Test func aServerIsAskedForNothingOfUpdates() async throws {
        let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schema/schema.graphql")
        var resolvers = LocalResolvers()
        resolvers.resolveType("Character") { _ in "Droid" }
        resolvers.field("Query", "library") { _ in
            let best: JSONValue = ["id": "b2", "title": "Two"]
            return ["shelf": ["id": "b1", "title": "One", "best": best], "lost": .null] as JSONValue
        }
        resolvers.field("Query", "hero") { _ in ["id": "d1", "name": "R2", "primaryFunction": .null] as JSONValue }
        resolvers.field("Query", "films") { _ in
            [["id": "f1", "title": "Hope", "episode": "NEW_HOPE", "shots": ["1.5"], "characters": []]] as [JSONValue]
        }
        resolvers.field("Book", "echo") { _ in throw LocalError("nobody reads 'echo'") }
        resolvers.field("Film", "released") { _ in throw LocalError("nobody reads 'released'") }
        let service = try LocalService(schema: String(contentsOf: schema, encoding: .utf8), resolvers: resolvers)
        let environment = RelayEnvironment(network: service)
        let response = try await environment.fetch(UpdatesShelfQuery())
        #expect(response.errors.isEmpty)
        let data = try #require(response.data)
        let shelf = try #require(data.library.shelf)
        try environment.update { store in
            store.writable(shelf.fragments.updatesEdit_book)?.best?.title = "Second"
            store.writable(ShelfUpdateQuery()).library?.setLost(shelf.fragments.updatesAssignable_book)
        }
        let handle = QueryHandle<UpdatesShelfQuery>(in: environment, fetchPolicy: .storeOnly)
        let changed = try #require(handle.get().data)
        #expect(changed.library.shelf?.best?.title == "Second" && changed.library.lost?.title == "One")
        #expect(service.requestCount == 1)
    }
}
