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
          averageStars
          isFavorite
        }
        """
    )

    private static let columns = Table([
        .init("", .columns(1)), .init("", .columns(1)), .init("Title", .share(1)),
        .init("Year", .columns(4), fromWidth: 34), .init("", .columns(3), .right),
    ])

    static func draw(_ film: FilmRow_film.Data, _ row: RowState) -> any Element {
        columns.row([
            Text(film.isFavorite ? "\u{2605}" : " ", .color(SampleTheme.crawl)), .faint("\(film.episodeNumber)"),
            Text(film.title, row.isSelected ? .bold : .plain), .faint("\(film.releaseDate.year)"),
            .average(film.averageStars),
        ])
        .padding(horizontal: 1)
    }
}
