import Baton

/// What a picture of a film is drawn from: its worlds, its ships, its trilogy.
public enum FilmPicture {
    private static let fragment = graphql(
        """
        fragment FilmPicture_film on Film {
          title
          episodeNumber
          trilogy
          worlds: planets(first: 8) {
            edges {
              node {
                name
                climate
              }
            }
          }
          fleet: starships(first: 0) {
            totalCount
          }
        }
        """
    )
}
