import Baton
import TerminalRenderer

/// The cast of a film, of which further pages are loaded when its end is seen: the last rows of the film's page.
@MainActor
final class FilmCast {
    private static let fragment = graphql(
        """
        fragment FilmCast_film on Film
        @argumentDefinitions(count: { type: "Int", defaultValue: 8 }, cursor: { type: "String" })
        @refetchable(queryName: "FilmCastPaginationQuery") {
          characters(first: $count, after: $cursor) @connection(key: "FilmCast_characters") {
            totalCount
            edges { node { id ...CastRow_character } }
          }
        }
        """
    )

    private let cast: FragmentHandle<FilmCast_film>
    private let rows: FragmentComponent<CastRow_character>

    init(in app: App) {
        cast = FragmentHandle(nil, in: app.environment)
        rows = FragmentComponent(in: app.screen, CastRow.draw)
    }

    func show(_ film: FragmentReference<FilmCast_film>) { cast.update(film) }

    func retry() { cast.retry() }

    private var characters: FilmCast_film.Data.Characters? { cast.get().data?.characters }

    /// The characters so far.
    var ids: [String] { characters?.nodes.map(\.id) ?? [] }

    /// The title above the rows.
    var heading: any Element {
        let count = characters.map { "\($0.nodes.count) of \($0.totalCount)" } ?? ""
        return Column {
            Spacer.rows(1)
            Text.heading("Cast ") + Text.faint(count)
        }
        .padding(horizontal: 1)
    }

    /// A function that makes the row of a character.
    var row: @MainActor (Int, RowState) -> any Element {
        guard let nodes = characters?.nodes else { return { _, _ in Text("") } }
        let seen = cast.prefetch(nodes, distance: 2, count: 8)
        return { [rows] index, row in rows(seen[index].fragments.castRow_character, row) }
    }
}
