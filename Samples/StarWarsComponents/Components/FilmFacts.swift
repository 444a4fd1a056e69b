import Baton

/// The facts of a film.
public enum FilmFacts {
    private static let fragment = graphql(
        """
        fragment FilmFacts_film on Film {
          id
          title
          episodeNumber
          trilogy
          releaseDate
          director
          producers
          synopsis
          averageStars
          isFavorite
          isMine
        }
        """
    )

    /// The facts that need a label.
    public static func labelled(_ film: FilmFacts_film.Data) -> [(label: String, text: String)] {
        [("Director", film.director), ("Producers", film.producers.joined(separator: ", "))]
    }
}
