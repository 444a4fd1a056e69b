import Baton
import TerminalRenderer

/// One film: facts, setting, reviews, and the cast, of which further pages are loaded when its end is seen.
final class FilmDetail: DetailPage {
    private static let query = graphql(
        """
        query FilmDetailQuery($id: ID!) {
          film(id: $id) {
            title
            ...FilmHeader_film
            ...FilmSetting_film
            ...FilmReviews_film
            ...FilmDetail_cast
          }
        }
        """
    )

    private static let fragment = graphql(
        """
        fragment FilmDetail_cast on Film
        @argumentDefinitions(count: { type: "Int", defaultValue: 8 }, cursor: { type: "String" })
        @refetchable(queryName: "FilmDetailCastQuery") {
          characters(first: $count, after: $cursor) @connection(key: "FilmDetail_characters") {
            totalCount
            edges {
              node {
                id
                ...CastRow_character
              }
            }
          }
        }
        """
    )

    private unowned let app: App
    private var id: String
    private let film: QueryHandle<FilmDetailQuery>
    private let cast: FragmentHandle<FilmDetail_cast>
    private let header: FragmentComponent<FilmHeader_film>
    private let setting: FragmentComponent<FilmSetting_film>
    private let reviews: FragmentComponent<FilmReviews_film>
    private let rows: FragmentComponent<CastRow_character>
    private let state = ListState()

    init(_ id: String, in app: App) {
        (self.id, self.app) = (id, app)
        film = QueryHandle(
            in: app.environment, fetchPolicy: .storeOrNetwork, freshness: Freshness(refetchOn: .networkReturned))
        cast = FragmentHandle(nil, in: app.environment)
        header = FragmentComponent(in: app.screen, FilmHeader.draw)
        setting = FragmentComponent(in: app.screen, FilmSetting.draw)
        reviews = FragmentComponent(in: app.screen, FilmReviews.draw)
        rows = FragmentComponent(in: app.screen, CastRow.draw)
    }

    private var loaded: Loaded<FilmDetailQuery.Data> { film.loaded(film.get(id: id, fetchKey: app.fetchKey)) }

    var content: any Element {
        let film = loaded.data?.film
        return Box(film?.title ?? "Film", isFocused: app.isDetailFocused) {
            loaded.content { _ in
                if let film {
                    list(film)
                } else {
                    Text.faint("There is no film '\(id)'.").padding(horizontal: 1)
                }
            }
        }
        .onKey(when: app.isDetailFocused) { [self] key in
            guard key == .character("w"), let film else { return false }
            app.review(.film(id), title: film.title)
            return true
        }
    }
}

extension FilmDetail {
    /// The parts of the page, and then the cast.
    private func list(_ film: FilmDetailQuery.Data.Film) -> any Element {
        cast.update(film.fragments.filmDetail_cast)
        guard let characters = cast.get().data?.characters else { return Text("") }
        let nodes = cast.prefetch(characters.nodes, distance: 2, count: 8)
        let count = "\(characters.nodes.count) of \(characters.totalCount)"
        let parts: [any Element] = [
            header(film.fragments.filmHeader_film), setting(film.fragments.filmSetting_film),
            reviews(film.fragments.filmReviews_film),
            Column {
                Spacer.rows(1)
                Text.heading("Cast ") + Text.faint(count)
            }
            .padding(horizontal: 1),
        ]
        return List(
            0..<parts.count + nodes.count, state, isFocused: app.isDetailFocused,
            isSelectable: { $0 >= parts.count },
            open: { [app] in app.open(.character(nodes[$0 - parts.count].id)) },
            focus: { [app] in app.isDetailFocused = true }
        ) { [rows] index, row in
            index < parts.count
                ? parts[index] : rows(nodes[index - parts.count].fragments.castRow_character, row)
        }
    }

    func show(_ place: Place) -> Bool {
        guard case .film(let id) = place else { return false }
        self.id = id
        state.reset()
        return true
    }

    func retry() { cast.retry() }
}
