import Baton

/// The newest reviews of a film.
public enum FilmReviews {
    private static let fragment = graphql(
        """
        fragment FilmReviews_film on Film {
          reviews(first: 5) {
            totalCount
            edges {
              node {
                id
                ...ReviewRow_review
              }
            }
          }
        }
        """
    )
}
