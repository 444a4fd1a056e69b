import Baton
import TerminalRenderer

/// The planets and starships of a film.
enum FilmSetting {
    private static let fragment = graphql(
        """
        fragment FilmSetting_film on Film {
          planets(first: 6) {
            edges {
              node {
                name
              }
            }
          }
          starships(first: 6) {
            edges {
              node {
                name
              }
            }
          }
        }
        """
    )

    static func draw(_ film: FilmSetting_film.Data, _ row: RowState) -> any Element {
        Column {
            Row.labelled("Planets", film.planets.nodes.map(\.name).joined(separator: ", "))
            Row.labelled("Starships", film.starships.nodes.map(\.name).joined(separator: ", "))
        }
        .padding(horizontal: 1)
    }
}
