import Baton

/// The newest reviews of a film.
enum FilmReviewsPart {
    static func render(_ film: FragmentReference<FilmReviews_film>, in environment: RelayEnvironment) -> HTML {
        guard let reviews = environment.read(film)?.reviews else { return "" }
        let rows = reviews.nodes.map { review -> HTML in
            "<li>\(review.stars)/5 <q>\(review.commentary ?? "no comment")</q></li>"
        }
        return "<h2>Reviews, \(rows.count) of \(reviews.totalCount)</h2><ul id=\"reviews\">\(rows)</ul>"
    }
}
