import Baton

/// One film in a list: what one chooses by.
public enum FilmRow {
    private static let fragment = graphql(
        """
        fragment FilmRow_film on Film {
          id
          title
          episodeNumber
          releaseDate
          averageStars
          isFavorite
          isMine
        }
        """
    )
}
