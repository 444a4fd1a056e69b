import Baton
import StarWarsComponents
import TerminalRenderer

extension FilmWorlds {
    static func draw(_ film: FilmWorlds_film.Data, _ row: RowState) -> any Element {
        Column {
            for group in groups(film) { Row.labelled(group.title, group.names(6)) }
        }
        .padding(horizontal: 1)
    }
}
