import Baton
import StarWarsComponents
import TerminalRenderer

/// One film: facts, worlds, reviews and cast.
final class FilmDetail: DetailPage {
    private unowned let app: App
    private var id: String
    private let film: QueryHandle<FilmDetailQuery>
    private let cast: FilmCast
    private let facts: FragmentComponent<FilmFacts_film>
    private let worlds: FragmentComponent<FilmWorlds_film>
    private let reviews: ReviewList
    private let state = ListState()

    init(_ id: String, in app: App) {
        (self.id, self.app, film) = (id, app, app.query())
        cast = FilmCast(in: app)
        facts = FragmentComponent(in: app.screen, FilmFacts.draw)
        worlds = FragmentComponent(in: app.screen, FilmWorlds.draw)
        reviews = ReviewList(in: app)
    }

    var content: any Element {
        let loaded = film.loaded(film.get(id: id, fetchKey: app.fetchKey))
        let film = loaded.data?.film
        return Box(film?.title ?? "Film", isFocused: app.isDetailFocused) {
            loaded.content { _ in film.map(page) ?? Text.faint("There is no film '\(id)'.").padding(horizontal: 1) }
        }
        .onKey(when: app.isDetailFocused) { [self] key in
            guard let film else { return false }
            // The facts are read for a key only, so the page is not drawn again for what they show.
            let isFavorite = app.environment.read(film.fragments.filmFacts_film)?.isFavorite ?? false
            return app.press(key, onFilm: film.id, title: film.title, isFavorite: isFavorite)
        }
    }

    private func page(_ film: FilmDetailQuery.Data.Film) -> any Element {
        cast.show(film.fragments.filmCast_film)
        reviews.show(film.fragments.filmReviews_film)
        let parts: [any Element] = [
            facts(film.fragments.filmFacts_film), worlds(film.fragments.filmWorlds_film),
            reviews.element, cast.heading,
        ]
        return app.page(parts, cast.ids.map { .character($0) }, state, row: cast.row)
    }

    func show(_ place: Place) -> Bool {
        guard case .film(let id) = place else { return false }
        (self.id, _) = (id, state.reset())
        return true
    }
}
