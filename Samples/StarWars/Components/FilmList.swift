import Baton
import TerminalRenderer

/// The list of films.
final class FilmList: ListPane {
    private static let query = graphql(
        """
        query FilmListQuery($filter: FilmFilter) {
          films(filter: $filter) {
            totalCount
            edges {
              node {
                id
                ...FilmRow_film
              }
            }
          }
        }
        """
    )

    private static let favorite = graphql(
        """
        mutation FilmListFavoriteMutation($input: FavoriteFilmInput!) {
          favoriteFilm(input: $input) {
            film {
              id
              isFavorite
            }
          }
        }
        """
    )

    private static let trilogies: [Trilogy?] = [nil, .prequel, .original, .sequel]

    private unowned let app: App
    private let films: QueryHandle<FilmListQuery>
    private let rows: FragmentComponent<FilmRow_film>
    private let state = ListState()
    private var trilogy = 0

    init(in app: App) {
        self.app = app
        films = QueryHandle(
            in: app.environment, fetchPolicy: .storeOrNetwork, freshness: Freshness(refetchOn: .networkReturned))
        rows = FragmentComponent(in: app.screen, FilmRow.draw)
    }

    private var loaded: Loaded<FilmListQuery.Data> {
        let filter = Self.trilogies[trilogy].map { FilmFilter(trilogy: $0) }
        return films.loaded(films.get(filter: filter, fetchKey: app.fetchKey))
    }

    private var selected: FilmListQuery.Data.Films.Edge.Node? {
        guard let nodes = loaded.data?.films.nodes, nodes.indices.contains(state.selection) else { return nil }
        return nodes[state.selection]
    }

    var place: Place? { selected.map { .film($0.id) } }

    var content: any Element {
        let name = Self.trilogies[trilogy].map { "\($0) trilogy" } ?? ""
        let isFocused = !app.isDetailFocused
        return Box(
            "Films", note: loaded.data.map { "\($0.films.totalCount)" } ?? "", footer: name, isFocused: isFocused
        ) {
            loaded.content { data in
                List(
                    data.films.nodes, state, isFocused: isFocused, open: { [app] _ in app.isDetailFocused = true },
                    focus: { [app] in app.isDetailFocused = false }
                ) { [rows] film, row in rows(film.fragments.filmRow_film, row) }
            }
        }
        .onKey(when: isFocused) { [self] in press($0) }
    }
}

extension FilmList {
    func retry() {}

    private func press(_ key: Key) -> Bool {
        switch key {
        case .character("f"):
            trilogy = (trilogy + 1) % Self.trilogies.count
            state.reset()
        case .character("s"): switchFavorite()
        case .character("w"): app.review(place, title: selectedRow?.title ?? "")
        default: return false
        }
        return true
    }

    /// The data of the selected row. It is read for a key only, so the list is not drawn again for it.
    private var selectedRow: FilmRow_film.Data? {
        selected.flatMap { app.environment.read($0.fragments.filmRow_film) }
    }

    private func switchFavorite() {
        guard let id = selected?.id, let film = selectedRow else { return }
        let expected: JSONValue = [
            "favoriteFilm": ["film": ["id": .string(id), "isFavorite": .bool(!film.isFavorite)]]
        ]
        let input = FavoriteFilmInput(filmId: id, isFavorite: !film.isFavorite)
        app.commit(FilmListFavoriteMutation(input: input), optimistic: expected)
    }
}
