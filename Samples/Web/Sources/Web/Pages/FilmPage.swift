import Baton
import HTML

/// One film: its facts, cast and worlds, and the reviews, which may arrive later than the rest.
struct FilmPage: Page {
    private static let query = graphql(
        """
        query FilmPageQuery($id: ID!) {
          film(id: $id) {
            id
            title
            isMine
            ...FilmFacts_film
            ...FilmWorlds_film
            characters(first: 8) {
              totalCount
              edges {
                node {
                  ...CharacterRow_character
                }
              }
            }
          }
        }
        """
    )

    private static let reviews = graphql(
        """
        query FilmPageReviewsQuery($id: ID!) {
          film(id: $id) {
            averageStars
            ...FilmReviews_film
          }
        }
        """
    )

    let id: String
    /// True after a review of this visitor has been added.
    let isThanking: Bool

    var queries: [any GraphQLQuery] { [FilmPageQuery(id: id)] }

    func content(_ visit: Visit) throws(PageError) -> Content {
        let result = QueryHandle<FilmPageQuery>.inStore(of: visit).get(id: id)
        guard let film = try result.shown().film else {
            throw visit.hasHoles ? PageError(RelayError.noData([]).publicAnswer) : .notFound("There is no such film.")
        }
        let cast = film.characters.nodes.map { CharacterRow.render($0.fragments.characterRow_character, visit) }
        let body: HTML = """
            \(FilmFacts.render(film.fragments.filmFacts_film, visit))
            <section aria-labelledby="cast-title"><h2 id="cast-title">Cast</h2><ul class="characters">\(cast)</ul>
            \(more(cast.count, of: film.characters.totalCount))</section>
            \(FilmWorlds.render(film.fragments.filmWorlds_film, visit))\(Notice.holes(visit))
            <section aria-labelledby="reviews-title"><h2 id="reviews-title">Reviews</h2>
            \(isThanking ? thanks : "")
            """
        let form: HTML = "\(ReviewForm().render(id))</section>"
        return Content(
            title: film.title, description: "Facts, cast, worlds and reviews of \(film.title).", body: body,
            later: reviewsPart(then: form), end: ReviewForm.key)
    }

    private var thanks: HTML {
        "<p class=\"thanks\" role=\"status\">Thank you, your review is here.</p>"
    }

    private func more(_ count: Int, of total: Int) -> HTML {
        let text = "\(count) of \(total)"
        guard count < total else { return "<p class=\"count\">\(text)</p>" }
        return "<p class=\"count\"><a href=\"\(WebAddress("films", id, "cast"))\">\(text): see the whole cast</a></p>"
    }

    private func reviewsPart(then form: HTML) -> LaterPart {
        let id = id
        return LaterPart(
            query: FilmPageReviewsQuery(id: id),
            waiting: "<p class=\"waiting\">The reviews are on their way.</p>",
            render: { visit in
                let film = QueryHandle<FilmPageReviewsQuery>.inStore(of: visit).get(id: id).data?.film
                let list = film.map { FilmReviews.render($0.fragments.filmReviews_film, id, in: visit.environment) }
                return """
                    <div id="reviews" data-live="\(WebAddress("films", id, "live"))">\
                    \(list ?? Notice.failed("The reviews cannot be shown at the moment."))</div>
                    <p id="news" role="status" class="hidden"></p>\(form)
                    """
            },
            failed: { answer in "<div id=\"reviews\">\(Notice.failed(answer.text))</div>\(form)" })
    }
}
