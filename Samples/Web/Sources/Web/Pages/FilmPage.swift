import Baton
import HTML
import StarWarsComponents

/// One film: its facts, cast and worlds, and the reviews, which may arrive later than the rest.
struct FilmPage: Page {
    let id: String

    /// The film without its reviews, which come later.
    static func query(_ id: String) -> FilmDetailQuery {
        FilmDetailQuery(id: id, withReviews: false, withPictures: true)
    }

    var queries: [any GraphQLQuery] { [Self.query(id)] }

    func content(_ visit: Visit) throws(PageError) -> Content {
        let result = QueryHandle<FilmDetailQuery>.inStore(of: visit).get(Self.query(id).variables)
        guard let film = try result.shown().film else {
            throw visit.hasHoles ? PageError(RelayError.noData([]).publicFailure) : .notFound("There is no such film.")
        }
        let characters = visit.environment.read(film.fragments.filmCast_film)?.characters
        let cast = (characters?.nodes).map(Array.init) ?? []
        let rows = cast.map { CharacterRow.render($0.fragments.characterRow_character, visit) }
        let body: HTML = """
            \(FilmFacts.render(film.fragments.filmFacts_film, film.fragments.filmPicture_film, visit))
            <section aria-labelledby="cast-title"><h2 id="cast-title">Cast</h2><ul class="characters">\(rows)</ul>
            \(more(rows.count, of: characters?.totalCount ?? rows.count))</section>
            \(FilmWorlds.render(film.fragments.filmWorlds_film, visit))\(Notice.holes(visit))
            <section aria-labelledby="reviews-title"><h2 id="reviews-title">Reviews</h2>
            \(visit.isThanked ? thanks : "")
            """
        let form: HTML = "\(ReviewForm().render(id))</div></section>"
        return Content(
            title: film.title, description: "Facts, cast, worlds and reviews of \(film.title).", body: body,
            later: reviewsPart(then: form), end: ReviewForm.key)
    }

    private var thanks: HTML {
        "<p class=\"thanks\" role=\"status\">Thank you, your review is here.</p>"
    }

    private func more(_ count: Int, of total: Int) -> HTML {
        let text = ListCount.text(count, of: total)
        guard count < total else { return "<p class=\"count\">\(text)</p>" }
        return "<p class=\"count\"><a href=\"\(WebAddress("films", id, "cast"))\">\(text): see the whole cast</a></p>"
    }

    private func reviewsPart(then form: HTML) -> LaterPart {
        let id = id
        return LaterPart(
            query: FilmReviewsQuery(id: id),
            waiting: "<p class=\"waiting\">The reviews are on their way.</p>",
            render: { visit in
                let film = QueryHandle<FilmReviewsQuery>.inStore(of: visit).get(id: id).data?.film
                let list = film.map { FilmReviews.render($0.fragments.filmReviews_film, id, in: visit.environment) }
                return """
                    <div class="sides"><div><p id="news" role="status" class="hidden"></p>
                    <div id="reviews" data-live="\(WebAddress("films", id, "live"))">\
                    \(list ?? Notice.failed("The reviews cannot be shown at the moment."))</div></div>\(form)
                    """
            },
            failed: { failure in
                "<div class=\"sides\"><div id=\"reviews\">\(Notice.failed(failure.text))</div>\(form)"
            })
    }
}
