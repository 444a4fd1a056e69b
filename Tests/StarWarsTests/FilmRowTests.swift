import Baton
import BatonTesting
import StarWarsComponents
import TerminalRenderer
import Testing

@testable import starwars

/// The row of a film, alone with data of a world.
@MainActor @Suite
struct FilmRowTests {
    private final class Rows: Component {
        private let films: [FilmListQuery.Data.Films.Edge.Node]
        private let row: FragmentComponent<FilmRow_film>

        init(_ data: FilmListQuery.Data, in screen: Screen) {
            films = Array(data.films.nodes)
            row = FragmentComponent(in: screen, FilmRow.draw)
        }

        var content: any Element { Column { for film in films { row(film.fragments.filmRow_film) } } }
    }

    @Test
    func markOfAFilmDrawsItsRowAlone() async throws {
        let world = try World(schema: SagaService.schema)
        try world.override(["Film.isFavorite": false, "Query.films": [["id": "Film:4", "title": "A New Hope"], [:]]])
        let mock = MockEnvironment(world: world)
        let screen = Screen(mock.environment, clock: mock.clock)
        screen.show(Rows(try mock.load(FilmListQuery(first: 2)), in: screen))
        let tester = ComponentTester(mock)
        let page = tester.render { screen.text(width: 40, height: 2) }
        #expect(await tester.update().names.first == "Rows")
        #expect(page.frame.contains("A New Hope") && !page.frame.contains("\u{2605}"))

        try mock.environment.update { try $0.get("Film", id: "Film:4")?.setValue(true, forField: "isFavorite") }
        let drawn = try await tester.expectDrawn("FilmRow_film of Film:4")
        #expect(drawn.description == "FilmRow_film of Film:4: Film:4.isFavorite false -> true")
        #expect(page.frame.contains("\u{2605}"))
        screen.receive(.key(.down))
        #expect(try await tester.expectDrawn().isEmpty)
        _ = screen.text(width: 40, height: 2)
        #expect(try await tester.expectDrawn("Rows")[0].causes == [.input])
    }
}
