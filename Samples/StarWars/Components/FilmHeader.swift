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

    static func draw(_ film: FilmHeader_film.Data, _ row: RowState) -> any Element {
        Column {
            Text("Episode \(film.episodeNumber)", .bold)
                + .faint("  \(film.trilogy) trilogy, \(film.releaseDate.inWords)")
            marks(film)
            Spacer.rows(1)
            Text(film.synopsis).wrapped
            Spacer.rows(1)
            Row.labelled("Director", film.director)
            Row.labelled("Producers", film.producers.joined(separator: ", "))
        }
        .padding(horizontal: 1)
    }

    private static func marks(_ film: FilmHeader_film.Data) -> Text {
        var text = Text("")
        if let stars = film.averageStars {
            text += .stars(Int(stars.rounded())) + Text(" \(stars)", .color(SampleTheme.crawl))
        }
        if film.isFavorite { text += Text("  \u{2605} favourite", .color(SampleTheme.crawl).bold) }
        return text
    }
}
