import Baton
import TerminalRenderer

/// One film: facts, setting, reviews and cast.
final class FilmDetail: DetailPage {
    private static let query = graphql(
        """
        query FilmDetailQuery($id: ID!) {
          film(id: $id) { title ...FilmHeader_film ...FilmSetting_film ...FilmReviews_film ...FilmCast_film }
        }
        """
    )

    private unowned let app: App
    private var id: String
    private let film: QueryHandle<FilmDetailQuery>
    private let cast: FilmCast
    private let header: FragmentComponent<FilmHeader_film>
    private let setting: FragmentComponent<FilmSetting_film>
    private let reviews: FragmentComponent<FilmReviews_film>
    private let state = ListState()

    init(_ id: String, in app: App) {
        (self.id, self.app, film) = (id, app, app.query())
        cast = FilmCast(in: app)
        header = FragmentComponent(in: app.screen, FilmHeader.draw)
        setting = FragmentComponent(in: app.screen, FilmSetting.draw)
        reviews = FragmentComponent(in: app.screen, FilmReviews.draw)
    }

    var content: any Element {
        let loaded = film.loaded(film.get(id: id, fetchKey: app.fetchKey))
        let film = loaded.data?.film
        return Box(film?.title ?? "Film", isFocused: app.isDetailFocused) {
            loaded.content { _ in film.map(page) ?? Text.faint("There is no film '\(id)'.").padding(horizontal: 1) }
        }
        .onKey(when: app.isDetailFocused && film != nil) { [self] key in
            guard key == .character("w") else { return false }
            app.overlay = .review(ReviewForm(of: id, title: film?.title ?? "", in: app))
            return true
        }
    }

    private func page(_ film: FilmDetailQuery.Data.Film) -> any Element {
        cast.show(film.fragments.filmCast_film)
        let parts: [any Element] = [
            header(film.fragments.filmHeader_film), setting(film.fragments.filmSetting_film),
            reviews(film.fragments.filmReviews_film), cast.heading,
        ]
        return app.page(parts, cast.ids.map { .character($0) }, state, row: cast.row)
    }

    func show(_ place: Place) -> Bool {
        guard case .film(let id) = place else { return false }
        (self.id, _) = (id, state.reset())
        return true
    }

    func retry() { cast.retry() }
}
