import Baton
import BatonTesting
import StarWarsComponents
import Testing

private let saga = Result { try World(schema: SagaService.schema) }

@Suite("ComponentTester")
struct ComponentTesterTests {
    private let world: World
    private let mock: MockEnvironment
    private let tester: ComponentTester

    init() throws {
        world = try saga.get().another(seed: 1)
        try world.override(["Film": ["isFavorite": false], "Film:1": ["title": "Hope"], "Film:2": ["title": "Dawn"]])
        mock = MockEnvironment(world: world)
        tester = ComponentTester(mock)
    }

    private func film(_ id: String) throws -> FilmDetailQuery.Data.Film {
        try #require(try mock.load(FilmDetailQuery(id: id)).film)
    }

    private func row(_ id: String) throws -> TestedComponent<String?> {
        tester.render(try film(id).fragments.filmFacts_film) { "\($0.title)\($0.isFavorite ? " *" : "")" }
    }

    private func set(_ value: JSONValue, _ field: String, of id: String) throws {
        try mock.environment.update { try $0.get("Film", id: id)?.setValue(value, forField: field) }
    }

    @Test("a change draws the component that shows it, and no other, and says why")
    func change() async throws {
        let (first, second) = (try row("Film:1"), try row("Film:2"))
        #expect(first.frame == "Hope" && second.frame?.hasPrefix("Dawn") == true)
        #expect(
            await tester.update().description == """
                FilmFacts_film of Film:1: drawn first
                FilmFacts_film of Film:2: drawn first
                """)
        try set(true, "isFavorite", of: "Film:1")
        let drawn = try await tester.expectDrawn("FilmFacts_film of Film:1")
        #expect(drawn.description == "FilmFacts_film of Film:1: Film:1.isFavorite false -> true")
        #expect(first.frame == "Hope *" && first.drawCount == 2 && second.drawCount == 1)
        try await tester.expectDrawn()
    }

    @Test("a component that is drawn too is told, with its cause")
    func others() async throws {
        _ = (try row("Film:1"), try row("Film:2"))
        await tester.update()
        try set("Star", "title", of: "Film:1")
        try set("Moon", "title", of: "Film:2")
        let failure = await #expect(throws: MockFailure.self) {
            try await tester.expectDrawn("FilmFacts_film of Film:1")
        }
        #expect(
            failure?.description == """
                'FilmFacts_film of Film:2' was drawn
                drawn was:
                FilmFacts_film of Film:1: Film:1.title "Hope" -> "Star"
                FilmFacts_film of Film:2: Film:2.title "Dawn" -> "Moon"
                """)
        let nothing = await #expect(throws: MockFailure.self) {
            try await tester.expectDrawn("FilmFacts_film of Film:1")
        }
        #expect(nothing?.description == "'FilmFacts_film of Film:1' was not drawn\nnothing was drawn")
    }

    @Test("a frame of another renderer in the environment is told too")
    func otherRenderer() async throws {
        let screen = Screen()
        let other = RenderedFragment<FilmFacts_film, Int, String>(
            try film("Film:1").fragments.filmFacts_film, in: mock.environment
        ) { film, _ in film.data?.title ?? "" }
        let row = try row("Film:1")
        #expect(other.frame(0, on: screen) { _ in } == "Hope")
        await tester.update()
        try set("Star", "title", of: "Film:1")
        #expect(other.frame(0, on: screen) { _ in } == "Star")
        let name = "FilmFacts_film of Film:1"
        let drawn = try await tester.expectDrawn(name, name)
        #expect(Set(drawn.map(\.description)) == ["\(name): Film:1.title \"Hope\" -> \"Star\""])
        #expect(row.frame == "Star")
        _ = other.frame(1, on: screen) { _ in }
        #expect(try await tester.expectDrawn(name)[0].causes == [.input])
    }

    @Test("a closure around other components is drawn for their sake, and does not count")
    func around() async throws {
        let screen = Screen()
        let films = [try film("Film:1"), try film("Film:2")]
        var rows = RenderedFragments<FilmFacts_film, Int, String> { film, _ in film.data?.title ?? "" }
        rows.show(films.map(\.fragments.filmFacts_film), in: mock.environment)
        let list = tester.render("list") { [environment = mock.environment] in
            let count = environment.read(FilmDetailQuery(id: "Film:1")).data == nil ? 0 : 2
            return "\(count): " + rows.frames(80, on: screen) { _ in }.joined(separator: ", ")
        }
        #expect(list.frame == "2: Hope, Dawn")
        await tester.update()
        try set("Star", "title", of: "Film:2")
        try await tester.expectDrawn("FilmFacts_film of Film:2")
        #expect(list.frame == "2: Hope, Star" && list.drawCount == 1)
    }

    @Test("what a component shows while its query is under way, and why it is drawn then")
    func query() async throws {
        let film = QueryHandle<FilmDetailQuery>(in: mock.environment)
        let page = tester.render { film.get(id: "Film:1").data?.film?.title ?? "..." }
        #expect(page.frame == "...")
        await tester.update()
        try await mock.resolve(FilmDetailQuery.self)
        let drawn = try await tester.expectDrawn("FilmDetailQuery")
        #expect(drawn[0].causes == [.state(of: "FilmDetailQuery", old: "loading", new: "data")])
        #expect(page.frame == "Hope")
        _ = film.refetch()
        try await mock.resolve(FilmDetailQuery.self)
        #expect(try await tester.expectDrawn("FilmDetailQuery")[0].causes == [.status(of: "FilmDetailQuery")])
        try await tester.expectDrawn()
    }

    @Test("a change of the world changes what was loaded, and names mistakes")
    func changeOfTheWorld() async throws {
        let (first, second) = (try row("Film:1"), try row("Film:2"))
        await tester.update()
        try mock.change(["Film:2": ["title": "Moon", "isFavorite": true]])
        let drawn = try await tester.expectDrawn("FilmFacts_film of Film:2")
        #expect(
            drawn[0].causes.map(\.description) == [
                "Film:2.isFavorite false -> true", #"Film:2.title "Dawn" -> "Moon""#,
            ])
        #expect(first.frame == "Hope" && second.frame == "Moon *")
        #expect(throws: WorldError.self) { try mock.change(["Film:2": ["titel": "Moon"]]) }
        try await tester.expectDrawn()
        #expect(throws: MockFailure.self) { try MockEnvironment().load(FilmDetailQuery(id: "1")) }
    }

    @Test("a world that knows the client's schema gives its fields, and a response has none of them")
    func clientFields() async throws {
        let world = try World(schema: SagaService.schema, clientSchema: "extend type Film { isMine: Boolean }")
        try world.override(["Film": ["isMine": true]])
        let mock = MockEnvironment(world: world)
        let loaded = try #require(try mock.load(FilmDetailQuery(id: "Film:1")).film)
        #expect(mock.environment.read(loaded.fragments.filmFacts_film)?.isMine == true)
        let handle = QueryHandle<FilmDetailQuery>(in: mock.environment)
        _ = handle.get(id: "Film:2")
        try await mock.resolve(FilmDetailQuery.self)
        let resolved = try #require(handle.result.data?.film)
        #expect(mock.environment.read(resolved.fragments.filmFacts_film)?.isMine == true)
        #expect(mock.leftovers == [])
        let plain = RelayEnvironment(network: world, log: { _ in })
        let fetched = try #require(try await plain.fetch(FilmDetailQuery(id: "Film:1")).data?.film)
        #expect(plain.read(fetched.fragments.filmFacts_film)?.isMine == .some(nil))
        #expect(
            mock.environment.read(loaded.fragments.filmFacts_film)?.title
                == plain.read(fetched.fragments.filmFacts_film)?.title)
    }

    @Test("the status of a handle is a cause, where a component reads it")
    func status() async throws {
        try mock.load(FilmDetailQuery(id: "Film:1"))
        let film = QueryHandle<FilmDetailQuery>(in: mock.environment, fetchPolicy: .storeOrNetwork)
        let page = tester.render("page") { "\(film.get(id: "Film:1").data?.film?.title ?? "") \(film.isFetching)" }
        #expect(page.frame == "Hope false")
        await tester.update()
        _ = film.refetch()
        #expect(try await tester.expectDrawn("page")[0].causes == [.status(of: "FilmDetailQuery")])
        #expect(page.frame == "Hope true")
        try await mock.resolve(FilmDetailQuery.self)
        try await tester.expectDrawn("page")
    }

    @Test("a component that is drawn without need is told so")
    func needless() async throws {
        let film = FragmentHandle(try film("Film:1").fragments.filmFacts_film, in: mock.environment)
        var (frame, changed) = mock.environment.track { film.get().data?.title }
        _ = tester.render("row") { film.get().data?.title }
        await tester.update()
        (frame, changed) = mock.environment.track(label: "row", after: changed) { film.get().data?.title }
        #expect(frame == "Hope" && !changed.hasChanged)
        let drawn = try await tester.expectDrawn("row")
        #expect(drawn.description == "row: nothing that it has read has changed")
    }

    @Test("lists, records of interfaces, and records that go")
    func links() async throws {
        let query = FilmListQuery(first: 2)
        let list = QueryHandle<FilmListQuery>(in: mock.environment, fetchPolicy: .storeOrNetwork)
        try mock.load(query)
        let titles = tester.render { list.get(query.variables).data?.films.nodes.map(\.id) ?? [] }
        try #require(titles.frame.count == 2)
        let character = try #require(try mock.load(CharacterDetailQuery(id: "Human:1")).character)
        let facts = tester.render(character.fragments.characterFacts_character) { $0.asHuman?.height }
        await tester.update()
        try mock.environment.update { store in
            try store.get("Human", id: "Human:1")?.setValue(2.5, forField: "height")
        }
        let drawn = try await tester.expectDrawn("CharacterFacts_character of Human:1")
        #expect(drawn.description.contains("Human:1.height ") && drawn.description.hasSuffix(" -> 2.5"))
        #expect(facts.frame == 2.5)
        try mock.environment.update { try $0.delete(DataID(titles.frame[0])) }
        #expect(try await tester.expectDrawn("FilmListQuery").description.hasSuffix(" is gone"))
        #expect(titles.frame.count == 1)
    }

    @Test("components that draw each other without end are an error, and no hang")
    func withoutEnd() async throws {
        let film = FragmentHandle(try film("Film:1").fragments.filmFacts_film, in: mock.environment)
        let environment = mock.environment
        var number = 0
        tester.render("restless") {
            number += 1
            let title = film.get().data?.title
            let next = JSONValue.string("title \(number)")
            try? environment.update { try $0.get("Film", id: "Film:1")?.setValue(next, forField: "title") }
            return title
        }
        let failure = await #expect(throws: MockFailure.self) { try await tester.expectDrawn("restless") }
        #expect(failure?.description.hasPrefix("'restless' was drawn once more\n") == true)
        #expect(failure?.description.hasSuffix("without end: each frame changes what it has read") == true)
    }
}

private actor Screen {}
