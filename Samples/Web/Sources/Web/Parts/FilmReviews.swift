import Baton
import HTML
import StarWarsComponents

extension FilmReviews {
    /// The newest reviews of a film, in a page and for a page that is open already.
    static func render(
        _ reference: FragmentReference<FilmReviews_film>, _ id: String, in environment: RelayEnvironment
    ) -> HTML {
        guard let reviews = environment.read(reference)?.reviews else { return "" }
        guard !reviews.nodes.isEmpty else { return "<p class=\"empty\">Nobody has written a review yet.</p>" }
        let rows = reviews.nodes.map { ReviewRow.render($0.fragments.reviewRow_review, in: environment) }
        let text = ListCount.text(rows.count, of: reviews.totalCount)
        let all: HTML =
            rows.count < reviews.totalCount
            ? "<a href=\"\(WebAddress("films", id, "reviews"))\">\(text): read all reviews</a>" : "\(text)"
        return "<ul class=\"reviews\">\(rows)</ul><p class=\"count\">\(all)</p>"
    }
}
