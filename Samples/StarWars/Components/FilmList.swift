import Baton
import TerminalRenderer

/// The list of films; the first screen.
final class FilmListScreen: Screen {
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

    let help = [
        "enter open", "r refetch", "f filter", "s favourite", "i invalidate", "e network", "q quit",
    ]

    private static let trilogies: [Trilogy?] = [nil, .prequel, .original, .sequel]

    private let films: QueryHandle<FilmListQuery>
    private var rows = ComponentList<FilmRow_film>(FilmRow.render)
    private var ids: [String] = []
    private var selection = Selection()
    private var trilogy = 0
    private var fetchKey: Int?

    init(in app: isolated App) {
        films = QueryHandle<FilmListQuery>(in: app.environment, fetchPolicy: .storeOrNetwork)
    }

    func page(width: Int, in app: isolated App) -> Page {
        let trilogy = Self.trilogies[trilogy]
        let shown = films.shown(films.get(filter: trilogy.map { FilmFilter(trilogy: $0) }, fetchKey: fetchKey))
        var page = Page(title: "Star Wars", progress: shown.progress, warning: shown.warning)
        guard let list = shown.data?.films else { return page }
        let nodes = list.nodes
        ids = nodes.map(\.id)
        rows.show(nodes.map(\.fragments.filmRow_film), in: app)
        selection.clamp(count: ids.count)
        let name = trilogy.map { "\($0)" } ?? "all"
        // While another filter loads, the page shows the films of the previous filter.
        page.note = films.result.data == nil ? name : "\(list.totalCount) films, \(name)"
        page.lines = rows.lines(width: width, in: app)
        page.select(selection, in: 0..<ids.count)
        return page
    }

    func press(_ key: Key, in app: isolated App) -> KeyEffect {
        if selection.move(key, count: ids.count) { return .nothing }
        switch key {
        case .enter, .right:
            if ids.indices.contains(selection.index) { app.open(FilmDetailScreen(ids[selection.index], in: app)) }
        case .character("r"): fetchKey = app.nextFetchKey()
        case .character("f"):
            trilogy = (trilogy + 1) % Self.trilogies.count
            selection = Selection()
        case .character("s"):
            guard rows.rows.indices.contains(selection.index), ids.indices.contains(selection.index),
                let film = rows.rows[selection.index].handle.get().data
            else { break }
            let id = ids[selection.index]
            let input = FavoriteFilmInput(filmId: id, isFavorite: !film.isFavorite)
            let expected: JSONValue = [
                "favoriteFilm": ["film": ["id": .string(id), "isFavorite": .bool(!film.isFavorite)]]
            ]
            return app.commit(FilmListFavoriteMutation(input: input), optimistic: expected)
        default: break
        }
        return .nothing
    }
}
