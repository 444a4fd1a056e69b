import Baton
import BatonTesting
import Foundation
import Testing

/// Results that generated builders make by executing operations.
@Suite struct BuilderTests {
    // MARK: - Without edits

    @Test func aWorldFillsWhatNobodyEdits() throws {
        let data = try FilmListQuery.Data.make()
        let edges = data.allFilms.edges
        #expect(!edges.isEmpty)
        for edge in edges {
            #expect(edge.node.id.hasPrefix("Film:"))
            #expect(FragmentHandle(edge.node.fragments.filmRow_film).get().data?.title.isEmpty == false)
        }
        #expect(try FilmListQuery.makeJSON() == FilmListQuery.makeJSON())
    }

    @Test func theAnswerIsThatOfAServer() throws {
        let query = HeroDetailsQuery(withFriends: true)
        let json = try HeroDetailsQuery.makeJSON(for: query) { $0.hero.name = "R2" }
        let environment = RelayEnvironment(network: NoServer())
        try environment.publish(.data(json), for: query)
        let handle = QueryHandle<HeroDetailsQuery>(in: environment, fetchPolicy: .storeOnly)
        let read = try #require(handle.get(withFriends: true).data)
        #expect(!handle.isMissingData)
        let made = try HeroDetailsQuery.Data.make(for: query) { $0.hero.name = "R2" }
        #expect(JSONValue(made) == JSONValue(read) && made.hero?.name == "R2")
        #expect(try JSONValue(HeroDetailsQuery.Data(.data(json), for: query)) == JSONValue(made))
    }

    @Test func variablesAreThoseOfTheOperation() throws {
        let film = try FilmQuery.makeJSON(for: FilmQuery(id: "Film:7"))
        #expect(film["film"]?["id"] == "Film:7")
        // A required variable names an entity of the field's type.
        #expect(try FilmQuery.makeJSON()["film"]?["id"] == "Film:1")
        #expect(try NodeQuery.Data.make().node != nil)
    }

    // MARK: - Edits

    @Test func leavesAreEdited() throws {
        let now = Date(timeIntervalSince1970: 1_000)
        let key = UUID()
        let values = try ValuesQuery.Data.make {
            $0.values.at = now
            $0.values.times = [now, now]
            $0.values.key = key
            $0.values.long = 7
            $0.values.link = nil
            $0.values.json = ["a": [1, nil]]
        }.values
        #expect(values.at == now && values.times == [now, now] && values.key == key && values.long == 7)
        #expect(values.link == nil && values.json == ["a": [1, nil]] && values.price != nil)
        let matrix = try MatrixQuery.Data.make { $0.matrix = [[1], [], [2, 3]] }
        #expect(matrix.matrix == [[1], [], [2, 3]])
    }

    @Test func objectsAreEditedInPlaceAndMayBeNull() throws {
        let none = try FilmQuery.Data.make { $0.film = nil }
        #expect(none.film == nil)
        let film = try FilmQuery.Data.make { $0.film.film.title = "Hope" }.film
        #expect(try #require(film.map { FragmentHandle($0.fragments.film).get().data })?.title == "Hope")
        let nulls = try World(schema: schemaText(), limits: .init(nulls: 100))
        #expect(try FilmQuery.Data.make(in: nulls).film == nil)
        #expect(try FilmQuery.Data.make(in: nulls) { $0.film.film.title = "Hope" }.film != nil)
    }

