import Baton
import TerminalRenderer

/// One film in a list.
enum FilmRow {
    private static let fragment = graphql(
        """
        fragment FilmRow_film on Film {
          episodeNumber
          title
          releaseDate
          director
          averageStars
          isFavorite
        }
        """
    )

    static func render(_ film: FilmRow_film.Data, width: Int) -> [StyledLine] {
        var line = StyledLine(film.isFavorite ? " \u{2605} " : "   ", Style(foreground: .yellow))
        line.append("\(film.episodeNumber)", .dim, width: 2)
        // The title takes precedence over the director, whose name is cut at the edge.
        line.append(film.title, .bold, width: min(26, max(8, width - 16)))
        line.append("\(film.releaseDate.year)", width: 4)
        line.append(film.averageStars.map { "\($0)" } ?? "-", Style(foreground: .yellow), width: 4)
        line.append(film.director, .dim, width: 20)
        return [line]
    }
}
