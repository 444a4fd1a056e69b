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

    static func render(_ film: FilmSetting_film.Data, width: Int) -> [StyledLine] {
        let planets = film.planets.nodes.map(\.name)
        let starships = film.starships.nodes.map(\.name)
        return .heading("Setting") + .labelled("Planets", planets.joined(separator: ", "), width: width)
            + .labelled("Starships", starships.joined(separator: ", "), width: width)
    }
}
