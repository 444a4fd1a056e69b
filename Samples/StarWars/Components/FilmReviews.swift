import Baton
import TerminalRenderer

/// The newest reviews of a film.
enum FilmReviews {
    private static let fragment = graphql(
        """
        fragment FilmReviews_film on Film {
          reviews(first: 3) {
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

    static func draw(_ film: FilmReviews_film.Data, _ row: RowState) -> any Element {
        Column {
            Spacer.rows(1)
            Text.heading("Reviews ") + Text.faint("\(film.reviews.totalCount)")
            for review in film.reviews.nodes {
                Row(gap: 2) {
                    Text.stars(review.stars)
                    if let commentary = review.commentary {
                        Text(commentary).wrapped.filling(height: 0)
                    } else {
                        Text.faint("without words")
                    }
                }
            }
        }
        .padding(horizontal: 1)
    }
}