    @Test func listsHaveACountAndEditedItems() throws {
        let json = try FilmsQuery.makeJSON {
            $0.films.count = 4
            $0.films[1].film.title = "Second"
            $0.films.all.film.film.count = 2
            $0.films[3].film.film[1].name = "Below a list"
            $0.grid.count = 3
            $0.grid[0] = nil
            $0.grid[2][4].title = "Longer"
        }
        let films = try #require(json["films"]?.arrayValue)
        #expect(films.count == 4 && films[1]["title"] == "Second" && films[0]["title"] != "Second")
        #expect(films.map { $0["film"]?.arrayValue?.count } == [2, 2, 2, 2])
        #expect(films[3]["film"]?.arrayValue?[1]["name"] == "Below a list")
        #expect(Set(films.map { $0["id"]?.stringValue }).count == 4)
        let grid = try #require(json["grid"]?.arrayValue)
        #expect(grid.count == 3 && grid[0] == .null && grid[2].arrayValue?.count == 5)
        #expect(grid[2].arrayValue?[4]["title"] == "Longer")
    }

    @Test func connectionsAgreeWithTheirEdges() throws {
        let json = try LibraryShelfQuery.makeJSON {
            $0.libraryShelf_query.library.books.edges.count = 3
            $0.libraryShelf_query.library.books.edges[2].node.title = "Third"
        }
        let books = try #require(json["library"]?["books"])
        #expect(books["edges"]?.arrayValue?.count == 3 && books["pageInfo"]?["hasNextPage"] == false)
        #expect(books["edges"]?.arrayValue?[2]["node"]?["title"] == "Third")
        #expect(books["pageInfo"]?["endCursor"] == books["edges"]?.arrayValue?[2]["cursor"])
        let empty = try LibraryShelfQuery.makeJSON { $0.libraryShelf_query.library.books.edges.count = 0 }
        let none = try #require(empty["library"]?["books"])
        #expect(none["edges"] == [] && none["pageInfo"]?["hasNextPage"] == false)
    }

    @Test func theObjectTypeIsChosen() throws {
        for _ in 0..<2 {
            let droid = try HeroDetailsQuery.Data.make { $0.hero.asDroid.primaryFunction = "beep" }.hero
            #expect(droid?.__typename == "Droid" && droid?.asDroid?.primaryFunction == "beep")
            let human = try HeroDetailsQuery.Data.make { $0.hero.__typename = .human }.hero
            #expect(human?.__typename == "Human" && human?.asHuman != nil && human?.asDroid == nil)
            let machine = try HeroDetailsQuery.Data.make { $0.hero.asMachine.serial = "X" }.hero
            #expect(machine?.__typename == "Droid" && machine?.asMachine?.serial == "X")
            let last = try HeroDetailsQuery.Data.make {
                $0.hero.__typename = .droid
                $0.hero.__typename = .human
            }
            #expect(last.hero?.__typename == "Human")
        }
        let found = try SearchQuery.Data.make {
            $0.search.count = 2
            $0.search[0].__typename = .film
            $0.search[1].placeBits.coordinates = [[1, 2]]
        }
        #expect(found.search.map(\.__typename) == ["Film", "Place"])
    }

    @Test func aliasesAndArgumentsAreApart() throws {
        let json = try LibraryQuery.makeJSON {
            $0.library.shelf.libraryBook_book.echo = "one"
            $0.library.shelf.libraryBook_book.long = "two"
            $0.library.shelf.libraryBook_book.libraryFilter_book.filtered = "three"
        }
        let shelf = try #require(json["library"]?["shelf"])
        #expect(shelf["echo"] == "one" && shelf["long"] == "two" && shelf["filtered"] == "three")
        #expect(shelf["deep"] != "one" && shelf["deep"] != "two" && shelf["deep"] != nil)
    }

    // MARK: - Identity

    @Test func anEditBelongsToTheEntity() throws {
        let json = try ShadowQuery.makeJSON { $0.film.film.title = "Hope" }
        #expect(json["film"]?["title"] == "Hope" && json["Film"]?["fragments"] == "Hope")
        let id = try FilmQuery.makeJSON { $0.film.film.title = "A" }
        #expect(id["film"]?["id"] == "Film:1")
    }

