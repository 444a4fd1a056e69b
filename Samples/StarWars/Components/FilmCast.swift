import Baton
import StarWarsComponents
import TerminalRenderer

/// The cast of a film, of which further pages are loaded when its end is seen: the last rows of the film's page.
@MainActor
final class FilmCast {
    private let cast: FragmentHandle<FilmCast_film>
    private let rows: FragmentComponent<CharacterRow_character>

    init(in app: App) {
        cast = FragmentHandle(nil, in: app.environment)
        rows = FragmentComponent(in: app.screen, CharacterRow.draw)
    }

    func show(_ film: FragmentReference<FilmCast_film>) { cast.show(film) }

    private var characters: FilmCast_film.Data.Characters? { cast.get().data?.characters }

    /// The characters so far.
    var ids: [String] { characters?.nodes.map(\.id) ?? [] }

    /// The title above the rows.
    var heading: any Element {
        let count = characters.map { ListCount.text($0.nodes.count, of: $0.totalCount) } ?? ""
        return Column {
            Spacer.rows(1)
            Text.heading("Cast ") + Text.faint(count)
        }
        .padding(horizontal: 1)
    }

    /// A function that makes the row of a character.
    var row: @MainActor (Int, RowState) -> any Element {
        guard let nodes = characters?.nodes else { return { _, _ in Text("") } }
        let seen = cast.loadingAhead(nodes, distance: 2, count: 8)
        return { [rows] index, row in rows(seen[index].fragments.characterRow_character, row) }
    }
}
