import Baton
import StarWarsComponents
import TerminalRenderer

extension FilmRow {
    private static let columns = Table([
        .init("", .columns(1)), .init("", .columns(1)), .init("Title", .share(1)),
        .init("Year", .columns(4), fromWidth: 34), .init("", .columns(3), .right),
    ])

    static func draw(_ film: FilmRow_film.Data, _ row: RowState) -> any Element {
        columns.row([
            Text(film.isFavorite ? "\u{2605}" : " ", .color(SampleTheme.crawl)), .faint("\(film.episodeNumber)"),
            Text(film.title, row.isSelected ? .bold : .plain), .faint("\(film.releaseDate.year)"),
            Text(Rating(film.averageStars).number, .color(SampleTheme.crawl)),
        ])
        .padding(horizontal: 1)
    }
}
