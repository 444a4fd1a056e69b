import Baton
import TerminalRenderer

/// The facts of a film.
enum FilmHeader {
    private static let fragment = graphql(
        """
        fragment FilmHeader_film on Film {
          episodeNumber
          trilogy
          releaseDate
          director
          producers
          synopsis
          averageStars
          isFavorite
        }
        """
    )

    static func render(_ film: FilmHeader_film.Data, width: Int) -> [StyledLine] {
        var first = StyledLine("Episode \(film.episodeNumber)", .bold)
        first.append(", \(film.trilogy) trilogy, \(film.releaseDate.inWords)")
        if let stars = film.averageStars { first.append("  \(stars)/5", Style(foreground: .yellow)) }
        if film.isFavorite { first.append("  \u{2605}", Style(foreground: .yellow)) }
        return [first] + film.synopsis.wrapped(toWidth: width).map { StyledLine($0) }
            + .labelled("Director", film.director, width: width)
            + .labelled("Producers", film.producers.joined(separator: ", "), width: width)
    }
}