    @Test func editsOfOneValueThatDifferAreAMistake() throws {
        let error = #expect(throws: BuilderError.self) {
            _ = try ShadowQuery.Data.make {
                $0.film.film.title = "Hope"
                $0.Film2.fragments2 = "Other"
            }
        }
        #expect(error?.description.contains("are edited differently") == true)
    }

    @Test func anEditThatReachesNothingIsAMistake() throws {
        let query = HeroDetailsQuery(withFriends: false)
        let error = #expect(throws: BuilderError.self) {
            _ = try HeroDetailsQuery.Data.make(for: query) { $0.hero.friends.count = 1 }
        }
        #expect(error?.messages == ["the edit of 'hero.friends' reaches nothing in the answer"])
        #expect(throws: BuilderError.self) {
            _ = try HeroDetailsQuery.Data.make {
                $0.hero.asDroid.primaryFunction = "beep"
                $0.hero.__typename = .human
            }
        }
    }

    // MARK: - Fragments

    @Test func aFragmentIsMadeAlone() throws {
        let row = try FilmRow_film.Data.make { $0.title = "Hope" }
        #expect(row.title == "Hope" && row.released != nil)
        let droid = try MachineBits.Data.make(id: "Droid:3") { $0.asDroid.name = "R2" }
        #expect(droid.asDroid?.name == "R2" && droid.__typename == "Droid")
        let book = try LibraryBook_book.Data.make { $0.best.libraryDeep_book.deep = "x" }
        let best = try #require(book.best)
        #expect(FragmentHandle(best.fragments.libraryDeep_book).get().data?.deep == "x")
    }

    @Test func theJSONOfAFragmentHasTheFieldsOfThoseInIt() throws {
        let json = try LibraryBook_book.makeJSON(id: "Book:3") { $0.best.libraryDeep_book.deep = "x" }
        #expect(json["id"] == "Book:3" && json["best"]?["deep"] == "x" && json["title"]?.stringValue != nil)
        let data = try LibraryBook_book.Data.make(id: "Book:3") { $0.best.libraryDeep_book.deep = "x" }
        #expect(data.title.map { .string($0) } == json["title"])
    }

    @Test func aReferenceIsReadInTheEnvironmentOfItsObject() throws {
        let environment = RelayEnvironment(network: NoServer())
        let row = try FilmRow_film.make(id: "Film:3", in: environment) { $0.title = "Hope" }
        let other = try FilmRow_film.make(id: "Film:4", in: environment) { $0.title = "Other" }
        let handle = FragmentHandle(row, in: environment)
        #expect(handle.get().data?.title == "Hope" && environment.read(other)?.title == "Other")
        try environment.publish(
            .data(["film": ["id": "Film:3", "title": "Changed"]]), for: FilmQuery(id: "Film:3"))
        #expect(handle.get().data?.title == "Changed" && environment.read(other)?.title == "Other")
        let own = try FilmRow_film.make { $0.title = "Own" }
        #expect(FragmentHandle(own).get().data?.title == "Own")
    }

    @Test func aWorldOfTheTestFillsTheRest() throws {
        let world = try World(schema: schemaText(), seed: 7)
        try world.override(["Film:3": ["title": "Overridden"], "Film": ["episode": "JEDI"]])
        let film = try FilmRow_film.Data.make(id: "Film:3", in: world)
        #expect(film.title == "Overridden")
        let query = FilmQuery(id: "Film:3")
        let own = world.execute(FilmQuery.artifact.text ?? "", variables: ["id": "Film:3"])["data"]
        #expect(try FilmQuery.makeJSON(for: query, in: world) == own)
        // The world itself stays as it is.
        _ = try FilmQuery.Data.make(for: query, in: world) { $0.film.film.title = "Edited" }
        #expect(world.execute(FilmQuery.artifact.text ?? "", variables: ["id": "Film:3"])["data"] == own)
    }

    private func schemaText() throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "Schema/schema.graphql"), encoding: .utf8)
    }
}

/// A network without a server.
private struct NoServer: NetworkLayer {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.noResponse }
}
