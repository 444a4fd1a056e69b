import Baton
import TerminalRenderer

/// The newest reviews of a film.
enum FilmReviews {
    private static let fragment = graphql(
        """
        fragment FilmReviews_film on Film {
          reviews(first: 2) {
            totalCount
            edges {
              node {
                stars
                commentary
              }
            }
          }
        }
        """
    )

    static func render(_ film: FilmReviews_film.Data, width: Int) -> [StyledLine] {
        let reviews = film.reviews.nodes
        return .heading("Reviews, \(reviews.count) of \(film.reviews.totalCount)")
            + reviews.map { review in
                let stars = String(repeating: "\u{2605}", count: max(0, min(5, review.stars)))
                var line = StyledLine()
                line.append(stars, Style(foreground: .yellow), width: 5)
                line.append(review.commentary ?? "no comment")
                return line
            }
    }
}
