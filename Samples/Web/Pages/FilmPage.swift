import Baton

/// One film: facts, cast, setting and reviews, with a form that posts a review.
///
/// `?preview=4.5` shows the page with this rating. The rating is written into the environment of the request, so that
/// no other request sees it.
struct FilmPage: Page {
    private let visit: Visit
    private let id: String
    private let film: QueryHandle<FilmDetailQuery>

    init(_ id: String, _ visit: Visit) {
        self.id = id
        self.visit = visit
        film = QueryHandle<FilmDetailQuery>(in: visit.environment, fetchPolicy: visit.policy)
    }

    func contents() -> (title: String, body: HTML) {
        let result = film.get(id: id, fetchKey: visit.key)
        let body = HTML.showing(result) { data in
            guard let film = data.film else { return .message("missing", "There is no film '\(id)'.") }
            return contents(of: film)
        }
        return (result.data?.film?.title ?? "Film", "\(body)<p>\(visit.refreshLink) <a href=\"/\">all films</a></p>")
    }

    private func contents(of film: FilmDetailQuery.Data.Film) -> HTML {
        let environment = visit.environment
        let cast = film.characters.nodes.map { CastRowPart.render($0.fragments.castRow_character, in: environment) }
        return """
            \(FilmHeaderPart.render(film.fragments.filmHeader_film, in: environment))
            <h2>Cast, \(cast.count) of \(film.characters.totalCount)</h2><ul id="cast">\(cast)</ul>
            \(FilmSettingPart.render(film.fragments.filmSetting_film, in: environment))
            \(FilmReviewsPart.render(film.fragments.filmReviews_film, in: environment))
            <form id="review" method="post" action="\(HTML.path("films", id, "reviews"))">
            <label>Stars <input name="stars" type="number" min="1" max="5" value="5" required></label>
            <label>Review <input name="commentary" maxlength="2000"></label>
            <button>Send</button></form>
            """
    }
}
