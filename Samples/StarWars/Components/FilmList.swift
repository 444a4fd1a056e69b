import Baton
import StarWarsComponents
import TerminalRenderer

/// The list of films.
final class FilmList: ListPane {
    private static let trilogies: [Trilogy?] = [nil] + Trilogy.all

    private unowned let app: App
    private let films: QueryHandle<FilmListQuery>
    private let rows: FragmentComponent<FilmRow_film>
    private let state = ListState()
    private var trilogy = 0

    init(in app: App) {
        (self.app, films) = (app, app.query())
        rows = FragmentComponent(in: app.screen, FilmRow.draw)
    }

    private var loaded: Loaded<FilmListQuery.Data> {
        let filter = Self.trilogies[trilogy].map { FilmFilter(trilogy: $0) }
        return films.loaded(films.get(filter: filter, fetchKey: app.fetchKey))
    }

    private var selected: FilmListQuery.Data.Films.Edge.Node? {
        loaded.data.flatMap { state.selected(of: $0.films.nodes) }
    }

    var place: Place? { selected.map { .film($0.id) } }

    var content: any Element {
        let name = Self.trilogies[trilogy].map { $0.name + " trilogy" } ?? ""
        let count = loaded.data.map { "\($0.films.totalCount)" } ?? ""
        return Box("Films", note: count, footer: name, isFocused: !app.isDetailFocused) {
            loaded.content { data in
                List(
                    data.films.nodes, state, isFocused: !app.isDetailFocused, open: app.openSelected,
                    focus: app.focusList
                ) { [rows] film, row in rows(film.fragments.filmRow_film, row) }
            }
        }
        .onKey(when: !app.isDetailFocused) { [self] in press($0) }
    }

    private func press(_ key: Key) -> Bool {
        // The row is read for a key only, so the list is not drawn again for what a row shows.
        let film = selected.flatMap { app.environment.read($0.fragments.filmRow_film) }
        switch (key, film) {
        case (.character("f"), _): (trilogy, _) = ((trilogy + 1) % Self.trilogies.count, state.reset())
        case (_, let film?):
            return app.press(key, onFilm: film.id, title: film.title, isFavorite: film.isFavorite)
        default: return false
        }
        return true
    }
}
