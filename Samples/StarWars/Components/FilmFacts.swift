import Baton
import StarWarsComponents
import TerminalRenderer

extension FilmFacts {
    static func draw(_ film: FilmFacts_film.Data, _ row: RowState) -> any Element {
        Column {
            heading(film).wrapped
            marks(film)
            Spacer.rows(1)
            Text(film.synopsis).wrapped
            Spacer.rows(1)
            Row.labelled("Released", film.releaseDate.inWords)
            for (label, text) in labelled(film) { Row.labelled(label, text) }
        }
        // Longer lines are hard to read.
        .limited(width: 96).padding(horizontal: 1)
    }

    private static func heading(_ film: FilmFacts_film.Data) -> Text {
        Text("Episode " + EpisodeNumber.roman(film.episodeNumber), .bold)
            + .faint("  \(film.trilogy.name) trilogy")
    }

    private static func marks(_ film: FilmFacts_film.Data) -> Text {
        var text = Text("")
        let rating = Rating(film.averageStars)
        if rating.stars != nil { text += .stars(rating) + Text(" " + rating.number, .color(SampleTheme.crawl)) }
        if film.isFavorite { text += Text("  \u{2605} favourite", .color(SampleTheme.crawl).bold) }
        return text
    }
}
